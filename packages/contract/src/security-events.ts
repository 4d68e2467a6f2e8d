// Security events: one for each request that a firewall rule ended or logged. A Zonereeve extension, outside the
// vendor's paths.
import { Type, type Static } from 'typebox'
import { operations } from './operation.ts'
import { namedObject, nullable, objectId, oneOf, perPage, timestamp } from './primitives.ts'

/** Actions that create events. */
export const EVENT_ACTIONS = [
  'block',
  'challenge',
  'force_connection_close',
  'js_challenge',
  'log',
  'managed_challenge',
  'redirect',
  'skip',
] as const

/** The part of the firewall, with the names of the vendor's analytics; redirects are not in its list. */
export const EVENT_SOURCES = [
  'asn',
  'bic',
  'bulkRedirect',
  'country',
  'dynamicRedirect',
  'firewallCustom',
  'firewallManaged',
  'hot',
  'ip',
  'ipRange',
  'l7ddos',
  'ratelimit',
  'securityLevel',
  'uaBlock',
  'waf',
  'zoneLockdown',
] as const

const action = oneOf(EVENT_ACTIONS)
const source = oneOf(EVENT_SOURCES, {
  description:
    'IP access rules (`ip`, `ipRange`, `asn`, `country`), redirects from lists, redirect rules, custom rules, managed rulesets, HTTP DDoS rules, rate limits, the browser integrity check (`bic`), hotlink protection (`hot`), the security level, user-agent rules (`uaBlock`), zone lockdown, or (`waf`) the legacy managed rules.',
})
const rayId = Type.String({
  pattern: '^[0-9a-f]{16}$',
  must: 'be 16 hexadecimal digits, in lower case',
  description: 'The identifier in the reply to the decision.',
})

const MAX_FIELDS = 1_000
const fieldValue = Type.String({ maxLength: 1_024 })
const fieldValues = (description: string) =>
  Type.Record(Type.String(), Type.Union([fieldValue, Type.Array(fieldValue, { maxItems: MAX_FIELDS })]), {
    description,
    maxProperties: MAX_FIELDS,
  })

/** What rules of the phase http_log_custom_fields add to the event of a request. */
export const WireLoggedFields = namedObject('LoggedFields', {
  request_headers: fieldValues('By their names in lower case; a list if the rule keeps repeated ones apart.'),
  response_headers: fieldValues('Likewise.'),
  cookies: fieldValues('Of the request.'),
  shortened: Type.Boolean({
    description: 'Whether values were cut at 1,024 characters, or left out after 4,096 in sum.',
  }),
})
export type WireLoggedFields = Static<typeof WireLoggedFields>

const WireSecurityEvent = namedObject('SecurityEvent', {
  ray_id: rayId,
  occurred_at: timestamp('When it was decided.'),
  action,
  source,
  level: nullable(oneOf(['account', 'zone'])),
  phase: nullable(Type.String({ examples: ['http_request_firewall_custom'] })),
  ruleset_id: nullable(Type.String({ description: 'Of the rule; null for the legacy managed rules.' })),
  rule_id: Type.String({ examples: ['6179ae15870a4bb7b2d480d4843b323c', '100005'] }),
  description: nullable(Type.String({ description: 'Of the rule; null for an account’s own rules.' })),
  expression: nullable(
    Type.String({ description: 'Of the rule; null for managed rules, and for an account’s own rules.' }),
  ),
  matched_field: nullable(Type.String({ description: 'Where a managed rule detected something.' })),
  uninspected_field: nullable(
    Type.String({
      description: 'A field of which managed rules did not inspect a part, because of a limit.',
      examples: ['http.request.body.raw'],
    }),
  ),
  method: Type.String({ examples: ['GET'] }),
  host: Type.String({ examples: ['www.example.com'] }),
  path: Type.String({ description: 'Without the query; at most its first 1,024 characters.' }),
  ip: Type.String({ description: 'Client address.', examples: ['203.0.113.9'] }),
  origin_status: nullable(
    Type.Integer({
      description:
        'What the origin answered; null if the request did not reach it, or the adapter of the edge does not see responses.',
      examples: [200],
    }),
  ),
  logged_fields: nullable(WireLoggedFields),
})
export type WireSecurityEvent = Static<typeof WireSecurityEvent>

const text = (description: string) =>
  Type.Optional(Type.String({ minLength: 1, maxLength: 2_048, description }))

const exclusionOf = (values: string) =>
  Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 8_192,
      description: `None of these ${values}, separated by commas; a comma within one is written \`\\,\`.`,
    }),
  )

/** An event must match all of them. */
const filters = {
  action: Type.Optional(action),
  source: Type.Optional(source),
  rule_id: text('Exactly this rule.'),
  ruleset_id: text('Exactly this ruleset.'),
  ray_id: Type.Optional(rayId),
  host: text('Exactly this host, case-insensitive.'),
  path: text('Exactly this path; of paths longer than 1,024 characters, the beginning is compared.'),
  method: text('Exactly this method.'),
  ip: text('Exactly this address, in any notation.'),
  'action.not': exclusionOf('actions'),
  'source.not': exclusionOf('sources'),
  'rule_id.not': exclusionOf('rules'),
  'ruleset_id.not': exclusionOf('rulesets'),
  'host.not': exclusionOf('hosts'),
  'path.not': exclusionOf('paths'),
  'method.not': exclusionOf('methods'),
  'ip.not': exclusionOf('addresses'),
  since: Type.Optional(timestamp('At or after this time.')),
  until: Type.Optional(timestamp('Before this time.')),
}

const MAX_BARS = 200

const events = Type.Integer({ description: 'Number of events.' })

const countedValues = (description: string) =>
  Type.Array(Type.Object({ value: Type.String(), events }), { description })

const WireSecurityEventSummary = namedObject('SecurityEventSummary', {
  since: timestamp('Start of the first bar.'),
  until: timestamp('The end of the range.'),
  bar_seconds: Type.Integer({ description: 'Length of a bar.', examples: [1_200] }),
  events,
  bars: Type.Array(
    Type.Object({
      start: timestamp('Start of the bar.'),
      actions: Type.Record(Type.String(), events, { description: 'Events by action.' }),
    }),
    { description: 'Only bars with events, in the order of time.' },
  ),
  top: Type.Object(
    {
      action: countedValues('Actions.'),
      source: countedValues('Sources.'),
      rule_id: Type.Array(
        Type.Object({ value: Type.String(), description: nullable(Type.String()), source, events }),
        { description: 'Rules, with the description that they had last.' },
      ),
      host: countedValues('Hosts.'),
      path: countedValues('Paths.'),
      method: countedValues('Methods.'),
      ip: countedValues('Client addresses.'),
    },
    { description: 'The most frequent values, at most 10 of each.' },
  ),
})
export type WireSecurityEventSummary = Static<typeof WireSecurityEventSummary>

/** Events in one reply of the export. */
export const MAX_EXPORTED_EVENTS = 10_000

const section = { tag: 'Rulesets', params: { zone_id: objectId('the zone') } }
const reading = { on: 'zone', anyOf: ['Zone WAF Read', 'Zone WAF Write'] } as const
const cursor = Type.Optional(Type.String({ minLength: 1, description: 'End of the previous page.' }))

export const securityEvents = operations('security_events', section, {
  list: {
    route: 'GET /zonereeve/zones/{zone_id}/security/events',
    summary: 'List security events, newest first',
    description: 'An event must match all filters.',
    permission: reading,
    query: Type.Object({ ...filters, per_page: perPage(1, 1_000, 50), cursor }),
    result: WireSecurityEvent,
    list: 'cursor',
  },
  summary: {
    route: 'GET /zonereeve/zones/{zone_id}/security/events/summary',
    summary: 'Count security events over time, and by their most frequent values',
    description:
      'Counts the events that the list has for the same filters. Without `since`, from the oldest event that is kept; without `until`, up to now.',
    permission: reading,
    query: Type.Object({
      ...filters,
      bars: Type.Optional(
        Type.Integer({
          minimum: 1,
          maximum: MAX_BARS,
          default: 72,
          description: 'Maximum number of bars. Their length is a round one, such as 20 minutes.',
        }),
      ),
    }),
    result: WireSecurityEventSummary,
  },
  export: {
    route: 'GET /zonereeve/zones/{zone_id}/security/events/export',
    summary: 'Export security events as NDJSON',
    description: `The events that the list has for the same filters, newest first, at most ${MAX_EXPORTED_EVENTS} in a reply. For older ones, send the time of the last one as \`until\`.`,
    permission: reading,
    query: Type.Object(filters),
    result: Type.String({ description: 'One JSON object in a line for each event.' }),
    files: ['application/x-ndjson'],
    filesOnly: true,
  },
})
