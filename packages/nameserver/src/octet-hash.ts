// A fast hash of a few octets, for tables that clients can query and some can fill.
//
// Both factors are secret and differ in each process, so that attackers cannot construct names that collide. One
// factor alone is not enough: a change of the highest bit always survives a multiplication as a change of the highest
// bit.
/** Two odd numbers of 32 bits. */
export interface HashKey {
  readonly first: number
  readonly second: number
}

/** For tables that only this program's own tests fill. */
export const KNOWN_HASH_KEY: HashKey = { first: 0x9e37_79b1 | 0, second: 0x85eb_ca6b | 0 }

/** Makes a key of 8 random octets. */
export function hashKeyOf(random: Uint8Array): HashKey {
  const view = new DataView(random.buffer, random.byteOffset)
  return { first: view.getInt32(0) | 1, second: view.getInt32(4) | 1 }
}

/** 32 bits, signed, of `octets[start, end)`. */
export function hashOctets(
  octets: Uint8Array,
  start: number,
  end: number,
  { first, second }: HashKey,
): number {
  let sum = Math.imul(end - start, first)
  let at = start
  for (; at + 4 <= end; at += 4) {
    const four =
      octetAt(octets, at) |
      (octetAt(octets, at + 1) << 8) |
      (octetAt(octets, at + 2) << 16) |
      (octetAt(octets, at + 3) << 24)
    sum = Math.imul(sum ^ four, first)
    sum = Math.imul(sum ^ (sum >>> 15), second)
    sum ^= sum >>> 13
  }
  let rest = 0
  for (; at < end; at += 1) rest = (rest << 8) | octetAt(octets, at)
  sum = Math.imul(sum ^ rest, first)
  sum = Math.imul(sum ^ (sum >>> 15), second)
  return sum ^ (sum >>> 16)
}

/** Without a check: it runs for every octet of every query. */
function octetAt(octets: Uint8Array, at: number): number {
  return octets[at] as number // callers stay within their `end`
}
