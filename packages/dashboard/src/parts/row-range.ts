// Where the rows of a long table are, and which of them are in sight: arithmetic alone, so that its cost does not grow with
// the table.

export interface RowLayout {
  readonly count: number
  /** Of nearly every row, in pixels. */
  readonly height: number
  /** Heights of the others by index: rows in edit, rows with several lines. */
  readonly others: ReadonlyMap<number, number>
}

/** Indexes from `first` up to, but without `end`. */
export interface RowRange {
  readonly first: number
  readonly end: number
}

/** Rows are added and taken away this many at a time, so that few steps of scrolling render anything. */
export const STEP = 8

/** Pixels from the top of the table to the top of the row; for `count`, the height of the table. */
export function topOf(index: number, { height, others }: RowLayout): number {
  let top = index * height
  for (const [other, itsHeight] of others) if (other < index) top += itsHeight - height
  return top
}

/** The rows between two distances from the top of the table, and at least `spare` more at both ends. */
export function rowsBetween(from: number, to: number, layout: RowLayout, spare = STEP): RowRange {
  const first = Math.floor(rowAt(from, layout) / STEP) * STEP - spare
  const end = Math.ceil((rowAt(to, layout) + 1) / STEP) * STEP + spare
  return { first: Math.max(0, first), end: Math.min(layout.count, end) }
}

/** The row at this distance; the first or the last one if there is none. */
function rowAt(distance: number, layout: RowLayout): number {
  let low = 0
  let high = Math.max(0, layout.count - 1)
  while (low < high) {
    const middle = Math.ceil((low + high) / 2)
    if (topOf(middle, layout) <= distance) low = middle
    else high = middle - 1
  }
  return low
}
