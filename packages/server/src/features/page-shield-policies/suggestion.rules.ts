// A policy out of what was found: it allows that in every browser, and has no source that it could do without.
import { checkPolicy, decide, ENGINES, parsePolicy, parseSource, printSource } from '@zonereeve/csp'
import type { FoundResource } from './inventory.ts'
import { loadOf, pageAddress } from './simulation.rules.ts'

export interface LeftOut {
  readonly resource: FoundResource
  /** `unlistable`: hosts with an underscore and IPv6 addresses have no source expression. */
  readonly reason: 'malicious' | 'infrequent' | 'inactive' | 'unlistable'
}

export interface Suggestion {
  readonly value: string
  readonly leftOut: readonly LeftOut[]
}

/** @param hashes source expressions of hashes that are to be allowed inline. */
export function suggestPolicy(resources: readonly FoundResource[], hashes: readonly string[]): Suggestion {
  const leftOut = resources.flatMap((resource) => {
    const reason = reasonAgainst(resource)
    return reason === undefined ? [] : [{ resource, reason }]
  })
  const wanted = resources.filter((resource) => reasonAgainst(resource) === undefined)
  const list = (kind: FoundResource['kind'], more: readonly string[]) => {
    const sources = [...sourcesFor(wanted.filter((resource) => resource.kind === kind)), ...more]
    return sources.length === 0 ? "'none'" : sources.join(' ')
  }
  return { value: `script-src ${list('script', hashes)}; connect-src ${list('connection', [])}`, leftOut }
}

/** `sha256-…` as a source expression, with its quotes. @returns undefined for what is no hash, or one of no content. */
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

/** A load of one origin from a page of another: all that sources without paths tell apart. */
interface Pair {
  readonly kind: FoundResource['kind']
  readonly url: string
  readonly page: string
}

function sourcesFor(resources: readonly FoundResource[]): string[] {
  const pairs = pairsOf(resources)
  const sources = [...new Set(pairs.map(sourceOf))].toSorted(selfFirst)
  const covered = new Map(
    sources.map((source) => [source, new Set(pairs.filter((pair) => covers(source, pair)))]),
  )
  // The narrowest go first: 'self' where a host that is needed anyway covers it, http: beside https.
  for (const source of sources) {
    const others = [...covered].filter(([other]) => other !== source).map(([, set]) => set)
    const isNeeded = [...(covered.get(source) ?? [])].some((pair) => !others.some((set) => set.has(pair)))
    if (!isNeeded) covered.delete(source)
  }
  return [...covered.keys()]
}

function pairsOf(resources: readonly FoundResource[]): Pair[] {
  const pairs = new Map<string, Pair>()
  for (const { kind, url, pageUrls } of resources) {
    const { origin } = originParts(url)
    for (const pageUrl of pageUrls) {
      const page = originParts(pageAddress(pageUrl, url)).origin
      pairs.set(`${page} ${origin}`, { kind, url: `${origin}/`, page: `${page}/` })
    }
  }
  return [...pairs.values()]
}

function originParts(url: string): { origin: string; scheme: string; authority: string } {
  const { protocol, host } = new URL(url)
  return { origin: `${protocol}//${host}`, scheme: protocol.slice(0, -1), authority: host }
}

/** Sockets are listed with their scheme, since engines differ in whether a host alone covers them. */
function sourceOf({ url, page }: Pair): string {
  const { origin, scheme, authority } = originParts(url)
  if (origin === originParts(page).origin) return "'self'"
  return scheme === 'https' ? authority : origin
}

/** In every browser. */
function covers(source: string, pair: Pair): boolean {
  const policy = parsePolicy(`default-src ${source}`)
  return ENGINES.every((reading) => decide(policy, loadOf(pair), { page: pair.page, reading }).isAllowed)
}

function selfFirst(a: string, b: string): number {
  if (a === "'self'" || b === "'self'") return a === b ? 0 : a === "'self'" ? -1 : 1
  return a < b ? -1 : 1
}
