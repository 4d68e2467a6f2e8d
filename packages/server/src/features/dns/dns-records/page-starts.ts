// Where pages begin: the sort key of each page's first row, remembered until the zone changes. Clients number pages
// and walk them in order; with the key of the next page the database seeks to it instead of counting rows.
import { BoundedMap } from '@zonereeve/cooperate'

export type SortKey = readonly (string | number)[]

export interface PageStarts {
  get(list: string, page: number): SortKey | undefined
  set(list: string, page: number, start: SortKey): void
}

/** Page starts kept, over all lists. */
const STARTS_KEPT = 2_000

/** `list` names zone, serial, filters, order and page size: everything that moves a page. */
export function createPageStarts(): PageStarts {
  const starts = new BoundedMap<string, SortKey>(STARTS_KEPT)
  const key = (list: string, page: number) => `${page} ${list}`
  return {
    get: (list, page) => starts.get(key(list, page)),
    set: (list, page, start) => void starts.set(key(list, page), start),
  }
}
