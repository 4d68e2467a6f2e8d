// HTTP routes for security events.
import {
  MAX_EXPORTED_EVENTS,
  securityEvents as operations,
  type StaticOf,
  type WireSecurityEventSummary,
} from '@zonereeve/contract'
import { route, type Route } from '../../../http/index.ts'
import type { EventSummary, SecurityEvents, SentFilter } from './security-events.service.ts'
import { toWireEvent } from './security-events.wire.ts'

const PER_PAGE = 50
const BARS = 72

export const securityEventRoutes = ({ list, summarize, newest }: SecurityEvents): Route[] => [
  route(operations.list, async ({ params, query }) => {
    const { cursor, per_page: perPage, ...filters } = query
    const page = await list(params.zone_id, toFilter(filters), cursor, perPage ?? PER_PAGE)
    const items = page.events.map((event) => JSON.stringify(toWireEvent(event))).join(',')
    return { items, after: page.after }
  }),
  route(operations.summary, async ({ params, query }) => {
    const { bars, ...filters } = query
    return { result: toWireSummary(await summarize(params.zone_id, toFilter(filters), bars ?? BARS)) }
  }),
  route(operations.export, async ({ params, query }) => {
    const events = await newest(params.zone_id, toFilter(query), MAX_EXPORTED_EVENTS)
    return {
      file: events.map((event) => `${JSON.stringify(toWireEvent(event))}\n`),
      type: 'application/x-ndjson',
      name: 'security-events.ndjson',
    }
  }),
]

type Filters = StaticOf<(typeof operations.export)['query']>

function toFilter(query: Filters): SentFilter {
  const { rule_id: ruleId, ruleset_id: rulesetId, ray_id: rayId, action, source, since, until } = query
  const { host, path, method, ip } = query
  const filter = { action, source, ruleId, rulesetId, rayId, host, path, method, ip, since, until }
  const not = {
    action: query['action.not'],
    source: query['source.not'],
    ruleId: query['rule_id.not'],
    rulesetId: query['ruleset_id.not'],
    host: query['host.not'],
    path: query['path.not'],
    method: query['method.not'],
    ip: query['ip.not'],
  }
  return { ...withoutAbsent(filter), not: withoutAbsent(not) }
}

/** Without the members that are undefined. */
const withoutAbsent = <T extends object>(members: T) =>
  Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined)) as {
    [Name in keyof T]?: Exclude<T[Name], undefined>
  }

const toWireSummary = ({ since, until, seconds, bars, top }: EventSummary): WireSecurityEventSummary => {
  const { rules, ...values } = top
  return {
    since,
    until,
    bar_seconds: seconds,
    events: bars.reduce((sum, { actions }) => sum + Object.values(actions).reduce((a, b) => a + b, 0), 0),
    bars,
    top: { ...values, rule_id: rules },
  }
}
