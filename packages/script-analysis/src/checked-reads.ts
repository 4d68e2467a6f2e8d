// Checked reads: they throw beyond the end instead of returning undefined. V8 inlines them.

/** @throws RangeError beyond the end */
export function elementAt<T>(list: ArrayLike<T>, at: number): T {
  const element = list[at]
  if (element === undefined) throw new RangeError(`element ${at} of ${list.length} was read`)
  return element
}
