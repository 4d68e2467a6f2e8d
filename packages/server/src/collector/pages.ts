// Pages that were reported about lately: a site has few, each of its reports names one, and reading a URL takes long.
import { readPage, type Page } from '../features/page-shield/index.ts'

/** Longer texts are read each time, so that what is kept is bounded in octets, too. */
const MAX_KEPT_CHARACTERS = 1024

/**
 * Reads pages, each once as long as it is remembered. What a URL is read as depends on nothing else, so nothing that is
 * kept grows wrong.
 *
 * @param maxPages in a generation; when it is full, the older one is forgotten.
 */
export function createPages(maxPages: number): (documentUri: string) => Page | undefined {
  let young = new Map<string, Page>()
  let old = new Map<string, Page>()
  return (documentUri) => {
    const key = withoutQuery(documentUri)
    const known = young.get(key)
    if (known !== undefined) return known
    const page = old.get(key) ?? readPage(key)
    if (page === undefined || documentUri.length > MAX_KEPT_CHARACTERS) return page
    if (young.size >= maxPages) {
      old = young
      young = new Map()
    }
    young.set(key, page)
    return page
  }
}

/** With the sign behind which a query or fragment begins: without it, blanks before it would be no part of the path. */
function withoutQuery(url: string): string {
  const query = url.indexOf('?')
  const fragment = url.indexOf('#')
  const at = query < 0 || (fragment >= 0 && fragment < query) ? fragment : query
  return at < 0 ? url : url.slice(0, at + 1)
}
