// What the firewall would do with a request, and why. Zonereeve's own, outside the vendor's paths.
import { Type, type Static } from 'typebox'
import { operation } from './operation.ts'
import { nullable, objectId, oneOf } from './primitives.ts'
import { RULE_ACTIONS } from './rulesets.ts'

const WireRulePlace = Type.Object({
  level: oneOf(['account', 'zone']),
  phase: Type.String(),
  ruleset_id: Type.String(),
  rule_id: Type.String(),
  ref: Type.Optional(Type.String({ description: 'Not of an account’s own rules.' })),
  description: Type.Optional(Type.String({ description: 'Not of an account’s own rules.' })),
})

const WireStep = Type.Object(
  {
    ...WireRulePlace.properties,
    action: oneOf(RULE_ACTIONS, { description: 'With overrides applied.' }),
    outcome: oneOf(['passed', 'matched', 'counted', 'skipped'], {
      description:
        '`passed`: nothing matched. `counted`: it matched, and the action waits for the rate limit. `skipped`: an earlier rule left it out.',
    }),
    because: Type.Optional(
      Type.Array(Type.String(), { description: 'The parts of the expression that decided.' }),
    ),
    detected: Type.Optional(
      Type.Object(
        { field: Type.String(), excerpt: Type.String() },
        { description: 'What a managed rule found.' },
      ),
    ),
    score: Type.Optional(
      Type.Integer({ description: 'What the rule added to the score; of the rule that judges, the sum.' }),
    ),
  },
  { $id: 'FirewallStep', title: 'FirewallStep' },
)

const response = nullable(
  Type.Object(
    {
      status_code: Type.Integer(),
      content_type: Type.Optional(Type.String()),
      content: Type.Optional(Type.String()),
      location: Type.Optional(Type.String()),
    },
    { description: 'What the client is sent; null where the request goes on to the origin.' },
  ),
)

const WireVerdict = Type.Object(
  {
    action: Type.String({
      description: '`allow`, or the action that ended the request.',
      examples: ['block'],
    }),
    ended_by: nullable(WireRulePlace),
    response,
    skipped_products: Type.Array(Type.String()),
    steps: Type.Array(WireStep, { description: 'In the order in which rules were come to.' }),
  },
  { $id: 'FirewallVerdict', title: 'FirewallVerdict' },
)
export type WireVerdict = Static<typeof WireVerdict>

const ruleId = nullable(Type.String({ description: 'The rule that decided.' }))

const WireFirewallTrace = Type.Object(
  {
    migration_state: oneOf(['start', 'validation', 'done']),
    effective: Type.Object(
      {
        action: Type.String({ examples: ['allow', 'log', 'managed_challenge', 'block'] }),
        by: nullable(oneOf(['new', 'old'])),
        rule_id: ruleId,
      },
      {
        description: 'The new rules are asked first; what they let go on, the previous ones may stop.',
      },
    ),
    new: WireVerdict,
    old: Type.Object({
      inactive: nullable(
        oneOf(['migrated', 'plan', 'setting', 'skip_rule', 'page_rule', 'firewall_rule'], {
          description: 'Why the previous managed rules do not act; null where they do.',
        }),
      ),
      inactive_by: nullable(Type.String({ description: 'That page rule or firewall rule.' })),
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
          detected: Type.Object({ field: Type.String(), excerpt: Type.String() }),
        }),
      ),
    }),
  },
  {
    $id: 'FirewallTrace',
    title: 'FirewallTrace',
    description: '`new` is the product of rulesets, `old` the previous managed rules.',
  },
)
export type WireFirewallTrace = Static<typeof WireFirewallTrace>

/** A request as somebody describes it. */
const describedRequest = {
  method: Type.Optional(Type.String({ pattern: "^[A-Za-z0-9!#$%&'*+.^_`|~-]{1,32}$", default: 'GET' })),
  url: Type.String({ maxLength: 32_768, examples: ['https://www.example.com/search?q=1'] }),
  http_version: Type.Optional(oneOf(['HTTP/1.0', 'HTTP/1.1', 'HTTP/2', 'HTTP/3'], { default: 'HTTP/1.1' })),
  headers: Type.Optional(
    Type.Record(Type.String(), Type.Union([Type.String(), Type.Array(Type.String())]), {
      description: 'Values by name; a list for several lines of one name.',
      examples: [{ 'user-agent': 'curl/8.0' }],
    }),
  ),
  body: Type.Optional(Type.String({ description: 'Text, sent in UTF-8.' })),
  body_base64: Type.Optional(Type.String({ description: 'Octets, in place of `body`.' })),
  ip: Type.Optional(Type.String({ description: 'Address of the client.', default: '192.0.2.1' })),
}

/** Bodies of requests are inspected up to 128 KiB; what is told of one may be larger by its encoding. */
const MAX_DESCRIBED_BYTES = 2 * 1_048_576

export const firewallTrace = {
  trace: operation({
    id: 'firewall.trace',
    method: 'POST',
    path: '/zonereeve/zones/{zone_id}/firewall/trace',
    summary: 'Ask what the firewall would do with a request',
    description:
      'Looks at redirects, custom rules, rate limits and managed rules, of the account and of the zone. Nothing is sent, counted or changed.',
    tag: 'Rulesets',
    permission: { on: 'zone', anyOf: ['Zone WAF Read', 'Zone WAF Write'] },
    asks: true,
    params: Type.Object({ zone_id: objectId('the zone') }),
    maxBodyBytes: MAX_DESCRIBED_BYTES,
    body: Type.Object(
      {
        ...describedRequest,
        planned: Type.Optional(
          Type.Boolean({
            default: false,
            description:
              'Whether the new managed rules are those that the migration would deploy, in the place of those that there are.',
          }),
        ),
        steps: Type.Optional(
          oneOf(['all', 'matched'], { default: 'all', description: 'Which rules the reply tells of.' }),
        ),
      },
      { additionalProperties: false },
    ),
    result: WireFirewallTrace,
  }),
}

const migrationState = oneOf(['start', 'validation', 'done'])

const WireFirewallDecision = Type.Object(
  {
    ray_id: Type.String({
      pattern: '^[0-9a-f]{16}$',
      description: 'Names this request: 16 hexadecimal digits.',
    }),
    migration_state: migrationState,
    action: Type.String({
      description: 'What is done with the request; `allow` and `log` let it go on.',
      examples: ['allow', 'log', 'managed_challenge', 'block'],
    }),
    ended_by: nullable(
      Type.Object(
        {
          product: oneOf(['new', 'old'], { description: '`old`: the previous managed rules.' }),
          rule_id: Type.String(),
          level: Type.Optional(WireRulePlace.properties.level),
          phase: Type.Optional(Type.String()),
          ruleset_id: Type.Optional(Type.String()),
          ref: WireRulePlace.properties.ref,
          description: WireRulePlace.properties.description,
        },
        { description: 'The rule that ended the request; null where it goes on.' },
      ),
    ),
    response,
    skipped_products: Type.Array(Type.String()),
    recorded: Type.Boolean({ description: 'Whether there is a security event of it.' }),
  },
  { $id: 'FirewallDecision', title: 'FirewallDecision' },
)
export type WireFirewallDecision = Static<typeof WireFirewallDecision>

export const firewallDecisions = {
  decide: operation({
    id: 'firewall.decide',
    method: 'POST',
    path: '/zonereeve/zones/{zone_id}/firewall/decide',
    summary: 'Decide about a request, and record it',
    description:
      'Asks the rules that act in the zone now, and stops at the first that ends the request. Where a rule ended or logged it, a security event is stored before the reply. For proxies and tests; rate limits are not counted.',
    tag: 'Rulesets',
    permission: { on: 'zone', anyOf: ['Zone WAF Write'] },
    params: Type.Object({ zone_id: objectId('the zone') }),
    maxBodyBytes: MAX_DESCRIBED_BYTES,
    body: Type.Object(describedRequest, { additionalProperties: false }),
    result: WireFirewallDecision,
  }),
}
