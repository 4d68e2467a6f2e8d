// Finds the redirect for a URL: by host, then by the longest path. The work grows with the labels of the host and the
// segments of the path, not with the number of redirects.
import type { Bytes, ListedRedirect } from '@zonereeve/expr'
import { utf8 } from '@zonereeve/expr'
import type { RedirectItem } from './list-item.ts'
import { readRequestUrl, readSource, type RequestUrl, type SourceUrl } from './source-url.ts'

interface Entry {
  readonly item: RedirectItem
  readonly source: SourceUrl
}

interface Table {
  readonly byHost: ReadonlyMap<string, ReadonlyMap<string, readonly Entry[]>>
  /** Prefixes of a path that are longer are not looked up. */
  readonly longestPath: number
}

const DEFAULT_STATUS = 301

export type RedirectTable = (url: Bytes) => ListedRedirect | undefined

/** Items are valid: the server has checked them. */
export function compileRedirects(items: readonly RedirectItem[]): RedirectTable {
  const byHost = new Map<string, Map<string, Entry[]>>()
  let longestPath = 0
  for (const item of items) {
    const source = readSource(item.source_url)
    if (source === undefined) throw new Error('a redirect list has an invalid source_url')
    const paths = byHost.get(source.host) ?? new Map<string, Entry[]>()
    byHost.set(source.host, paths)
    const path = utf8(source.path)
    longestPath = Math.max(longestPath, path.length)
    const known = paths.get(path)
    const entry = { item, source: { ...source, path } }
    if (known === undefined) paths.set(path, [entry])
    else known.push(entry)
  }
  const table = { byHost, longestPath }
  return (url) => {
    const request = readRequestUrl(url)
    const found = request && find(table, request)
    return request && found && redirectTo(found, request)
  }
}

/** The exact host first, then the nearest parent whose redirect includes subdomains. */
function find(table: Table, request: RequestUrl): Entry | undefined {
  for (let host = request.host, isExact = true; ; isExact = false) {
    const paths = table.byHost.get(host)
    const found = paths && findPath(paths, request, { isExact, longestPath: table.longestPath })
    const dot = host.indexOf('.')
    if (found !== undefined || dot < 0) return found
    host = host.slice(dot + 1)
  }
}

function findPath(
  paths: ReadonlyMap<string, readonly Entry[]>,
  { scheme, path }: RequestUrl,
  { isExact, longestPath }: { readonly isExact: boolean; readonly longestPath: number },
): Entry | undefined {
  const fits = ({ item, source }: Entry, isWhole: boolean): boolean =>
    (source.scheme === '' || source.scheme === scheme) &&
    (isExact || item.include_subdomains === true) &&
    (isWhole || item.subpath_matching === true)
  const best = (at: string, isWhole: boolean): Entry | undefined => {
    const fitting = paths.get(at)?.filter((entry) => fits(entry, isWhole)) ?? [] // no redirect has this path
    // One with a scheme is nearer to the request than one for both.
    return fitting.find(({ source }) => source.scheme !== '') ?? fitting[0]
  }
  const whole = best(path, true)
  if (whole !== undefined) return whole
  let slash = path.lastIndexOf('/', longestPath)
  while (slash > 0) {
    const found = best(path.slice(0, slash + 1), false) ?? best(path.slice(0, slash), false)
    if (found !== undefined) return found
    slash = path.lastIndexOf('/', slash - 1)
  }
  return best('/', false)
}

function redirectTo({ item, source }: Entry, { path, query }: RequestUrl): ListedRedirect {
  const suffix = item.preserve_path_suffix === false ? '' : path.slice(source.path.length)
  const target = suffix === '' ? utf8(item.target_url) : withSuffix(utf8(item.target_url), suffix)
  const location = item.preserve_query_string === true ? withQuery(target, query) : target
  return { location, statusCode: item.status_code ?? DEFAULT_STATUS }
}

/** Adds to the path of a URL, with exactly one slash in between. */
function withSuffix(target: Bytes, suffix: Bytes): Bytes {
  const end = target.search(/[?#]/)
  const [before, after] = end < 0 ? [target, ''] : [target.slice(0, end), target.slice(end)]
  return `${before.replace(/\/$/, '')}/${suffix.replace(/^\//, '')}${after}`
}

function withQuery(target: Bytes, query: Bytes): Bytes {
  const fragment = target.indexOf('#')
  return fragment < 0 ? target + query : target.slice(0, fragment) + query + target.slice(fragment)
}
