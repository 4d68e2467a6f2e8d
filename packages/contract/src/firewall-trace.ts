// What the firewall would do with a request, and why. Zonereeve's own, outside the vendor's paths.
import { Type, type Static } from 'typebox'
import { operation } from './operation.ts'
import { nullable, objectId, oneOf } from './primitives.ts'
import { RULE_ACTIONS, RULESET_PHASES } from './rulesets.ts'

const line = { pattern: '^[^\\r\\n\\u0000]*$' }

const FirewallTraceRequest = Type.Object(
  {
    method: Type.Optional(Type.String({ pattern: "^[!#$%&'*+.^_`|~0-9A-Za-z-]{1,64}$", default: 'GET' })),
    url: Type.String({
      maxLength: 32_768,
      description: 'As it is requested, with scheme and host; its path is not normalised.',
      examples: ['https://www.example.com/item?id=1'],
    }),
    http_version: Type.Optional(oneOf(['HTTP/1.0', 'HTTP/1.1', 'HTTP/2', 'HTTP/3'], { default: 'HTTP/1.1' })),
    headers: Type.Optional(
      Type.Record(Type.String(), Type.Union([Type.String(line), Type.Array(Type.String(line))]), {
        maxProperties: 500,
        examples: [{ 'user-agent': 'curl/8.0' }],
      }),
    ),
    body: Type.Optional(Type.String({ description: 'Sent as UTF-8.' })),
    body_base64: Type.Optional(
      Type.String({ pattern: '^[A-Za-z0-9+/]*={0,2}$', description: 'In the place of `body`, for octets.' }),
    ),
    planned: Type.Optional(
      Type.Boolean({
        default: false,
        description:
          'Whether the new managed rules are those that the migration would deploy, in the place of those that there are.',
      }),
    ),
    ip: Type.Optional(Type.String({ description: 'Address of the client.', default: '192.0.2.1' })),
  },
  { additionalProperties: false },
)
export type FirewallTraceRequest = Static<typeof FirewallTraceRequest>

const detected = Type.Object({
  field: Type.String({ examples: ['http.request.uri.args["id"]'] }),
  excerpt: Type.String(),
})
const ruleId = nullable(Type.String({ description: 'The rule that decided.' }))

const WireFirewallTrace = Type.Object(
  {
    migration_state: oneOf(['start', 'validation', 'done']),
    effective: Type.Object(
      {
        action: Type.String({ examples: ['pass', 'log', 'managed_challenge', 'block'] }),
        by: nullable(oneOf(['new', 'old'])),
        rule_id: ruleId,
        ruleset_id: nullable(Type.String()),
      },
      {
        description:
          'What is done: the new rules are asked first; what they let go on, the previous ones may stop.',
      },
    ),
    new: Type.Object({
      action: oneOf(['pass', ...RULE_ACTIONS]),
      rule_id: ruleId,
      ruleset_id: nullable(Type.String()),
      steps: Type.Array(
        Type.Object({
          phase: oneOf(RULESET_PHASES),
          ruleset_id: Type.String(),
          rule_id: Type.String(),
          action: oneOf(RULE_ACTIONS),
          description: Type.String(),
          expression: Type.Optional(Type.String()),
          outcome: oneOf(['matched', 'not_matched', 'skipped']),
          detected: Type.Optional(detected),
          score: Type.Optional(
            Type.Integer({ description: 'What it adds to the sum, or the sum that it judges.' }),
          ),
        }),
        {
          description:
            'Enabled rules of the phases custom and managed, in order; of managed rulesets those that matched. Rate limits, which count over time, are not looked at.',
        },
      ),
    }),
    old: Type.Object({
      inactive: nullable(
        Type.Object(
          {
            reason: oneOf(['migrated', 'plan', 'setting', 'skip_rule', 'page_rule', 'firewall_rule']),
            id: Type.Optional(Type.String({ description: 'The page rule or firewall rule.' })),
          },
          { description: 'Why the previous managed rules do not act; null where they do.' },
        ),
      ),
      action: oneOf(['pass', 'simulate', 'challenge', 'block']),
      rule_id: ruleId,
      total: Type.Integer({ description: 'Sum of the scores.' }),
      threshold: nullable(Type.Integer()),
      override_ids: Type.Array(Type.String()),
      matches: Type.Array(
        Type.Object({
          rule_id: Type.String(),
          new_rule_id: Type.String({ description: 'Its counterpart in the new rulesets.' }),
          description: Type.String(),
          effect: oneOf(['simulate', 'challenge', 'block', 'score', 'allow']),
          score: Type.Optional(Type.Integer()),
          detected,
        }),
      ),
    }),
  },
  { $id: 'FirewallTrace', title: 'FirewallTrace' },
)
export type WireFirewallTrace = Static<typeof WireFirewallTrace>

export const firewallTrace = {
  trace: operation({
    id: 'firewall_trace.trace',
    method: 'POST',
    path: '/zonereeve/zones/{zone_id}/firewall/trace',
    summary: 'Ask what the firewall does with a request, and why',
    description:
      'Both versions of the managed rules, rule by rule, and which of them counts. Nothing is recorded.',
    tag: 'Firewall trace',
    permission: { on: 'zone', anyOf: ['Zone WAF Read', 'Zone WAF Write'] },
    asks: true,
    params: Type.Object({ zone_id: objectId('the zone') }),
    body: FirewallTraceRequest,
    result: WireFirewallTrace,
  }),
}
