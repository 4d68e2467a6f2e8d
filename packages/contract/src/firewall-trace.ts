// Shows what the firewall would do with a request, and why. A Zonereeve extension, outside the vendor's paths.
import { Type, type Static } from 'typebox'
import { operations } from './operation.ts'
import { closedObject, namedObject, nullable, objectId, oneOf } from './primitives.ts'
import { RULE_ACTIONS } from './rulesets.ts'
import { WireLoggedFields } from './security-events.ts'

const WireRulePlace = Type.Object({
  level: oneOf(['account', 'zone']),
  phase: Type.String(),
  ruleset_id: Type.String(),
  rule_id: Type.String(),
  ref: Type.Optional(Type.String({ description: 'Absent for an account’s own rules.' })),
  description: Type.Optional(Type.String({ description: 'Absent for an account’s own rules.' })),
})

const detected = Type.Object(
  {
    field: Type.String(),
    excerpt: Type.String(),
    incomplete: Type.Optional(
      Type.Boolean({ description: 'True if limits left a part of the request without inspection.' }),
    ),
  },
  { description: 'What a managed rule detected.' },
)

const WireStep = namedObject('FirewallStep', {
  ...WireRulePlace.properties,
  action: oneOf(RULE_ACTIONS, { description: 'With overrides applied.' }),
  outcome: oneOf(['passed', 'matched', 'counted', 'skipped'], {
    description:
      '`passed`: nothing matched. `counted`: it matched, but the rate limit is not reached. `skipped`: an earlier rule skipped it.',
  }),
  because: Type.Optional(
    Type.Array(Type.String(), { description: 'The parts of the expression that determined the result.' }),
  ),
  detected: Type.Optional(detected),
  score: Type.Optional(
    Type.Integer({
      description: 'What the rule added to the score; for the rule that evaluates the score, the sum.',
    }),
  ),
})

const response = nullable(
  Type.Object(
    {
      status_code: Type.Integer(),
      content_type: Type.Optional(Type.String()),
      content: Type.Optional(Type.String()),
      location: Type.Optional(Type.String()),
    },
    { description: 'The response to the client; null if the request continues to the origin.' },
  ),
)

const WireHeaderEdit = Type.Object({
  operation: oneOf(['set', 'add', 'remove']),
  name: Type.String({ description: 'In lower case.' }),
  value: Type.Optional(Type.String()),
})

const changes = nullable(
  Type.Object(
    {
      uri: nullable(Type.String({ description: 'The new path and query; null if they are as received.' })),
      request_headers: Type.Array(WireHeaderEdit, { description: 'In order, of the request to the origin.' }),
      response_headers: Type.Array(WireHeaderEdit, {
        description: 'In order, of the response. Empty if no response was described.',
      }),
      error_page: response,
    },
    { description: 'What rules change; null if the request does not continue.' },
  ),
)

const WireVerdict = namedObject('FirewallVerdict', {
  action: Type.String({
    description: '`allow`, or the action that ended the request.',
    examples: ['block'],
  }),
  ended_by: nullable(WireRulePlace),
  response,
  changes,
  uninspected_field: nullable(
    Type.String({
      description:
        'A field of which managed rules did not inspect a part, because it is beyond a limit; null if they inspected all of it, or none was executed.',
      examples: ['http.request.body.raw'],
    }),
  ),
  skipped_products: Type.Array(Type.String()),
  logged_fields: nullable(WireLoggedFields),
  steps: Type.Array(WireStep, { description: 'Rules in order of evaluation.' }),
})
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
        description:
          'Rulesets are evaluated first; requests that they let through may be stopped by the legacy managed rules.',
      },
    ),
    new: WireVerdict,
    old: Type.Object({
      inactive: nullable(
        oneOf(['migrated', 'plan', 'setting', 'skip_rule', 'page_rule', 'firewall_rule'], {
          description: 'Why the legacy managed rules are not evaluated; null if they are.',
        }),
      ),
      inactive_by: nullable(
        Type.String({ description: 'The page rule or firewall rule responsible for it.' }),
      ),
      action: oneOf(['pass', 'simulate', 'challenge', 'block']),
      rule_id: ruleId,
      total: Type.Integer({ description: 'Sum of the scores.' }),
      threshold: nullable(Type.Integer()),
      override_ids: Type.Array(Type.String()),
      matches: Type.Array(
        Type.Object({
          rule_id: Type.String(),
          new_rule_id: Type.String({ description: 'The corresponding rule in the new rulesets.' }),
          description: Type.String(),
          effect: oneOf(['simulate', 'challenge', 'block', 'score', 'allow']),
          score: Type.Optional(Type.Integer()),
          detected,
        }),
      ),
    }),
  },
  {
    $id: 'FirewallTrace',
    title: 'FirewallTrace',
    description: '`new` means rulesets, `old` the legacy managed rules.',
  },
)
export type WireFirewallTrace = Static<typeof WireFirewallTrace>

/** A request as described by the caller. */
const describedRequest = {
  method: Type.Optional(
    Type.String({
      pattern: "^[A-Za-z0-9!#$%&'*+.^_`|~-]{1,32}$",
      must: 'be the name of a method, such as GET',
      default: 'GET',
    }),
  ),
  url: Type.String({ maxLength: 32_768, examples: ['https://www.example.com/search?q=1'] }),
  http_version: Type.Optional(oneOf(['HTTP/1.0', 'HTTP/1.1', 'HTTP/2', 'HTTP/3'], { default: 'HTTP/1.1' })),
  headers: Type.Optional(
    Type.Record(Type.String(), Type.Union([Type.String(), Type.Array(Type.String())]), {
      description: 'Values by name; a list for repeated headers.',
      examples: [{ 'user-agent': 'curl/8.0' }],
    }),
  ),
  body: Type.Optional(Type.String({ description: 'Text, sent in UTF-8.' })),
  body_base64: Type.Optional(Type.String({ description: 'Octets, instead of `body`.' })),
  ip: Type.Optional(Type.String({ description: 'Client address.', default: '192.0.2.1' })),
}

const MAX_COMPARED = 200

const WireComparedVersion = Type.Object({
  action: Type.String({ examples: ['allow', 'log', 'managed_challenge', 'block'] }),
  rule_id: ruleId,
  description: nullable(Type.String({ description: 'Of that rule; null for an account’s own rules.' })),
})

const index = Type.Integer({ description: 'Position of the request in the list, from 0.' })

const WireFirewallComparison = namedObject('FirewallComparison', {
  compared: Type.Integer({ description: 'Number of requests that both versions decided.' }),
  differences: Type.Array(
    Type.Object({
      index,
      old: Type.Object(WireComparedVersion.properties, { description: 'The legacy managed rules.' }),
      new: Type.Object(WireComparedVersion.properties, { description: 'The rulesets.' }),
    }),
  ),
  rejected: Type.Array(
    Type.Object({
      index,
      problems: Type.Array(Type.String(), { description: 'Why it could not be decided.' }),
    }),
  ),
})
export type WireFirewallComparison = Static<typeof WireFirewallComparison>

/** Request bodies are inspected up to 128 KiB; the description of one may be larger because of its encoding. */
const MAX_DESCRIBED_BYTES = 2 * 1_048_576

const section = { tag: 'Rulesets', params: { zone_id: objectId('the zone') } }

export const firewallTrace = operations('firewall', section, {
  trace: {
    route: 'POST /zonereeve/zones/{zone_id}/firewall/trace',
    summary: 'Trace what the firewall would do with a request',
    description:
      'Evaluates redirects, custom rules, rate limits and managed rules, of the account and of the zone. Nothing is sent, counted or changed.',
    permission: { on: 'zone', anyOf: ['Zone WAF Read', 'Zone WAF Write'] },
    readOnly: true,
    maxBodyBytes: MAX_DESCRIBED_BYTES,
    body: closedObject({
      ...describedRequest,
      response: Type.Optional(
        closedObject({
          status_code: Type.Integer({
            minimum: 100,
            maximum: 999,
            description: 'Of the origin. Without a response, the phases that change it are not traced.',
          }),
          headers: describedRequest.headers,
        }),
      ),
      planned: Type.Optional(
        Type.Boolean({
          default: false,
          description:
            'Whether the managed rulesets that the migration would deploy are evaluated instead of the current ones.',
        }),
      ),
      steps: Type.Optional(
        oneOf(['all', 'matched'], { default: 'all', description: 'Which rules the reply contains.' }),
      ),
    }),
    result: WireFirewallTrace,
  },
  compare: {
    route: 'POST /zonereeve/zones/{zone_id}/firewall/compare',
    summary: 'List which requests both versions of the managed rules decide differently',
    description: `Decides each request like a trace. At most ${MAX_COMPARED} requests at once; send recordings in batches. One that cannot be decided does not stop the others. Nothing is sent, counted or changed.`,
    permission: { on: 'zone', anyOf: ['Zone WAF Read', 'Zone WAF Write'] },
    readOnly: true,
    maxBodyBytes: MAX_DESCRIBED_BYTES,
    body: closedObject({
      requests: Type.Array(
        closedObject({ ...describedRequest, url: Type.String({ examples: ['https://www.example.com/'] }) }),
        { minItems: 1, maxItems: MAX_COMPARED },
      ),
      planned: Type.Optional(
        Type.Boolean({
          default: false,
          description: 'Whether to compare with the rulesets that the migration would deploy.',
        }),
      ),
    }),
    result: WireFirewallComparison,
  },
})

const migrationState = oneOf(['start', 'validation', 'done'])

const WireFirewallDecision = namedObject('FirewallDecision', {
  ray_id: Type.String({
    pattern: '^[0-9a-f]{16}$',
    description: 'Identifies this request: 16 hexadecimal digits.',
  }),
  migration_state: migrationState,
  action: Type.String({
    description: 'The resulting action; `allow` and `log` let the request continue.',
    examples: ['allow', 'log', 'managed_challenge', 'block'],
  }),
  ended_by: nullable(
    Type.Object(
      {
        product: oneOf(['new', 'old'], { description: '`old`: the legacy managed rules.' }),
        rule_id: Type.String(),
        level: Type.Optional(WireRulePlace.properties.level),
        phase: Type.Optional(Type.String()),
        ruleset_id: Type.Optional(Type.String()),
        ref: WireRulePlace.properties.ref,
        description: WireRulePlace.properties.description,
      },
      { description: 'The rule that ended the request; null if it continues.' },
    ),
  ),
  response,
  skipped_products: Type.Array(Type.String()),
  recorded: Type.Boolean({ description: 'Whether a security event was stored for it.' }),
})
export type WireFirewallDecision = Static<typeof WireFirewallDecision>

export const firewallDecisions = operations('firewall', section, {
  decide: {
    isAutomatic: true,
    route: 'POST /zonereeve/zones/{zone_id}/firewall/decide',
    summary: 'Decide about a request and record the decision',
    description:
      'Evaluates the rules that are active in the zone, and stops at the first one that ends the request. If a rule ended or logged it, a security event is stored before the reply is sent. For proxies and tests; rate limits are not counted.',
    permission: { on: 'zone', anyOf: ['Zone WAF Write'] },
    maxBodyBytes: MAX_DESCRIBED_BYTES,
    body: closedObject(describedRequest),
    result: WireFirewallDecision,
  },
})
