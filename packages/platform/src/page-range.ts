// The rows of a page of a list.

export interface PageRange {
  readonly offset: number
  readonly limit: number
}

/** @param page from 1. */
export function pageRange(page: number, perPage: number): PageRange {
  // The database accepts no larger offset; a page past the end is empty.
  return { offset: Math.min((page - 1) * perPage, Number.MAX_SAFE_INTEGER), limit: perPage }
}
