// Where pages begin: the sort key of a page's first row, remembered while the zone stays as it is. Clients number
// pages, and walk them in order; with the key of the next page at hand the database goes straight to it instead of
// counting its way there.

export type SortKey = readonly (string | number)[]

export interface PageStarts {
  get(list: string, page: number): SortKey | undefined
  set(list: string, page: number, start: SortKey): void
}

/** Starts kept, over all lists; the oldest go first. */
const STARTS_KEPT = 2_000

/** `list` names zone, serial, filters, order and page size: whatever would move a page. */
export function createPageStarts(): PageStarts {
  const starts = new Map<string, SortKey>()
  const key = (list: string, page: number) => `${page} ${list}`
  return {
    get: (list, page) => starts.get(key(list, page)),
    set(list, page, start) {
      starts.set(key(list, page), start)
      if (starts.size <= STARTS_KEPT) return
      const [oldest] = starts.keys()
      if (oldest !== undefined) starts.delete(oldest)
    },
  }
}
