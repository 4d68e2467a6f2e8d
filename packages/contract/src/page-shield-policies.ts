// Content security policies of a zone (specification §2.7, §4.2) and what depends on them: headers, simulation,
// suggestion, violations.
import { Type, type Static } from 'typebox'
import { operations } from './operation.ts'
import {
  closedObject,
  namedObject,
  nullable,
  objectId,
  oneOf,
  page,
  perPage,
  timestamp,
} from './primitives.ts'

const READ = {
  on: 'zone',
  anyOf: ['Domain Page Shield Read', 'Domain Page Shield', 'Zone Settings Read', 'Zone Settings Write'],
} as const
const WRITE = { on: 'zone', anyOf: ['Domain Page Shield', 'Zone Settings Write'] } as const

export const POLICY_ACTIONS = ['allow', 'log', 'add_reporting_directives'] as const
export const MAX_POLICY_VALUE_CHARACTERS = 6000
const MAX_DESCRIPTION_CHARACTERS = 1024
const MAX_URL_CHARACTERS = 8192

const enabled = Type.Unsafe<boolean | 'true' | 'false'>({
  enum: [true, false, 'true', 'false'],
  description: 'Whether the policy is sent: a boolean, or the string `true` or `false`.',
  reason: 'page_shield_policy.enabled',
})

const value = Type.String({
  description: 'Directives of CSP Level 3, except reporting directives, which are added when it is sent.',
  examples: ["script-src 'self' https://cdn.example.com"],
})

const WirePolicy = namedObject('PageShieldPolicy', {
  id: objectId('the policy'),
  description: Type.String(),
  action: oneOf(POLICY_ACTIONS, {
    description:
      '`log` reports violations, `allow` also blocks them, `add_reporting_directives` adds reporting to the policies that the origin sends.',
  }),
  expression: Type.String({ description: 'Filter expression: the responses that get the policy.' }),
  enabled,
  value,
})
export type WirePolicy = Static<typeof WirePolicy>

const members = {
  description: Type.String({
    maxLength: MAX_DESCRIPTION_CHARACTERS,
    pattern: '^[^\\u0000-\\u001f\\u007f-\\u009f]*$',
    must: 'have no control characters',
    examples: ['Checkout'],
  }),
  // Case-insensitive, because clients differ.
  action: Type.String({
    pattern:
      '^([Aa][Ll][Ll][Oo][Ww]|[Ll][Oo][Gg]|[Aa][Dd][Dd]_[Rr][Ee][Pp][Oo][Rr][Tt][Ii][Nn][Gg]_[Dd][Ii][Rr][Ee][Cc][Tt][Ii][Vv][Ee][Ss])$',
    description: '`allow`, `log` or `add_reporting_directives`, case-insensitive.',
    reason: 'page_shield_policy.action',
    examples: ['log'],
  }),
  expression: Type.String({ minLength: 1, examples: ['http.host eq "shop.example.com"'] }),
  enabled,
  value,
}

const PolicyPost = closedObject({
  ...members,
  // Clients with one type for requests and replies send it, empty or not.
  id: Type.Optional(Type.Unknown({ description: 'Ignored: every policy gets a new one.' })),
})
export type PolicyPost = Static<typeof PolicyPost>
const PolicyPut = Type.Partial(
  Type.Object({
    ...members,
    id: Type.String({ description: 'The one in the path, or empty.', maxLength: 32 }),
  }),
  { additionalProperties: false },
)
export type PolicyPut = Static<typeof PolicyPut>

const section = {
  tag: 'Content-security policies',
  params: { zone_id: objectId('the zone'), policy_id: objectId('the policy') },
}

export const pageShieldPolicies = operations('page_shield.policies', section, {
  list: {
    route: 'GET /zones/{zone_id}/page_shield/policies',
    summary: 'List a zone’s content-security policies',
    permission: READ,
    query: Type.Object({ page, per_page: perPage(1, 1000, 100) }),
    onceInQuery: 'all',
    result: WirePolicy,
    list: true,
  },
  get: {
    route: 'GET /zones/{zone_id}/page_shield/policies/{policy_id}',
    summary: 'Get a content-security policy',
    permission: READ,
    result: WirePolicy,
  },
  create: {
    route: 'POST /zones/{zone_id}/page_shield/policies',
    summary: 'Create a content-security policy',
    permission: WRITE,
    body: PolicyPost,
    result: WirePolicy,
  },
  update: {
    route: 'PUT /zones/{zone_id}/page_shield/policies/{policy_id}',
    summary: 'Update a content-security policy',
    description: 'Members that are not sent are not changed.',
    permission: WRITE,
    body: PolicyPut,
    result: WirePolicy,
  },
  remove: {
    id: 'page_shield.policies.delete',
    route: 'DELETE /zones/{zone_id}/page_shield/policies/{policy_id}',
    summary: 'Delete a content-security policy',
    permission: WRITE,
    result: Type.Null(),
    noContent: true,
  },
})

const engines = (description: string) => Type.Array(oneOf(['chromium', 'firefox', 'webkit']), { description })

const Header = Type.Object({
  name: Type.String({ description: 'Lower case.', examples: ['content-security-policy-report-only'] }),
  value: Type.String(),
  policy_id: nullable(objectId('the policy; null = monitoring, or all of them')),
  sampled: Type.Boolean({
    description: 'Whether it may be sent with only some of the responses: true for monitoring.',
  }),
  sample_one_in: Type.Integer({
    minimum: 1,
    description: 'Send it with one in this many responses, chosen at random for each; 1 = with all.',
  }),
})

const WireHeaders = Type.Object({
  headers: Type.Array(Header, {
    description: 'Add these to the response in this order, each as a separate header.',
  }),
  origin_headers: Type.Array(Type.Object({ name: Type.String(), value: Type.String() }), {
    description: 'The origin’s own policies with reporting added; they replace those that it sent.',
  }),
  without_effect: Type.Array(
    Type.Object({
      policy_id: objectId('the policy'),
      cause: oneOf(['another_policy', 'no_origin_policy'], {
        description:
          '`another_policy`: another policy already adds its reporting directives. `no_origin_policy`: the origin sends no policy to add them to.',
      }),
    }),
    { description: 'Policies that match, but add no header.' },
  ),
  undecided: Type.Array(
    Type.Object({
      policy_id: objectId('the policy'),
      fields: Type.Array(Type.String(), {
        description: 'What the expression needs in addition to the query.',
      }),
    }),
    { description: 'Policies whose expressions need more than the query contains.' },
  ),
})
export type WireHeaders = Static<typeof WireHeaders>

const Problem = Type.Object({
  id: Type.String({ examples: ['source.unquoted'] }),
  level: oneOf(['warning', 'note']),
  start: Type.Integer({ description: 'Start position in the value, from 0.' }),
  end: Type.Integer({ description: 'End position, exclusive.' }),
  message: Type.String(),
})

const inventoryCounts = {
  total: Type.Integer({ description: 'Scripts and connections of the inventory.' }),
  not_checked: Type.Integer({
    description:
      'Items that were not checked: of each kind 10,000 are checked, active ones first, then by most page views.',
  }),
}

const WireSimulation = Type.Object({
  checked: Type.Integer({
    description:
      'Scripts and connections that were checked against the policy: with an `expression`, those that were seen on a page that matches.',
  }),
  ...inventoryCounts,
  pages: Type.Object(
    {
      matching: Type.Integer({
        description:
          'Pages that match the expression; a page matches, too, if the expression needs more than its host and path.',
      }),
      total: Type.Integer({ description: 'Pages on which a script or connection was seen.' }),
    },
    { description: 'Pages that are known from the inventory.' },
  ),
  sources: Type.Array(
    Type.Object({
      directive: Type.String({ examples: ['script-src'] }),
      source: Type.String({ examples: ['cdn.example.net'] }),
      scripts: Type.Integer({ description: 'Scripts that it allows.' }),
      connections: Type.Integer({ description: 'Connections that it allows.' }),
      malicious: Type.Integer({ description: 'How many of both are malicious.' }),
    }),
    {
      description:
        'The hosts, schemes and `self` of the directives that decide on scripts and connections. What several of them allow is counted at the first.',
    },
  ),
  blocked: Type.Array(
    Type.Object({
      id: objectId('the script or connection'),
      type: oneOf(['script', 'connection']),
      url: Type.String(),
      malicious: Type.Boolean(),
      page_url: Type.String({ description: 'A page that would be affected.' }),
      directive: nullable(Type.String({ description: 'The directive that blocks it.' })),
      blocked_in: engines('Browsers that would block it.'),
      browsers_differ: Type.Boolean(),
      depends_on_path: Type.Boolean({
        description: 'Only scheme and host of the URL are stored, but the policy requires a path.',
      }),
    }),
  ),
  forbidden: Type.Array(oneOf(['inline_scripts', 'inline_handlers', 'eval', 'wasm']), {
    description: 'Items without a URL that would be blocked on every page that uses them.',
  }),
  problems: Type.Array(Problem, { description: 'Problems of the value, and notes on what it covers.' }),
})
export type WireSimulation = Static<typeof WireSimulation>

const WireSuggestion = Type.Object({
  value: Type.String({ description: 'Allows exactly what was detected.' }),
  length: Type.Integer({
    description: `Length in characters; a policy may have ${MAX_POLICY_VALUE_CHARACTERS}.`,
  }),
  checked: Type.Integer({ description: 'Scripts and connections that it is based on.' }),
  ...inventoryCounts,
  left_out: Type.Array(
    Type.Object({
      id: objectId('the script or connection'),
      type: oneOf(['script', 'connection']),
      url: Type.String(),
      cause: oneOf(['malicious', 'infrequent', 'inactive', 'unlistable'], {
        description: '`unlistable`: a host with an underscore, or an IPv6 address.',
      }),
    }),
    { description: 'Detected items that it does not allow.' },
  ),
})
export type WireSuggestion = Static<typeof WireSuggestion>

const WireViolation = Type.Object({
  policy_id: objectId('the policy'),
  action: oneOf(['allow', 'log']),
  directive: Type.String({ examples: ['script-src-elem'] }),
  resource_type: oneOf(['script', 'connection', 'other']),
  url: Type.String({
    description:
      'Without query and fragment; `inline`, `eval`, `data:` if there is no URL; empty = one of many more.',
  }),
  count: Type.Integer({ minimum: 1 }),
  first_seen_at: timestamp('When it was first reported.'),
  last_seen_at: timestamp('When it was last reported.'),
  last_page_url: Type.String(),
})
export type WireViolation = Static<typeof WireViolation>

const extension = '/zonereeve/zones/{zone_id}/page_shield'

export const pageShieldPolicyTools = operations('page_shield.policies', section, {
  headers: {
    id: 'page_shield.headers.get',
    route: `GET ${extension}/headers`,
    summary: 'Get the headers for a response',
    description: 'For a proxy that adds them, or to see what would be sent. Only documents get headers.',
    permission: READ,
    query: Type.Object({
      url: Type.String({ maxLength: MAX_URL_CHARACTERS, examples: ['https://www.example.com/checkout'] }),
      method: Type.Optional(
        Type.String({
          pattern: '^[A-Z]{1,20}$',
          must: 'be the name of a method, such as GET',
          default: 'GET',
        }),
      ),
      status: Type.Optional(Type.Integer({ minimum: 100, maximum: 599, default: 200 })),
      content_type: Type.Optional(Type.String({ maxLength: 200, default: 'text/html' })),
      origin_policy: Type.Optional(
        Type.String({
          maxLength: MAX_URL_CHARACTERS,
          description: 'Content-Security-Policy that the origin sends.',
        }),
      ),
      origin_policy_report_only: Type.Optional(
        Type.String({
          maxLength: MAX_URL_CHARACTERS,
          description: 'Content-Security-Policy-Report-Only that the origin sends.',
        }),
      ),
    }),
    onceInQuery: 'all',
    result: WireHeaders,
  },
  simulate: {
    route: `POST ${extension}/policies/simulate`,
    summary: 'Simulate what a policy would block',
    permission: READ,
    readOnly: true,
    body: closedObject({
      value,
      expression: Type.Optional(
        Type.String({
          minLength: 1,
          description: 'Only pages that match this filter expression; by default all pages.',
          examples: ['http.request.uri.path wildcard "/checkout*"'],
        }),
      ),
    }),
    result: WireSimulation,
  },
  suggestion: {
    route: `GET ${extension}/policies/suggestion`,
    summary: 'Suggest a policy that allows what was detected',
    permission: READ,
    query: Type.Object({
      host: Type.Optional(
        Type.String({
          maxLength: 253,
          description: 'Only pages of this host.',
          examples: ['www.example.com'],
        }),
      ),
      inline_hashes: Type.Optional(
        Type.String({
          maxLength: MAX_URL_CHARACTERS,
          description: 'Hashes of inline scripts to allow, separated by commas.',
          examples: ['sha256-47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU='],
        }),
      ),
    }),
    onceInQuery: 'all',
    result: WireSuggestion,
  },
  violations: {
    id: 'page_shield.violations.list',
    route: `GET ${extension}/violations`,
    summary: 'Count the violations of a zone’s policies',
    description:
      'By policy, directive and URL, the most frequent first. Violations without a report for 30 days are deleted.',
    permission: READ,
    query: Type.Object({
      policy_id: Type.Optional(objectId('the policy')),
      directive: Type.Optional(Type.String({ maxLength: 100 })),
      page,
      per_page: perPage(1, 1000, 50),
    }),
    onceInQuery: 'all',
    result: WireViolation,
    list: true,
  },
})
