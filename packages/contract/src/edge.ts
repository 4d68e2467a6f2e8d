// What an enforcing edge needs of its server: the zones it decides for, their configuration, and a place for its
// events. A Zonereeve extension, outside the vendor's paths.
import { Type, type Static } from 'typebox'
import { MAX_COUNTED_SCORE } from './anomaly-scores.ts'
import { operations } from './operation.ts'
import { closedObject, namedObject, nullable, objectId, oneOf, timestamp } from './primitives.ts'
import { EVENT_ACTIONS, EVENT_SOURCES, WireLoggedFields } from './security-events.ts'

/** Maximum events of one request. */
export const MAX_ACTIVITY_EVENTS = 200
/** Longest wait for a change, in seconds. */
export const MAX_EDGE_WAIT = 25
const MAX_ACTIVITY_BYTES = 8_388_608

const WireEdgeZones = namedObject('EdgeZones', {
  cursor: Type.String({ description: 'For the next request, which can wait until something differs.' }),
  core_rule_set: nullable(
    Type.String({ description: 'Identifies the imported Core Rule Set; null if there is none.' }),
  ),
  zones: Type.Array(
    Type.Object({
      id: objectId('the zone'),
      version: Type.String({ description: 'Differs whenever the configuration may differ.' }),
    }),
  ),
})
export type WireEdgeZones = Static<typeof WireEdgeZones>

const WireEdgeConfiguration = namedObject('EdgeConfiguration', {
  format: Type.Integer({ description: 'Version of this document’s format.' }),
  id: objectId('the zone'),
  name: Type.String(),
  plan: Type.String({ description: 'As the field `cf.zone.plan` has it.' }),
  version: Type.String(),
  configuration: Type.Unknown({
    description: 'Rulesets of the zone and its account, and the legacy WAF. For an edge of the same version.',
  }),
  pages: Type.Optional(
    Type.Unknown({ description: 'Policies and monitoring of pages. For an edge of the same version.' }),
  ),
  origins: Type.Array(
    Type.Object({ name: Type.String(), type: oneOf(['A', 'AAAA', 'CNAME']), content: Type.String() }),
    { description: 'The proxied records.' },
  ),
})

const WireEdgeCoreRuleSet = namedObject('EdgeCoreRuleSet', {
  id: Type.String({ description: 'As in the list of zones.' }),
  rule_set: Type.Unknown({ description: 'The rules as data. For an edge of the same version.' }),
})

const limitText = (maxLength: number, description: string) => Type.String({ maxLength, description })

const WireActivityEvent = closedObject({
  ray_id: Type.String({ pattern: '^[0-9a-f]{16}$', must: 'be 16 hexadecimal digits, in lower case' }),
  occurred_at: timestamp('When it was decided; a time in the future counts as now.'),
  action: oneOf(EVENT_ACTIONS),
  source: oneOf(EVENT_SOURCES),
  level: nullable(oneOf(['account', 'zone'])),
  phase: nullable(limitText(64, 'Of the rule.')),
  ruleset_id: nullable(limitText(32, 'Of the rule.')),
  rule_id: limitText(64, 'The rule.'),
  description: nullable(limitText(1_024, 'Of the rule.')),
  expression: nullable(limitText(8_192, 'Of the rule.')),
  matched_field: nullable(limitText(256, 'Where a managed rule detected something.')),
  uninspected_field: Type.Optional(
    nullable(limitText(256, 'A field of which managed rules did not inspect a part.')),
  ),
  method: limitText(256, 'Of the request.'),
  host: limitText(512, 'Of the request.'),
  target: limitText(4_096, 'Path of the request; a query is not stored.'),
  ip: limitText(64, 'Client address.'),
  origin_status: Type.Optional(Type.Integer({ minimum: 100, maximum: 999, description: 'Of the response.' })),
  logged_fields: Type.Optional(WireLoggedFields),
})
export type WireActivityEvent = Static<typeof WireActivityEvent>

const WireSeenCookie = closedObject({
  page_url: limitText(2_048, 'The page, without a query.'),
  set_cookie: Type.Optional(limitText(2_048, 'The header of a response, with an empty value.')),
  name: Type.Optional(limitText(1_024, 'Of a cookie that a browser sent.')),
})
export type WireSeenCookie = Static<typeof WireSeenCookie>

/** Maximum cookies of one request. */
export const MAX_SEEN_COOKIES = 200

/** Watched URLs have fewer characters before they are percent-encoded. */
const MAX_SEEN_URL = 20_480
const MAX_SEEN_HEADERS = 100
/** Maximum watched pages of one request. */
const MAX_SEEN_PAGES = 10

const WireSeenPage = closedObject({
  url: limitText(MAX_SEEN_URL, 'As it is watched.'),
  headers: Type.Array(
    closedObject({ name: limitText(64, 'Of the header.'), value: limitText(8_192, 'Of the header.') }),
    { maxItems: MAX_SEEN_HEADERS, description: 'The security-relevant ones, without cookies.' },
  ),
})

const CountedAmount = Type.Object({
  zone_id: objectId('the zone'),
  key: Type.String({ minLength: 1, maxLength: 4_096, description: 'Rule and client, as edges name them.' }),
  period_ms: Type.Integer({ minimum: 1, maximum: 86_400_000 }),
  amount: Type.Integer({ minimum: 1, maximum: 1_000_000_000 }),
})

/** Maximum counts of one exchange. */
const MAX_EXCHANGED_COUNTS = 1_000

const permission = { on: 'zone', anyOf: ['Edge Decide'] } as const

export const edge = operations(
  'edge',
  { tag: 'Edge', params: { zone_id: objectId('the zone') } },
  {
    zones: {
      route: 'GET /zonereeve/edge/zones',
      summary: 'List the zones of an edge and the versions of their configurations',
      description:
        'Lists the zones on which the caller has the permission Edge Decide. With the cursor of an earlier reply, the reply waits for up to `wait` seconds until something has changed.',
      permission: { on: 'credential' },
      query: Type.Object({
        cursor: Type.Optional(Type.String({ maxLength: 64 })),
        wait: Type.Optional(Type.Integer({ minimum: 0, maximum: MAX_EDGE_WAIT })),
      }),
      result: WireEdgeZones,
    },
    coreRuleSet: {
      route: 'GET /zonereeve/edge/core_rule_set',
      summary: 'Get the imported Core Rule Set',
      description: 'For callers that have the permission Edge Decide on any zone.',
      permission: { on: 'credential' },
      result: nullable(WireEdgeCoreRuleSet),
    },
    configuration: {
      route: 'GET /zonereeve/zones/{zone_id}/edge/configuration',
      summary: 'Get what an edge needs to decide about the requests to a zone',
      permission,
      result: WireEdgeConfiguration,
    },
    exchangeCounts: {
      isAutomatic: true,
      route: 'POST /zonereeve/edge/counts',
      summary: 'Exchange the counts of rate limits with other edges',
      description:
        'Takes what this edge has counted, and returns what others have counted since its last exchange. Counts are kept in memory for five seconds. Counts of zones on which the caller lacks the permission Edge Decide are ignored.',
      permission: { on: 'credential' },
      maxBodyBytes: MAX_ACTIVITY_BYTES,
      body: closedObject({
        edge: Type.String({ minLength: 1, maxLength: 64, description: 'Tells this edge from others.' }),
        after: Type.Optional(Type.Integer({ minimum: 0, description: 'The cursor of the last reply.' })),
        counts: Type.Array(CountedAmount, { maxItems: MAX_EXCHANGED_COUNTS }),
      }),
      result: Type.Object({ cursor: Type.Integer(), counts: Type.Array(CountedAmount) }),
    },
    activity: {
      isAutomatic: true,
      route: 'POST /zonereeve/zones/{zone_id}/edge/activity',
      summary: 'Store the security events of an edge',
      description:
        'All of them are stored before the reply is sent. Events whose ray ID is already stored are skipped, so that a request can be repeated.',
      permission,
      maxBodyBytes: MAX_ACTIVITY_BYTES,
      body: closedObject({
        events: Type.Array(WireActivityEvent, { maxItems: MAX_ACTIVITY_EVENTS }),
        dropped: Type.Optional(
          Type.Integer({
            minimum: 0,
            description: 'Events that the edge had no room for; the others are a sample.',
          }),
        ),
        cookies: Type.Optional(
          Type.Array(WireSeenCookie, {
            maxItems: MAX_SEEN_COOKIES,
            description: 'Names and attributes of cookies, for the inventory of monitoring.',
          }),
        ),
        pages: Type.Optional(
          Type.Array(WireSeenPage, {
            maxItems: MAX_SEEN_PAGES,
            description: 'Watched pages as they were sent to visitors, for the comparison of their headers.',
          }),
        ),
        scores: Type.Optional(
          Type.Array(
            Type.Object({
              score: Type.Integer({ minimum: 1, maximum: MAX_COUNTED_SCORE }),
              requests: Type.Integer({ minimum: 1, maximum: 1_000_000_000 }),
            }),
            { maxItems: MAX_COUNTED_SCORE, description: 'Requests by their anomaly score.' },
          ),
        ),
      }),
      result: Type.Object({ recorded: Type.Integer() }),
    },
  },
)
