// Simulates which detected resources a policy would block, per browser.
import {
  decide,
  ENGINES,
  governing,
  parsePolicy,
  printSource,
  type Decision,
  type Engine,
  type Load,
  type Policy as ParsedPolicy,
  type Source,
} from '@zonereeve/csp'
import type { Chunked } from '@zonereeve/cooperate'
import type { FoundResource } from './inventory.ts'

export interface BlockedResource {
  readonly resource: FoundResource
  readonly pageUrl: string
  readonly directive: string | null
  readonly blockedIn: readonly Engine[]
  /** The URL is known without its path, but the policy matches by path. */
  readonly dependsOnPath: boolean
}

export type Forbidden = 'inline_scripts' | 'inline_handlers' | 'eval' | 'wasm'

/** A source of the policy, and how many of the resources it allows on any page in any browser. */
export interface SourceUse {
  readonly directive: string
  readonly source: string
  readonly scripts: number
  readonly connections: number
  /** How many of both are malicious. */
  readonly malicious: number
}

export interface Simulation {
  readonly checked: number
  readonly blocked: readonly BlockedResource[]
  readonly sources: readonly SourceUse[]
  /** Findings about resources without a URL. */
  readonly forbidden: readonly Forbidden[]
}

/**
 * Checks resources against a policy: each on every page it was seen on; reports the first page that blocks
 * it. Yields after each resource.
 */
export function* simulate(value: string, resources: readonly FoundResource[]): Chunked<Simulation> {
  const policy = parsePolicy(value)
  const blocked: BlockedResource[] = []
  const uses = unusedSources(policy)
  for (const resource of resources) {
    const pages = resource.pageUrls.map((pageUrl): DecidedPage => {
      const page = pageAddress(pageUrl, resource.url)
      return { pageUrl, page, decisions: decisionsOf(policy, loadOf(resource), page) }
    })
    countUses(uses, resource, pages)
    const one = blockedPage(policy, resource, pages)
    if (one !== undefined) blocked.push(one)
    yield
  }
  return {
    checked: resources.length,
    blocked,
    sources: [...uses.values()],
    forbidden: forbiddenBy(policy),
  }
}

/** The page's assumed URL: an insecure resource implies an insecure page. */
export function pageAddress(pageUrl: string, url: string): string {
  return `${/^(?:http|ws):/.test(url) ? 'http' : 'https'}://${pageUrl}`
}

export const loadOf = ({ kind, url }: Pick<FoundResource, 'kind' | 'url'>): Load => ({
  kind: 'url',
  directive: kind === 'script' ? 'script-src-elem' : 'connect-src',
  url,
})

interface DecidedPage {
  readonly pageUrl: string
  /** Its assumed URL. */
  readonly page: string
  readonly decisions: readonly (readonly [Engine, Decision])[]
}

function blockedPage(
  policy: ParsedPolicy,
  resource: FoundResource,
  pages: readonly DecidedPage[],
): BlockedResource | undefined {
  let worst: BlockedResource | undefined
  for (const { pageUrl, page, decisions } of pages) {
    const blocking = decisions.filter(([, { isAllowed }]) => !isAllowed)
    if (blocking.length <= (worst === undefined ? 0 : worst.blockedIn.length)) continue
    worst = {
      resource,
      pageUrl,
      directive: blocking[0]?.[1].directive ?? null,
      blockedIn: blocking.map(([engine]) => engine),
      dependsOnPath: lacksPath(resource) && isAllowedByOrigin(policy, resource, page),
    }
  }
  return worst
}

type Uses = Map<string, { -readonly [Member in keyof SourceUse]: SourceUse[Member] }>

const useKey = (directive: string, source: string): string => `${directive} ${source}`

/** The sources that could allow a script or a connection, so that those that allow none are reported, too. */
function unusedSources(policy: ParsedPolicy): Uses {
  const uses: Uses = new Map()
  for (const load of ['script-src-elem', 'connect-src']) {
    const found = governing(policy, load)
    if (found === undefined) continue
    const { name: directive, sources } = found
    for (const source of sources.filter(namesResources).map(printSource))
      uses.set(useKey(directive, source), { directive, source, scripts: 0, connections: 0, malicious: 0 })
  }
  return uses
}

/** All others are about code without a URL, or change what the sources beside them mean. */
const namesResources = (source: Source): boolean =>
  source.kind === 'host' ||
  source.kind === 'scheme' ||
  (source.kind === 'keyword' && source.keyword === 'self')

function countUses(uses: Uses, resource: FoundResource, pages: readonly DecidedPage[]): void {
  const used = new Set<string>()
  for (const { decisions } of pages)
    for (const [, { directive, source }] of decisions)
      if (directive !== undefined && source !== undefined) used.add(useKey(directive, source))
  for (const key of used) {
    const use = uses.get(key)
    if (use === undefined) continue
    if (resource.kind === 'script') use.scripts += 1
    else use.connections += 1
    if (resource.isMalicious) use.malicious += 1
  }
}

const decisionsOf = (policy: ParsedPolicy, load: Load, page: string): (readonly [Engine, Decision])[] =>
  ENGINES.map((engine) => [engine, decide(policy, load, { page, reading: engine })] as const)

/** Connections are stored by scheme and host only, unless the zone asks for more. */
const lacksPath = ({ kind, url }: FoundResource): boolean =>
  kind === 'connection' && /^[a-z]+:\/\/[^/]+$/.test(url)

/** After a redirect, paths are not compared: decides by scheme, host and port alone. */
function isAllowedByOrigin(policy: ParsedPolicy, resource: FoundResource, page: string): boolean {
  const load = { ...loadOf(resource), isRedirected: true }
  return decisionsOf(policy, load, page).some(([, { isAllowed }]) => isAllowed)
}

const WITHOUT_URL: readonly (readonly [Forbidden, Load])[] = [
  ['inline_scripts', { kind: 'inline', directive: 'script-src-elem' }],
  ['inline_handlers', { kind: 'inline', directive: 'script-src-attr' }],
  ['eval', { kind: 'eval' }],
  ['wasm', { kind: 'wasm-eval' }],
]

/** All browser engines agree on these. */
function forbiddenBy(policy: ParsedPolicy): Forbidden[] {
  const situation = { page: 'https://example.com/', reading: 'specification' } as const
  return WITHOUT_URL.filter(([, load]) => !decide(policy, load, situation).isAllowed).map(([name]) => name)
}
