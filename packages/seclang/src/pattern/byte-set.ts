// Sets of bytes.

/** One bit a byte, in eight words of 32 bits. */
export type ByteSet = Uint32Array

export const emptySet = (): ByteSet => new Uint32Array(8)

export function addRange(set: ByteSet, from: number, to: number): ByteSet {
  for (let byte = from; byte <= to; byte += 1) set[byte >> 5] = wordAt(set, byte >> 5) | (1 << (byte & 31))
  return set
}

export const hasByte = (set: ByteSet, byte: number): boolean =>
  (wordAt(set, byte >> 5) & (1 << (byte & 31))) !== 0

export function unite(a: ByteSet, b: ByteSet): ByteSet {
  return a.map((word, i) => word | wordAt(b, i))
}

export const complement = (set: ByteSet): ByteSet => set.map((word) => ~word)

/** Adds the other case of every ASCII letter. */
export function foldSet(set: ByteSet): ByteSet {
  const folded = Uint32Array.from(set)
  for (let letter = 65; letter <= 90; letter += 1) {
    if (hasByte(set, letter) || hasByte(set, letter + 32)) {
      addRange(folded, letter, letter)
      addRange(folded, letter + 32, letter + 32)
    }
  }
  return folded
}

export function bytesOf(set: ByteSet): readonly number[] {
  const bytes: number[] = []
  for (let at = 0; at < set.length; at += 1) {
    for (let rest = wordAt(set, at); rest !== 0; rest &= rest - 1)
      bytes.push(at * 32 + 31 - Math.clz32(rest & -rest))
  }
  return bytes
}

export const setOf = (...ranges: readonly (readonly [from: number, to: number])[]): ByteSet => {
  const set = emptySet()
  for (const [from, to] of ranges) addRange(set, from, to)
  return set
}

/** @throws RangeError outside of the set's eight words */
function wordAt(set: ByteSet, at: number): number {
  const word = set[at]
  if (word === undefined) throw new RangeError(`a set of bytes has no word ${at}`)
  return word
}
