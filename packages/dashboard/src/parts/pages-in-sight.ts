// Which pages of a list the rows in sight are on. Only those are asked for.

/** Numbers from 1, ascending. */
export function pagesInSight(indexes: readonly number[], perPage: number): number[] {
  return [...new Set(indexes.map((index) => Math.floor(index / perPage) + 1))].toSorted((a, b) => a - b)
}
