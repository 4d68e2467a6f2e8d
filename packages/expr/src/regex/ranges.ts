// Sets of numbers (bytes or code points) as sorted, disjoint, inclusive ranges.

export type Range = readonly [first: number, last: number]
export type Ranges = readonly Range[]

/** Sets with at most this many ranges are recomputed each time: caching them would cost more. */
export const FEW_RANGES = 32

/** Sorted and merged. */
export function normalise(ranges: Iterable<Range>): Ranges {
  const out: [number, number][] = []
  for (const [first, last] of [...ranges].toSorted((a, b) => a[0] - b[0])) {
    const previous = out.at(-1)
    if (previous !== undefined && first <= previous[1] + 1) previous[1] = Math.max(previous[1], last)
    else out.push([first, last])
  }
  return out
}

/** Everything 0..`top` that is not in the set. */
export function complement(ranges: Ranges, top: number): Ranges {
  const out: Range[] = []
  let next = 0
  for (const [first, last] of ranges) {
    if (first > next) out.push([next, first - 1])
    next = last + 1
  }
  if (next <= top) out.push([next, top])
  return out
}

export const unite = (a: Ranges, b: Ranges): Ranges => normalise([...a, ...b])

/** What is in both. */
export function intersect(a: Ranges, b: Ranges): Ranges {
  const out: Range[] = []
  let i = 0
  let k = 0
  for (;;) {
    const x = a[i]
    const y = b[k]
    if (x === undefined || y === undefined) return out
    const first = Math.max(x[0], y[0])
    const last = Math.min(x[1], y[1])
    if (first <= last) out.push([first, last])
    if (x[1] < y[1]) i += 1
    else k += 1
  }
}

/** What is only in `a`. */
export const subtract = (a: Ranges, b: Ranges, top: number): Ranges => intersect(a, complement(b, top))

/** Adds the other case of ASCII letters in the set. */
export function foldAscii(ranges: Ranges): Ranges {
  const upper = intersect(ranges, [[0x41, 0x5a]]).map(([first, last]): Range => [first + 32, last + 32])
  const lower = intersect(ranges, [[0x61, 0x7a]]).map(([first, last]): Range => [first - 32, last - 32])
  return normalise([...ranges, ...upper, ...lower])
}
