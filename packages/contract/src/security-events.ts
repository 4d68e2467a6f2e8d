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
  'bulkRedirect',
  'dynamicRedirect',
  'firewallCustom',
  'firewallManaged',
  'l7ddos',
  'ratelimit',
  'waf',
] as const

const action = oneOf(EVENT_ACTIONS)
const source = oneOf(EVENT_SOURCES, {
  description:
    'Redirects from lists, redirect rules, custom rules, managed rulesets, HTTP DDoS rules, rate limits, or (`waf`) the legacy managed rules.',
})
const rayId = Type.String({
  pattern: '^[0-9a-f]{16}$',
  description: 'The identifier in the reply to the decision.',
})

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
  method: Type.String({ examples: ['GET'] }),
  host: Type.String({ examples: ['www.example.com'] }),
  path: Type.String({ description: 'Without the query; at most its first 1,024 characters.' }),
  ip: Type.String({ description: 'Client address.', examples: ['203.0.113.9'] }),
})
export type WireSecurityEvent = Static<typeof WireSecurityEvent>

const text = (description: string) =>
  Type.Optional(Type.String({ minLength: 1, maxLength: 2_048, description }))

const section = { tag: 'Rulesets', params: { zone_id: objectId('the zone') } }

export const securityEvents = operations('security_events', section, {
  list: {
    route: 'GET /zonereeve/zones/{zone_id}/security/events',
    summary: 'List security events, newest first',
    description: 'An event must match all filters.',
    permission: { on: 'zone', anyOf: ['Zone WAF Read', 'Zone WAF Write'] },
    query: Type.Object({
      action: Type.Optional(action),
      source: Type.Optional(source),
      rule_id: text('Exactly this rule.'),
      ruleset_id: text('Exactly this ruleset.'),
      ray_id: Type.Optional(rayId),
      host: text('Exactly this host, case-insensitive.'),
      path: text('Exactly this path; of paths longer than 1,024 characters, the beginning is compared.'),
      method: text('Exactly this method.'),
      ip: text('Exactly this address, in any notation.'),
      since: Type.Optional(timestamp('At or after this time.')),
      until: Type.Optional(timestamp('Before this time.')),
      per_page: perPage(1, 1_000, 50),
      cursor: Type.Optional(Type.String({ minLength: 1, description: 'End of the previous page.' })),
    }),
    result: WireSecurityEvent,
    list: 'cursor',
  },
})
