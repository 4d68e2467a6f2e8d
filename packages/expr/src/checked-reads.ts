// Checked reads: they throw beyond the end instead of returning undefined. V8 inlines them.

/** @throws RangeError beyond the end */
export function elementAt<T>(list: readonly T[], at: number): T {
  const element = list[at]
  if (element === undefined) throw new RangeError(`element ${at} of ${list.length} was read`)
  return element
}

/** For hot loops: an accessor is fast as long as it sees arrays of one kind. @throws RangeError beyond the end */
export function wordAt(words: Uint32Array, at: number): number {
  const word = words[at]
  if (word === undefined) throw new RangeError(`word ${at} of ${words.length} was read`)
  return word
}

/** The code point of the character at `at`. @throws RangeError beyond the end */
export function codePointAt(text: string, at: number): number {
  const point = text.codePointAt(at)
  if (point === undefined) throw new RangeError(`character ${at} of ${text.length} was read`)
  return point
}
