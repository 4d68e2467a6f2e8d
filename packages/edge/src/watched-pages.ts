// Finds the watched page that a request asks for.
import { asciiLower, type Bytes, type RequestFacts } from '@zonereeve/expr'

/** URLs of watched pages by where a request finds them: host, path and query. */
export type WatchedPages = ReadonlyMap<string, readonly string[]>

/** @param urls without fragments. */
export function indexWatchedPages(urls: readonly string[]): WatchedPages {
  const index = new Map<string, string[]>()
  for (const url of urls) {
    const { host, pathname, search } = new URL(url)
    const place = placeOf(host, pathname + search)
    const known = index.get(place)
    if (known === undefined) index.set(place, [url])
    else known.push(url)
  }
  return index
}

/**
 * The watched page that a browser asks for; undefined if it is another one.
 *
 * The scheme decides only if both are watched, because encryption may end in front of the edge. A script's request from another site
 * is no visit: servers may answer it with other headers.
 */
export function watchedPage(pages: WatchedPages, facts: RequestFacts): string | undefined {
  if (pages.size === 0 || facts.method !== 'GET') return undefined
  const { isTls, host, target, rawTarget: asked = target } = facts // rules rewrite it without the browser's knowledge
  const found = pages.get(placeOf(asciiLower(host), asked))
  if (found === undefined || facts.headers.some(([name]) => name.toLowerCase() === 'origin')) return undefined
  const scheme = isTls ? 'https:' : 'http:'
  return found.find((url) => url.startsWith(scheme)) ?? found[0]
}

const placeOf = (host: string, target: Bytes): string => `${host.replace(/:(?:80|443)$/, '')}${target}`
