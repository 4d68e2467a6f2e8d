// Source expressions: the values of a source list, parsed and printed.

/** A source expression that follows the grammar of CSP3 §2.3.1 (ABNF). Schemes, hosts and keywords are lower case. */
export type Source =
  | { readonly kind: 'scheme'; readonly scheme: string }
  | HostSource
  | { readonly kind: 'keyword'; readonly keyword: Keyword }
  | { readonly kind: 'nonce'; readonly value: string }
  | { readonly kind: 'hash'; readonly algorithm: HashAlgorithm; readonly value: string }

export interface HostSource {
  readonly kind: 'host'
  readonly scheme: string | null
  /** `*`, `*.example.com` or `example.com`. */
  readonly host: string
  /** null = the default port of the URL's scheme. */
  readonly port: number | '*' | null
  /** As written, without query and fragment; '' = any. */
  readonly path: string
  /**
   * `?query` or `#fragment` after the path, or ''. The grammar does not allow them; all three engines accept the
   * source and ignore this part.
   */
  readonly excess: string
}

export const HASH_ALGORITHMS = ['sha256', 'sha384', 'sha512'] as const
export type HashAlgorithm = (typeof HASH_ALGORITHMS)[number]

/** Keywords, without their single quotes: CSP3 §2.3.1, and `trusted-types-eval` of Trusted Types. */
export const KEYWORDS = [
  'none',
  'report-sample',
  'report-sha256',
  'report-sha384',
  'report-sha512',
  'self',
  'strict-dynamic',
  'trusted-types-eval',
  'unsafe-allow-redirects',
  'unsafe-eval',
  'unsafe-hashes',
  'unsafe-inline',
  'unsafe-webtransport-hashes',
  'wasm-unsafe-eval',
] as const
export type Keyword = (typeof KEYWORDS)[number]

const SCHEME = /^([a-z][a-z0-9+.-]*):$/i
const HOST =
  /^(?:([a-z][a-z0-9+.-]*):\/\/)?(\*|(?:\*\.)?[a-z0-9-]+(?:\.[a-z0-9-]+)*\.?)(?::(\d+|\*))?(\/[^?#,;]*)?([?#].*)?$/i
const NONCE = /^'nonce-([a-z0-9+/_-]+={0,2})'$/i
const HASH = /^'(sha256|sha384|sha512)-([a-z0-9+/_-]+={0,2})'$/i
const QUOTED = /^'([^']*)'$/

/**
 * Parses one source expression (CSP3 §2.3.1).
 * @returns undefined for a string that matches nothing in any browser.
 */
export function parseSource(text: string): Source | undefined {
  const keyword = keywordIn(QUOTED.exec(text)?.[1])
  if (keyword !== undefined) return { kind: 'keyword', keyword }
  const [, nonce] = NONCE.exec(text) ?? []
  if (nonce !== undefined) return { kind: 'nonce', value: nonce }
  const [, name, digest] = HASH.exec(text) ?? []
  const algorithm = HASH_ALGORITHMS.find((known) => known === name?.toLowerCase())
  if (algorithm !== undefined && digest !== undefined) return { kind: 'hash', algorithm, value: digest }
  const [, scheme] = SCHEME.exec(text) ?? []
  if (scheme !== undefined) return { kind: 'scheme', scheme: scheme.toLowerCase() }
  return parseHost(text)
}

/** The text of a source expression; parsing it gives an equal one. */
export function printSource(source: Source): string {
  switch (source.kind) {
    case 'keyword':
      return `'${source.keyword}'`
    case 'nonce':
      return `'nonce-${source.value}'`
    case 'hash':
      return `'${source.algorithm}-${source.value}'`
    case 'scheme':
      return `${source.scheme}:`
    case 'host': {
      const scheme = source.scheme === null ? '' : `${source.scheme}://`
      const port = source.port === null ? '' : `:${source.port}`
      return `${scheme}${source.host}${port}${source.path}${source.excess}`
    }
  }
}

/** The keyword in `text`, without quotes, case-insensitive. */
export function keywordIn(text: string | undefined): Keyword | undefined {
  const lower = text?.toLowerCase()
  return KEYWORDS.find((keyword) => keyword === lower)
}

/** Default ports by scheme. */
export const DEFAULT_PORTS: ReadonlyMap<string, number> = new Map([
  ['http', 80],
  ['https', 443],
  ['ws', 80],
  ['wss', 443],
])

const MAX_PORT = 65_535

function parseHost(text: string): HostSource | undefined {
  const parts = HOST.exec(text)
  if (parts === null) return undefined
  const [, scheme, host = '', port, path = '', excess = ''] = parts
  if (port !== undefined && port !== '*' && Number(port) > MAX_PORT) return undefined
  return {
    kind: 'host',
    scheme: scheme?.toLowerCase() ?? null,
    host: host.toLowerCase(),
    port: port === undefined ? null : port === '*' ? '*' : Number(port),
    path,
    excess,
  }
}
