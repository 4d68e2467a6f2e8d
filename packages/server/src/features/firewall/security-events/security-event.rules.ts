// Security events: what the firewall did about a request, and which parts of the request are stored.
import { formatIpv4, formatIpv6, parseIpv4, parseIpv6 } from '@zonereeve/dns'
import {
  EVENT_ACTIONS,
  EVENT_SOURCES,
  type EventAction,
  type EventSource,
  type LoggedFields,
} from '@zonereeve/firewall'
import type { Issue } from '@zonereeve/platform'

export interface SecurityEvent {
  /** 16 hexadecimal digits. */
  readonly rayId: string
  readonly at: string
  readonly action: EventAction
  readonly source: EventSource
  /** null, like phase and ruleset, for the legacy managed rules. */
  readonly level: 'account' | 'zone' | null
  readonly phase: string | null
  readonly rulesetId: string | null
  readonly ruleId: string
  /** null for an account's own rules, like the expression. */
  readonly description: string | null
  readonly expression: string | null
  /** The field in which a managed rule matched. */
  readonly matchedField: string | null
  /** A field of which managed rules did not inspect a part; null also for events of older versions. */
  readonly uninspectedField: string | null
  readonly method: string
  readonly host: string
  readonly path: string
  readonly ip: string
  /** null if the request did not reach the origin, or its adapter does not see responses. */
  readonly originStatus: number | null
  /** What rules add; null if none does. */
  readonly loggedFields: LoggedFields | null
}

/** Maximum stored characters of a path. */
export const MAX_PATH_CHARACTERS = 1_024

/**
 * The stored parts of a request. Queries can contain names, tokens and search terms: they are left out, as are
 * all headers and the body.
 *
 * @param host may have a port, which is left out.
 * @param target path and query.
 */
export function keptOf(
  method: string,
  host: string,
  target: string,
  ip: string,
): Pick<SecurityEvent, 'method' | 'host' | 'path' | 'ip'> {
  return {
    method,
    host: host.replace(/:\d+$/, '').toLowerCase(),
    path: keptPath(target.replace(/\?.*$/s, '')),
    ip: canonicalIp(ip) ?? ip,
  }
}

/** The stored part of a path, without NUL: not every database can store it. */
export const keptPath = (path: string): string => path.replaceAll('\0', '�').slice(0, MAX_PATH_CHARACTERS)

/** Canonical form of an address, without the prefix of IPv4-mapped ones; undefined if it is not an address. */
export function canonicalIp(text: string): string | undefined {
  const v4 = parseIpv4(text)
  if (v4 !== undefined) return formatIpv4(v4)
  const v6 = parseIpv6(text)
  return v6 && formatIpv6(v6).replace(/^::ffff:(?=[0-9.]+$)/, '')
}

/** Selects events; all conditions must hold. Times are in the format of the store. */
export interface EventFilter {
  readonly action?: EventAction
  readonly source?: EventSource
  readonly ruleId?: string
  readonly rulesetId?: string
  readonly rayId?: string
  readonly host?: string
  readonly path?: string
  readonly method?: string
  readonly ip?: string
  readonly since?: string
  readonly until?: string
  /** Values that an event must not have. */
  readonly not?: Excluded
}

/** What can be excluded. */
export const EXCLUDABLE = ['action', 'source', 'ruleId', 'rulesetId', 'host', 'path', 'method', 'ip'] as const
export type ExcludableMember = (typeof EXCLUDABLE)[number]
export type Excluded = { readonly [Member in ExcludableMember]?: readonly string[] }

/** Lists of values as they were sent, by member. */
export type SentExclusions = { readonly [Member in ExcludableMember]?: string }

const MAX_EXCLUDED = 50

/** The names in requests. */
const PARAMETERS: Readonly<Record<ExcludableMember, string>> = {
  action: 'action.not',
  source: 'source.not',
  ruleId: 'rule_id.not',
  rulesetId: 'ruleset_id.not',
  host: 'host.not',
  path: 'path.not',
  method: 'method.not',
  ip: 'ip.not',
}

const canonical = (value: string): string => value
/** The form that stored events have; undefined if no event can have the value. */
const READ_EXCLUDED: Readonly<Record<ExcludableMember, (value: string) => string | undefined>> = {
  action: (value) => EVENT_ACTIONS.find((known) => known === value),
  source: (value) => EVENT_SOURCES.find((known) => known === value),
  ruleId: canonical,
  rulesetId: canonical,
  host: (value) => value.toLowerCase(),
  path: keptPath,
  method: canonical,
  ip: canonicalIp,
}

/** Values that no event can have are rejected: a typing error would exclude nothing. */
export function readExclusions(sent: SentExclusions): {
  readonly not: Excluded
  readonly issues: readonly Issue[]
} {
  const not: Record<string, readonly string[]> = {}
  const issues: Issue[] = []
  for (const member of EXCLUDABLE) {
    const list = sent[member]
    if (list === undefined) continue
    const name = PARAMETERS[member]
    const values = splitList(list)
    const read = values.map(READ_EXCLUDED[member])
    const wrong = values.find((value, index) => value === '' || read[index] === undefined)
    if (wrong !== undefined)
      issues.push(invalid(`/${name}`, `${name} must not contain ${JSON.stringify(wrong)}`))
    else if (values.length > MAX_EXCLUDED)
      issues.push(invalid(`/${name}`, `${name} must have at most ${MAX_EXCLUDED} values`))
    else not[member] = read.filter((value) => value !== undefined)
  }
  return { not, issues }
}

/** At commas without a backslash before them. */
export const splitList = (list: string): string[] =>
  list.split(/(?<!\\),/).map((value) => value.replaceAll('\\,', ','))

/** Converts the conditions of a request to the canonical form that stored events have. */
export function readFilter(conditions: EventFilter): {
  readonly filter: EventFilter
  readonly issues: readonly Issue[]
} {
  const { ip, since, until, host, path, ...rest } = conditions
  const issues: Issue[] = []
  const address = ip === undefined ? undefined : canonicalIp(ip)
  if (ip !== undefined && address === undefined) issues.push(invalid('/ip', 'ip must be an IP address'))
  const from = readTime('since', since, issues)
  const to = readTime('until', until, issues)
  if (from !== undefined && to !== undefined && from > to)
    issues.push(invalid('/until', 'until must not be before since'))
  const filter = {
    ...rest,
    ...(address === undefined ? {} : { ip: address }),
    ...(host === undefined ? {} : { host: host.toLowerCase() }),
    ...(path === undefined ? {} : { path: keptPath(path) }),
    ...(from === undefined ? {} : { since: from }),
    ...(to === undefined ? {} : { until: to }),
  }
  return { filter, issues }
}

const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.(\d+))?(?:Z|[+-]\d\d:\d\d)$/

/** In UTC with microseconds, as stored, so that string order is time order. */
function readTime(name: string, text: string | undefined, issues: Issue[]): string | undefined {
  if (text === undefined) return undefined
  const millis = Date.parse(text)
  const [, fraction = ''] = TIME.exec(text) ?? []
  const year = Number.isNaN(millis) ? -1 : new Date(millis).getUTCFullYear()
  // Years outside this range have another format, which does not sort as a string.
  if (year < 0 || year > 9_999) {
    issues.push(invalid(`/${name}`, `${name} must be a time in ISO 8601`))
    return undefined
  }
  const micros = fraction.padEnd(6, '0').slice(0, 6)
  return `${new Date(millis).toISOString().slice(0, 19)}.${micros}Z`
}

const invalid = (pointer: string, problem: string): Issue => ({
  reason: 'request.invalid',
  pointer,
  values: { problem },
})

/** The last event of a page. */
export interface EventPlace {
  readonly at: string
  readonly number: number
}

export const writeCursor = ({ at, number }: EventPlace): string =>
  Buffer.from(`${at} ${number}`).toString('base64url')

export function readCursor(cursor: string): EventPlace | Issue {
  const text = Buffer.from(cursor, 'base64url').toString('latin1')
  const [, at, number] = /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z) (\d{1,15})$/.exec(text) ?? []
  if (at === undefined) return invalid('/cursor', 'cursor must be from a previous page of this list')
  return { at, number: Number(number) }
}
