// What the firewall did about requests, one event for each that a rule ended or logged. Zonereeve's own, outside the
// vendor's paths.
import { Type, type Static } from 'typebox'
import { operation } from './operation.ts'
import { nullable, objectId, oneOf, perPage, timestamp } from './primitives.ts'

/** What rules did that events are made of. */
export const EVENT_ACTIONS = [
  'block',
  'challenge',
  'js_challenge',
  'log',
  'managed_challenge',
  'redirect',
  'skip',
] as const

/** Which part of the firewall: names of the vendor's analytics, but for redirects, which it does not list. */
export const EVENT_SOURCES = [
  'dynamicRedirect',
  'firewallCustom',
  'firewallManaged',
  'ratelimit',
  'waf',
] as const

const action = oneOf(EVENT_ACTIONS)
const source = oneOf(EVENT_SOURCES, {
  description:
    'Redirect rules, custom rules, the new managed rules, rate limits, or (`waf`) the previous managed rules.',
})
const rayId = Type.String({ pattern: '^[0-9a-f]{16}$', description: 'What the reply to the decision named.' })

const WireSecurityEvent = Type.Object(
  {
    ray_id: rayId,
    occurred_at: timestamp('When it was decided.'),
    action,
    source,
    level: nullable(oneOf(['account', 'zone'])),
    phase: nullable(Type.String({ examples: ['http_request_firewall_custom'] })),
    ruleset_id: nullable(Type.String({ description: 'Of the rule; null for the previous managed rules.' })),
    rule_id: Type.String({ examples: ['6179ae15870a4bb7b2d480d4843b323c', '100005'] }),
    description: nullable(Type.String({ description: 'Of the rule; null for an account’s own rules.' })),
    expression: nullable(
      Type.String({ description: 'Of the rule; null for managed rules, and for an account’s own rules.' }),
    ),
    matched_field: nullable(Type.String({ description: 'Where a managed rule found something.' })),
    method: Type.String({ examples: ['GET'] }),
    host: Type.String({ examples: ['www.example.com'] }),
    path: Type.String({ description: 'Without the query; its first 1,024 characters.' }),
    ip: Type.String({ description: 'Address of the client.', examples: ['203.0.113.9'] }),
  },
  { $id: 'SecurityEvent', title: 'SecurityEvent' },
)
export type WireSecurityEvent = Static<typeof WireSecurityEvent>

const text = (description: string) =>
  Type.Optional(Type.String({ minLength: 1, maxLength: 2_048, description }))

export const securityEvents = {
  list: operation({
    id: 'security_events.list',
    method: 'GET',
    path: '/zonereeve/zones/{zone_id}/security/events',
    summary: 'List security events, newest first',
    description: 'Of several filters all must hold.',
    tag: 'Rulesets',
    permission: { on: 'zone', anyOf: ['Zone WAF Read', 'Zone WAF Write'] },
    params: Type.Object({ zone_id: objectId('the zone') }),
    query: Type.Object(
      {
        action: Type.Optional(action),
        source: Type.Optional(source),
        rule_id: text('Exactly this rule.'),
        ruleset_id: text('Exactly this ruleset.'),
        ray_id: Type.Optional(rayId),
        host: text('Exactly this host, in any case.'),
        path: text('Exactly this path; of a longer one than 1,024 characters, its beginning counts.'),
        method: text('Exactly this method.'),
        ip: text('Exactly this address, in any spelling.'),
        since: Type.Optional(timestamp('Not before this time.')),
        until: Type.Optional(timestamp('Before this time.')),
        per_page: perPage(1, 1_000, 50),
        cursor: Type.Optional(Type.String({ minLength: 1, description: 'Where the page before ended.' })),
      },
      { additionalProperties: false },
    ),
    result: WireSecurityEvent,
    list: 'cursor',
  }),
}
