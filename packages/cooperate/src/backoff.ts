/** Milliseconds to wait after this many failures in a row, from 1: doubled with each of them, up to the longest. */
export const backoffMillis = (failures: number, firstMillis: number, longestMillis: number): number =>
  Math.min(firstMillis * 2 ** (failures - 1), longestMillis)
