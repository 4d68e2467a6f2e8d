// Suggests a policy from detected resources: it allows them in every browser and contains no redundant
// source.
import { checkPolicy, decide, ENGINES, parsePolicy, parseSource, printSource } from '@zonereeve/csp'
import type { Chunked } from '@zonereeve/cooperate'
import type { FoundResource } from './inventory.ts'
import { loadOf, pageAddress } from './simulation.rules.ts'

export interface LeftOut {
  readonly resource: FoundResource
  /** `unlistable`: hosts with an underscore and IPv6 addresses cannot be source expressions. */
  readonly reason: 'malicious' | 'infrequent' | 'inactive' | 'unlistable'
}

export interface Suggestion {
  readonly value: string
  readonly leftOut: readonly LeftOut[]
}

/** @param hashes hash sources to allow inline. */
export function* suggestPolicy(
  resources: readonly FoundResource[],
  hashes: readonly string[],
): Chunked<Suggestion> {
  const leftOut: LeftOut[] = []
  const desired: Record<FoundResource['kind'], FoundResource[]> = { script: [], connection: [] }
  for (const resource of resources) {
    const reason = reasonAgainst(resource)
    if (reason === undefined) desired[resource.kind].push(resource)
    else leftOut.push({ resource, reason })
    yield
  }
  const scripts = sourceList([...(yield* sourcesFor(desired.script)), ...hashes])
  const connections = sourceList(yield* sourcesFor(desired.connection))
  return { value: `script-src ${scripts}; connect-src ${connections}`, leftOut }
}

const sourceList = (sources: readonly string[]): string =>
  sources.length === 0 ? "'none'" : sources.join(' ')

/**
 * Turns `sha256-…` into a source expression, with its quotes.
 * @returns undefined if it is not a hash, or a hash of empty content.
 */
export function readHash(text: string): string | undefined {
  const source = parseSource(`'${text.trim().replaceAll("'", '')}'`)
  if (source?.kind !== 'hash') return undefined
  const expression = printSource(source)
  const matchesNothing = checkPolicy(`script-src ${expression}`).some(({ level }) => level !== 'note')
  return matchesNothing ? undefined : expression
}

function reasonAgainst({ isMalicious, status, url }: FoundResource): LeftOut['reason'] | undefined {
  if (isMalicious) return 'malicious'
  if (status !== 'active') return status
  return parseSource(originParts(url).origin) === undefined ? 'unlistable' : undefined
}

/** A load from one origin by a page of another: the granularity of sources without paths. */
interface Pair {
  readonly kind: FoundResource['kind']
  readonly url: string
  readonly page: string
}

function* sourcesFor(resources: readonly FoundResource[]): Chunked<string[]> {
  const pairs = yield* pairsOf(resources)
  const sources = new Map<string, readonly Pair[]>()
  for (const sameHost of groupByHost(pairs).values())
    for (const pair of sameHost) sources.set(sourceOf(pair), sameHost)
  // 'self' is the host of each page: it covers no other host.
  if (sources.has("'self'")) sources.set("'self'", pairs.filter(isOfOwnHost))
  const covered = new Map<string, readonly Pair[]>()
  const timesCovered = new Map<Pair, number>()
  for (const [source, candidates] of sources) {
    const own = yield* coveredBy(source, candidates)
    covered.set(source, own)
    for (const pair of own) timesCovered.set(pair, (timesCovered.get(pair) ?? 0) + 1)
  }
  // Drops the narrowest first: 'self' if a host that is needed anyway covers it, http: if https: does.
  const needed = [...covered]
    .toSorted(([a], [b]) => selfFirst(a, b))
    .filter(([, own]) => {
      const isNeeded = own.some((pair) => timesCovered.get(pair) === 1)
      if (!isNeeded) for (const pair of own) timesCovered.set(pair, (timesCovered.get(pair) ?? 0) - 1)
      return isNeeded
    })
  return needed.map(([source]) => source)
}

function* pairsOf(resources: readonly FoundResource[]): Chunked<Pair[]> {
  const pairs = new Map<string, Pair>()
  for (const { kind, url, pageUrls } of resources) {
    const { origin } = originParts(url)
    for (const pageUrl of pageUrls) {
      const page = originParts(pageAddress(pageUrl, url)).origin
      pairs.set(`${page} ${origin}`, { kind, url: `${origin}/`, page: `${page}/` })
    }
    yield
  }
  return [...pairs.values()]
}

/** Suggested sources contain no wildcards: each covers only its own host. */
function groupByHost(pairs: readonly Pair[]): ReadonlyMap<string, readonly Pair[]> {
  const byHost = new Map<string, Pair[]>()
  for (const pair of pairs) {
    const host = hostOf(pair.url)
    const own = byHost.get(host)
    if (own === undefined) byHost.set(host, [pair])
    else own.push(pair)
  }
  return byHost
}

const isOfOwnHost = ({ url, page }: Pair): boolean => hostOf(url) === hostOf(page)

/** Takes an origin with a trailing slash. */
const hostOf = (origin: string): string => /^[a-z]+:\/\/(.*?)(?::\d+)?\/$/.exec(origin)?.[1] ?? origin

function originParts(url: string): { origin: string; scheme: string; authority: string } {
  const { protocol, host } = new URL(url)
  return { origin: `${protocol}//${host}`, scheme: protocol.slice(0, -1), authority: host }
}

/**
 * WebSocket sources include their scheme, because browser engines disagree on whether a bare host covers
 * them.
 */
function sourceOf({ url, page }: Pair): string {
  const { origin, scheme, authority } = originParts(url)
  if (origin === originParts(page).origin) return "'self'"
  return scheme === 'https' ? authority : origin
}

/** Covered in every browser. */
function* coveredBy(source: string, candidates: readonly Pair[]): Chunked<Pair[]> {
  const policy = parsePolicy(`default-src ${source}`)
  const covered: Pair[] = []
  for (const pair of candidates) {
    const isAllowed = (reading: (typeof ENGINES)[number]): boolean =>
      decide(policy, loadOf(pair), { page: pair.page, reading }).isAllowed
    if (ENGINES.every(isAllowed)) covered.push(pair)
    yield
  }
  return covered
}

function selfFirst(a: string, b: string): number {
  if (a === "'self'" || b === "'self'") return a === b ? 0 : a === "'self'" ? -1 : 1
  return a < b ? -1 : 1
}
