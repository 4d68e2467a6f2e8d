// The security-relevant headers of a page as it was served: what is compared between two times, without what differs
// with every response, and whether the policies that should have been sent were.
import { parsePolicyList, printPolicy, type Policy } from './policy.ts'
import { REPORTING_PATHS } from './policy-headers.ts'

/** One compared header; a header that was sent twice is there twice. */
export interface ServedHeader {
  /** Lower case. */
  readonly name: string
  readonly value: string
}

/** Name, then value as it was received. */
export type ReceivedHeader = readonly [name: string, value: string]

const POLICIES = ['content-security-policy', 'content-security-policy-report-only'] as const

const COMPARED: ReadonlySet<string> = new Set([
  ...POLICIES,
  'access-control-allow-credentials',
  'access-control-allow-origin',
  'cross-origin-embedder-policy',
  'cross-origin-embedder-policy-report-only',
  'cross-origin-opener-policy',
  'cross-origin-opener-policy-report-only',
  'cross-origin-resource-policy',
  'integrity-policy',
  'origin-agent-cluster',
  'permissions-policy',
  'referrer-policy',
  'set-cookie',
  'strict-transport-security',
  'x-content-type-options',
  'x-frame-options',
  'x-permitted-cross-domain-policies',
  'x-xss-protection',
])

const MAX_HEADERS = 100
const MAX_CHARACTERS = 8_192

/** Sorted by name and value. */
export function servedHeaders(received: readonly ReceivedHeader[]): readonly ServedHeader[] {
  return received
    .map(([name, value]): ReceivedHeader => [name.toLowerCase(), value])
    .filter(([name]) => COMPARED.has(name))
    .flatMap(([name, value]) => steadyValues(name, value).map((steady) => ({ name, value: steady })))
    .filter(({ value }) => value !== '')
    .toSorted((a, b) => compare(a.name, b.name) || compare(a.value, b.value))
    .slice(0, MAX_HEADERS)
    .map(({ name, value }) => ({ name, value: value.slice(0, MAX_CHARACTERS) }))
}

const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0)

function steadyValues(name: string, value: string): readonly string[] {
  if (name === 'set-cookie') return steadyCookie(value)
  if (isPolicyHeader(name)) return parsePolicyList(value).flatMap(steadyPolicy)
  return [value.trim().replaceAll(/\s+/g, ' ')]
}

const isPolicyHeader = (name: string): boolean => POLICIES.some((policy) => policy === name)

/** `sid=secret; Path=/; Max-Age=60` becomes `sid; max-age; path=/`: what is set, without value and time. */
function steadyCookie(header: string): readonly string[] {
  const [pair = '', ...rest] = header.split(';')
  const equals = pair.indexOf('=')
  if (equals < 1) return [] // a cookie without a name
  const attributes = rest
    .map((part) => part.trim())
    .filter((part) => part !== '')
    .map((part) => {
      const [name = '', ...value] = part.split('=')
      const lower = name.trim().toLowerCase()
      return lower === 'expires' || lower === 'max-age' || value.length === 0
        ? lower
        : `${lower}=${value.join('=').trim()}`
    })
  return [[pair.slice(0, equals).trim(), ...attributes.toSorted()].join('; ')]
}

/**
 * A policy without nonces and without our signed reporting addresses, which change every day. Monitoring's own policy is
 * left out: it goes with a sample of the responses.
 */
function steadyPolicy(policy: Policy): readonly string[] {
  if (isOfMonitoring(policy)) return []
  return [printSteadily(policy, true)]
}

function printSteadily({ directives }: Policy, withReporting: boolean): string {
  const printed = directives.flatMap((directive) => {
    if (!isReporting(directive.name)) return [printPolicy({ directives: [directive] })]
    if (!withReporting) return []
    const others = directive.values.map(({ text }) => text).filter((text) => !isOurs(text))
    return others.length === 0 ? [] : [[directive.name, ...others].join(' ')]
  })
  return printed.join('; ').replaceAll(/'nonce-[^'\s;]*'/gi, "'nonce-*'")
}

const isReporting = (name: string): boolean => name === 'report-uri' || name === 'report-to'

const isOurs = (value: string): boolean =>
  /^zonereeve-(?:monitoring|[0-9a-f]{32})$/.test(value) ||
  REPORTING_PATHS.some((path) => value.includes(path))

/** Its reporting address names a share of the responses (`s`) instead of a policy. */
const isOfMonitoring = ({ directives }: Policy): boolean =>
  directives.some(
    ({ name, values }) =>
      isReporting(name) &&
      values.some(
        ({ text }) =>
          text === 'zonereeve-monitoring' ||
          (REPORTING_PATHS.some((path) => text.includes(path)) && /[?&]s=\d+&/.test(text)),
      ),
  )

export interface DeployedPolicy {
  readonly id: string
  readonly action: 'allow' | 'log'
  readonly value: string
}

/** Policies that should have been sent with the page, and were not sent as they are. */
export function missingPolicies<P extends DeployedPolicy>(
  deployed: readonly P[],
  served: readonly ReceivedHeader[],
): readonly P[] {
  const sent = served.flatMap(([name, value]) =>
    parsePolicyList(value).map((policy) => `${name.toLowerCase()} ${printSteadily(policy, false)}`),
  )
  return deployed.filter(({ action, value }) => {
    const header = action === 'allow' ? POLICIES[0] : POLICIES[1]
    return !parsePolicyList(value).every((policy) =>
      sent.includes(`${header} ${printSteadily(policy, false)}`),
    )
  })
}

/** A header that is there in only one of two observations, or has another value. */
export interface HeaderChange {
  readonly name: string
  /** null = it was not there. */
  readonly before: string | null
  readonly after: string | null
}

/** What changed, by name; values of one header that did not stay are paired in their order. */
export function headerChanges(
  before: readonly ServedHeader[],
  after: readonly ServedHeader[],
): readonly HeaderChange[] {
  const names = [...new Set([...before, ...after].map(({ name }) => name))].toSorted()
  return names.flatMap((name) => {
    const old = before.filter((header) => header.name === name).map(({ value }) => value)
    const now = after.filter((header) => header.name === name).map(({ value }) => value)
    const gone = withoutEach(old, now)
    const added = withoutEach(now, old)
    return Array.from({ length: Math.max(gone.length, added.length) }, (_, index) => ({
      name,
      before: gone[index] ?? null,
      after: added[index] ?? null,
    }))
  })
}

/** A multiset difference. */
function withoutEach(values: readonly string[], others: readonly string[]): readonly string[] {
  const left = [...others]
  return values.filter((value) => {
    const at = left.indexOf(value)
    if (at >= 0) left.splice(at, 1)
    return at < 0
  })
}
