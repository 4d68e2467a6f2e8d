// Simulates which detected resources a policy would block, per browser.
import {
  decide,
  ENGINES,
  parsePolicy,
  type Decision,
  type Engine,
  type Load,
  type Policy as ParsedPolicy,
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

export interface Simulation {
  readonly checked: number
  readonly blocked: readonly BlockedResource[]
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
  for (const resource of resources) {
    const one = blockedPage(policy, resource)
    if (one !== undefined) blocked.push(one)
    yield
  }
  return { checked: resources.length, blocked, forbidden: forbiddenBy(policy) }
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

function blockedPage(policy: ParsedPolicy, resource: FoundResource): BlockedResource | undefined {
  let worst: BlockedResource | undefined
  for (const pageUrl of resource.pageUrls) {
    const page = pageAddress(pageUrl, resource.url)
    const decisions = decisionsOf(policy, loadOf(resource), page)
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
