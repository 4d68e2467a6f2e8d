// Caches parsed page URLs: a site has few pages, each report names one, and parsing a URL is slow.
import { BoundedMap } from '@zonereeve/cooperate'
import { readPage, type Page } from '../page-shield/index.ts'

/** Longer URLs are not cached, so that the cache size is bounded in bytes too. */
const MAX_KEPT_CHARACTERS = 1024

/**
 * Parses page URLs through a cache. The result depends only on the URL, so cached entries never become stale.
 * @param maxPages maximum number of cached pages.
 */
export function createPages(maxPages: number): (documentUri: string) => Page | undefined {
  const pages = new BoundedMap<string, Page>(maxPages)
  return (documentUri) => {
    const key = withoutQuery(documentUri)
    const known = pages.get(key)
    if (known !== undefined) return known
    const page = readPage(key)
    if (page !== undefined && documentUri.length <= MAX_KEPT_CHARACTERS) pages.set(key, page)
    return page
  }
}

/** Keeps the `?` or `#`: without it, whitespace before it would be trimmed from the path. */
function withoutQuery(url: string): string {
  const query = url.indexOf('?')
  const fragment = url.indexOf('#')
  const at = query < 0 || (fragment >= 0 && fragment < query) ? fragment : query
  return at < 0 ? url : url.slice(0, at + 1)
}
