// Checks of rules: each error has a pointer and says what would be right, all are reported at once, and nothing
// is written.
import { managedRulesets } from '@zonereeve/firewall'
import { scenarios, type Scenario, type Send } from '../../../testing/scenarios.ts'

const MANAGED = 'efb7b8c949ac4650a09736fc376e9aee'
const OWASP = '4814384a9e5d4991b9815dcfc25d2f1f'
const DDOS = '4d21379b4f9f4bb088e0729962c8b3cf'
const FLOOD_RULE = '5bb5a20f4b7d11f29e0638717411a792'
const SCORE_RULE = '6179ae15870a4bb7b2d480d4843b323c'
/** A rule of the managed ruleset. */
const A_RULE = managedRulesets()[0]?.rules[0]?.id ?? ''
const gone = 'f'.repeat(32)

type Row = readonly [
  name: string,
  rule: object | string,
  codes: readonly number[],
  pointers?: readonly string[],
]

/** Each row writes one rule; without codes it is accepted. */
const inPhase = (phase: string, rows: readonly Row[], more: Partial<Scenario> = {}): Scenario[] =>
  rows.map(([name, rule, codes, pointers]) => ({
    ...more,
    name: `${phase}: ${name}`,
    send: {
      method: 'PUT',
      path: `/zones/{zone}/rulesets/phases/${phase}/entrypoint`,
      body: typeof rule === 'string' ? `{"rules":[${rule}]}` : { rules: [rule] },
    },
    expect:
      codes.length === 0
        ? { status: 200, changes: 1, result: { rules: [rule] } }
        : {
            status: 400,
            codes,
            ...(pointers === undefined ? {} : { pointers: pointers.map((at) => `/rules/0${at}`) }),
          },
  }))

const block = (expression: unknown) => ({ action: 'block', expression })
const execute = (parameters: object, more: object = {}) => ({
  action: 'execute',
  expression: 'true',
  action_parameters: parameters,
  ...more,
})
const overriding = (overrides: object) => execute({ id: MANAGED, overrides })
const skip = (parameters: object, more: object = {}) => ({
  action: 'skip',
  expression: 'true',
  action_parameters: parameters,
  ...more,
})
const P = '/action_parameters'

scenarios('members', [
  ...inPhase('http_request_firewall_custom', [
    ['a rule', block('true'), []],
    ['not an object', '5', [19535], ['']],
    ['nothing', {}, [19529, 20125], ['/action', '/expression']],
    ['parameters without an action', { expression: 'true', action_parameters: {} }, [19520], ['/action']],
    ['an empty action', { action: '', expression: 'true' }, [19529], ['/action']],
    ['an unknown action', { action: 'allow', expression: 'true' }, [19535], ['/action']],
    ['a name that every object has', { action: 'toString', expression: 'true' }, [19535], ['/action']],
    [
      'an action of another phase',
      { action: 'route', expression: 'true', action_parameters: { host_header: 'a' } },
      [19535],
      ['/action'],
    ],
    ['an action of the wrong type', { action: 5, expression: 'true' }, [19535], ['/action']],
    ['an expression of whitespace', block(' '), [20125], ['/expression']],
    ['an expression that is not a string', block(5), [19535], ['/expression']],
    ['enabled as a string', { ...block('true'), enabled: 'true' }, [19535], ['/enabled']],
    ['a description of the wrong type', { ...block('true'), description: 5 }, [19535], ['/description']],
    ['unknown members', { ...block('true'), actions: 1, 'a/b~': 2 }, [19533, 19533], ['/actions', '/a~1b~0']],
    ['a position in a list', { ...block('true'), position: { index: 1 } }, [19533], ['/position']],
    ['logging of a block', { ...block('true'), logging: { enabled: true } }, [20018], ['/logging']],
    ['logging of a skip', skip({ ruleset: 'current' }, { logging: { enabled: false } }), []],
    [
      'logging without its member',
      skip({ ruleset: 'current' }, { logging: {} }),
      [19529],
      ['/logging/enabled'],
    ],
    [
      'exposed credentials',
      { ...block('true'), exposed_credential_check: { username_expression: 'a', password_expression: 'b' } },
      [19525],
      ['/exposed_credential_check'],
    ],
    [
      'a rate limit',
      { ...block('true'), ratelimit: { characteristics: ['ip.src'], period: 60, requests_per_period: 1 } },
      [19535],
      ['/ratelimit'],
    ],
    [
      'all errors are reported at once',
      { action: 'skip', action_parameters: { phases: ['x'] }, expression: 'x', enabled: 1, more: 1 },
      [19535, 19533, 19535, 20127],
      ['/enabled', '/more', `${P}/phases/0`, '/expression'],
    ],
  ]),
  {
    name: 'errors of all rules are reported',
    send: {
      method: 'PUT',
      path: '/zones/{zone}/rulesets/phases/http_request_firewall_custom/entrypoint',
      body: {
        name: '',
        description: 5,
        rules: [block('true'), block('a'), { action: 'x', expression: '' }],
        x: 1,
      },
    },
    expect: {
      status: 400,
      codes: [19535, 19535, 19533, 20127, 19535, 20125],
      pointers: [
        '/name',
        '/description',
        '/x',
        '/rules/1/expression',
        '/rules/2/action',
        '/rules/2/expression',
      ],
    },
  },
  {
    name: 'rules that are not an array',
    send: {
      method: 'PUT',
      path: '/zones/{zone}/rulesets/phases/http_request_firewall_custom/entrypoint',
      body: { rules: {} },
    },
    expect: { status: 400, codes: [19535], pointers: ['/rules'] },
  },
])

scenarios('expressions', [
  ...inPhase('http_request_firewall_custom', [
    ['of the maximum length', block(`http.host eq "${'a'.repeat(4_096 - 15)}"`), []],
    ['one byte longer', block(`http.host eq "${'a'.repeat(4_096 - 14)}"`), [20127]],
    ['64 patterns', block(Array.from({ length: 64 }, () => 'http.host matches "a"').join(' or ')), []],
    ['65 patterns', block(Array.from({ length: 65 }, () => 'http.host matches "a"').join(' or ')), [20127]],
    ['a pattern that compiles to megabytes', block(`http.host matches "(?u)${'\\pL'.repeat(30)}"`), [20127]],
    ['fields of the response', block('http.response.code eq 200'), [20127]],
    ['fields of account-level rules', block('cf.zone.plan eq "ENT"'), [20127]],
    ['fields that are unknown here', block('cf.bot_management.score lt 30'), [20127]],
    ['unknown lists', block('ip.src in $offices'), [20127]],
  ]),
  ...inPhase('http_response_headers_transform', [
    [
      'fields of the response in a phase that has one',
      {
        action: 'rewrite',
        expression: 'http.response.code eq 200',
        action_parameters: { headers: { 'x-a': { operation: 'set', value: 'b' } } },
      },
      [],
    ],
  ]),
  ...inPhase('ddos_l7', [
    ['the HTTP DDoS ruleset', execute({ id: DDOS }), []],
    [
      'every sensitivity',
      execute({
        id: DDOS,
        overrides: {
          sensitivity_level: 'low',
          categories: [{ category: 'generic', sensitivity_level: 'eoff' }],
          rules: [{ id: FLOOD_RULE, sensitivity_level: 'medium', action: 'managed_challenge' }],
        },
      }),
      [],
    ],
    [
      'a sensitivity that does not exist',
      execute({ id: DDOS, overrides: { sensitivity_level: 'high' } }),
      [19535],
      [`${P}/overrides/sensitivity_level`],
    ],
    [
      'a rule of another ruleset',
      execute({ id: DDOS, overrides: { rules: [{ id: A_RULE, enabled: false }] } }),
      [19535],
      [`${P}/overrides/rules/0/id`],
    ],
    ['a managed ruleset of another phase', execute({ id: MANAGED }), [19535], [`${P}/id`]],
  ]),
  ...[
    [DDOS, 'it is for the phase ddos_l7'],
    ['c2e184081120413c86c3ab7e14069605', 'Exposed Credentials Check is not offered'],
    ['77454fe2d30c4220b5701f6fdfb893ba', 'execute the Managed Ruleset instead'],
    ['e22d83c647c64a3eae91b71b499d988e', 'Sensitive Data Detection is not offered'],
    ['70339d97bdb34195bbf054b1ebe81f76', 'the Normalization Ruleset is not offered'],
  ].map(([id = '', text = '']) => ({
    name: `a managed ruleset that is not offered, by name: ${text}`,
    send: {
      method: 'PUT',
      path: '/zones/{zone}/rulesets/phases/http_request_firewall_managed/entrypoint',
      body: { rules: [{ action: 'execute', expression: 'true', action_parameters: { id } }] },
    },
    expect: { status: 400, codes: [19535], pointers: ['/rules/0/action_parameters/id'], text },
  })),
  ...[
    ['http_request_sanitize', 'PUT /zones/ZONE_ID/url_normalization'],
    ['http_request_sbfm', 'use rules of http_request_firewall_custom'],
    ['http_response_firewall_managed', 'responses are not inspected'],
  ].map(([phase = '', text = '']) => ({
    name: `rules of ${phase}, by name`,
    send: {
      method: 'PUT',
      path: `/zones/{zone}/rulesets/phases/${phase}/entrypoint`,
      body: { rules: [block('true')] },
    },
    expect: { status: 400, codes: [19525], pointers: ['/rules/0'], text },
  })),
  {
    name: 'the frame is that of the language, after the prefix that clients expect',
    send: {
      method: 'PUT',
      path: '/zones/{zone}/rulesets/phases/http_request_firewall_custom/entrypoint',
      body: { rules: [block('URI Path contains /')] },
    },
    expect: {
      status: 400,
      codes: [20127],
      text: "'URI Path contains /' is not a valid value for expression because could not parse filter expression: Filter parsing error (1:1):\\nURI Path contains /\\n^^^ unknown identifier\\n",
    },
  },
])

const MATCHES = block('http.host matches "a"')
const LOG = { action: 'log', expression: 'true' }
scenarios('messages', [
  {
    name: 'an unknown member is named, even if its name is a number',
    send: {
      method: 'PUT',
      path: '/zones/{zone}/rulesets/phases/http_request_firewall_custom/entrypoint',
      body: { rules: [{ ...block('true'), 7: 1 }] },
    },
    expect: { status: 400, codes: [19533], pointers: ['/rules/0/7'], text: 'unknown field \\"7\\"' },
  },
])

scenarios('plans', [
  ...['free', 'pro'].flatMap((plan) =>
    inPhase(
      'http_request_firewall_custom',
      [
        [`matches with ${plan}`, MATCHES, [19524], ['/expression']],
        [`log with ${plan}`, LOG, [19524], ['/action']],
      ],
      { plan },
    ),
  ),
  ...inPhase(
    'http_request_firewall_custom',
    [
      ['matches with business', MATCHES, []],
      ['log with business', LOG, [19524], ['/action']],
    ],
    { plan: 'business' },
  ),
  // Filters may use matches on every plan, and so may the exceptions that a migration creates from them.
  ...inPhase(
    'http_request_firewall_managed',
    [
      ['matches of a skip with pro', skip({ ruleset: 'current' }, { expression: MATCHES.expression }), []],
      ['matches of a block with pro', MATCHES, [19524], ['/expression']],
    ],
    { plan: 'pro' },
  ),
  ...inPhase(
    'http_request_firewall_custom',
    [
      [
        'matches of a skip with pro',
        skip({ ruleset: 'current' }, { expression: MATCHES.expression }),
        [19524],
      ],
    ],
    { plan: 'pro' },
  ),
  ...inPhase('http_request_firewall_custom', [['log with enterprise', LOG, []]]),
  ...(
    [
      ['free', 5],
      ['pro', 20],
      ['business', 100],
      ['enterprise', 1_000],
    ] as const
  ).flatMap(([plan, limit]) =>
    [limit, limit + 1].map((count) => ({
      name: `${count} rules with ${plan}`,
      plan,
      send: {
        method: 'PUT',
        path: '/zones/{zone}/rulesets/phases/http_request_firewall_custom/entrypoint',
        body: { rules: Array.from({ length: count }, () => block('true')) },
      },
      expect:
        count === limit
          ? { status: 200, changes: 1 }
          : {
              status: 400,
              codes: [50001],
              text: `exceeded the maximum number of rules in the phase http_request_firewall_custom: ${count} out of ${limit}`,
            },
    })),
  ),
  {
    name: 'one rate limit with free, but no second',
    plan: 'free',
    before: [
      {
        method: 'PUT',
        path: '/zones/{zone}/rulesets/phases/http_ratelimit/entrypoint',
        body: {
          rules: [
            {
              ...block('true'),
              ratelimit: { characteristics: ['ip.src'], period: 10, requests_per_period: 1 },
            },
          ],
        },
        as: 'entry',
      },
    ],
    send: {
      method: 'POST',
      path: '/zones/{zone}/rulesets/{entry}/rules',
      body: {
        ...block('true'),
        ratelimit: { characteristics: ['ip.src'], period: 10, requests_per_period: 1 },
      },
    },
    expect: { status: 400, codes: [50001], text: 'in the phase http_ratelimit: 2 out of 1' },
  },
  {
    name: 'rules of a phase are counted across its rulesets',
    plan: 'free',
    before: [
      {
        method: 'POST',
        path: '/zones/{zone}/rulesets',
        body: {
          name: 'a',
          kind: 'custom',
          phase: 'http_request_firewall_custom',
          rules: Array.from({ length: 5 }, () => block('true')),
        },
      },
    ],
    send: {
      method: 'PUT',
      path: '/zones/{zone}/rulesets/phases/http_request_firewall_custom/entrypoint',
      body: { rules: [block('true')] },
    },
    expect: { status: 400, codes: [50001] },
  },
])

const executing: Send = {
  method: 'PUT',
  path: '/zones/{zone}/rulesets/phases/http_request_firewall_managed/entrypoint',
  body: { rules: [execute({ id: MANAGED }), execute({ id: OWASP })] },
  as: 'entry',
}
scenarios('executing', [
  ...inPhase('http_request_firewall_managed', [
    ['a managed ruleset', execute({ id: MANAGED }), []],
    ['its latest version', execute({ id: MANAGED, version: 'latest' }), []],
    ['its current version', execute({ id: MANAGED, version: '1' }), []],
    ['another version', execute({ id: MANAGED, version: '2' }), [19535], [`${P}/version`]],
    ['with payloads logged', execute({ id: MANAGED, matched_data: { public_key: 'abc' } }), []],
    ['nothing', { action: 'execute', expression: 'true' }, [20113], [P]],
    ['without an id', execute({}), [19529], [`${P}/id`]],
    ['what does not exist', execute({ id: gone }), [19535], [`${P}/id`]],
    ['with unknown members', execute({ id: MANAGED, ids: [] }), [19533], [`${P}/ids`]],
    [
      'with overrides',
      overriding({
        action: 'log',
        enabled: true,
        sensitivity_level: 'default',
        categories: [{ category: 'drupal', enabled: false }],
        rules: [{ id: A_RULE, action: 'block', enabled: true, sensitivity_level: 'eoff' }],
      }),
      [],
    ],
    ['with empty overrides', overriding({}), []],
    ['with empty lists of overrides', overriding({ categories: [], rules: [] }), []],
    [
      'with an override that changes nothing',
      overriding({ rules: [{ id: A_RULE }] }),
      [19535],
      [`${P}/overrides/rules/0`],
    ],
    [
      'with an action that is not allowed',
      overriding({ action: 'skip' }),
      [19535],
      [`${P}/overrides/action`],
    ],
    [
      'with an unknown rule',
      overriding({ rules: [{ id: gone, enabled: true }] }),
      [19535],
      [`${P}/overrides/rules/0/id`],
    ],
    [
      'with an unknown tag',
      overriding({ categories: [{ category: 'x', enabled: true }] }),
      [19535],
      [`${P}/overrides/categories/0/category`],
    ],
    [
      'with a rule twice',
      overriding({
        rules: [
          { id: A_RULE, enabled: true },
          { id: A_RULE, action: 'log' },
        ],
      }),
      [19535],
      [`${P}/overrides/rules/1/id`],
    ],
    [
      'with a sensitivity that no rule has',
      overriding({ sensitivity_level: 'low' }),
      [19535],
      [`${P}/overrides/sensitivity_level`],
    ],
    [
      'with an unknown sensitivity',
      overriding({ sensitivity_level: 'high' }),
      [19535],
      [`${P}/overrides/sensitivity_level`],
    ],
    [
      'with the threshold of a rule without scores',
      overriding({ rules: [{ id: A_RULE, score_threshold: 5 }] }),
      [19535],
      [`${P}/overrides/rules/0/score_threshold`],
    ],
    [
      'with a threshold',
      execute({ id: OWASP, overrides: { rules: [{ id: SCORE_RULE, action: 'log', score_threshold: 25 }] } }),
      [],
    ],
    [
      'with paranoia levels',
      execute({ id: OWASP, overrides: { categories: [{ category: 'paranoia-level-4', enabled: false }] } }),
      [],
    ],
  ]),
  ...inPhase('http_request_firewall_custom', [
    ['a ruleset of another phase', execute({ id: MANAGED }), [19535], [`${P}/id`]],
  ]),
  {
    name: 'a managed ruleset may be executed only once',
    send: {
      method: 'PUT',
      path: '/zones/{zone}/rulesets/phases/http_request_firewall_managed/entrypoint',
      body: { rules: [execute({ id: MANAGED }), execute({ id: OWASP }), execute({ id: MANAGED })] },
    },
    expect: { status: 400, codes: [19535], pointers: [`/rules/2${P}/id`] },
  },
  {
    name: 'only once, also if the second rule is added separately',
    before: [executing],
    send: {
      method: 'POST',
      path: '/zones/{zone}/rulesets/{entry}/rules',
      body: { ...execute({ id: MANAGED }), position: { index: 1 } },
    },
    expect: { status: 400, codes: [19535], pointers: [`${P}/id`] },
  },
  {
    name: 'only once, also if another rule is changed to execute it',
    before: [executing],
    send: {
      method: 'PATCH',
      path: '/zones/{zone}/rulesets/{entry}/rules/{entry.1}',
      body: execute({ id: MANAGED }),
    },
    expect: { status: 400, codes: [19535], pointers: [`${P}/id`] },
  },
  {
    name: 'the rule that executes it can be changed',
    before: [executing],
    send: {
      method: 'PATCH',
      path: '/zones/{zone}/rulesets/{entry}/rules/{entry.0}',
      body: { ...execute({ id: MANAGED }), description: 'changed' },
    },
    expect: { status: 200, changes: 1 },
  },
  {
    name: 'a custom ruleset of the zone can be executed',
    before: [
      {
        method: 'POST',
        path: '/zones/{zone}/rulesets',
        body: { name: 'a', kind: 'custom', phase: 'http_request_firewall_custom', rules: [block('true')] },
        as: 'mine',
      },
    ],
    send: {
      method: 'PUT',
      path: '/zones/{zone}/rulesets/phases/http_request_firewall_custom/entrypoint',
      body: { rules: [execute({ id: '{mine}' })] },
    },
    expect: { status: 200, changes: 1 },
  },
  {
    name: 'custom rulesets cannot execute others',
    before: [
      {
        method: 'POST',
        path: '/zones/{zone}/rulesets',
        body: { name: 'a', kind: 'custom', phase: 'http_request_firewall_custom' },
        as: 'mine',
      },
    ],
    send: { method: 'POST', path: '/zones/{zone}/rulesets/{mine}/rules', body: execute({ id: '{mine}' }) },
    expect: { status: 400, codes: [19535], pointers: [`${P}/id`] },
  },
  {
    name: 'an entry point cannot be executed',
    before: [
      {
        method: 'PUT',
        path: '/zones/{zone}/rulesets/phases/http_request_firewall_custom/entrypoint',
        body: { rules: [] },
        as: 'entry',
      },
    ],
    send: { method: 'POST', path: '/zones/{zone}/rulesets/{entry}/rules', body: execute({ id: '{entry}' }) },
    expect: { status: 400, codes: [19535], pointers: [`${P}/id`] },
  },
])

const disabled = execute({ id: MANAGED }, { enabled: false })
const acting = execute({ id: MANAGED })
scenarios('beside the legacy managed rules', [
  ...['pro', 'business'].flatMap((plan) =>
    inPhase(
      'http_request_firewall_managed',
      [
        [`disabled, with ${plan}`, disabled, []],
        [`acting, with ${plan}`, acting, [19526], ['/enabled']],
        [`skipping, with ${plan}`, skip({ ruleset: 'current' }), []],
      ],
      { plan },
    ),
  ),
  // Zones that never had them, and those that may run both.
  ...['free', 'enterprise'].flatMap((plan) =>
    inPhase('http_request_firewall_managed', [[`acting, with ${plan}`, acting, []]], { plan }),
  ),
])

scenarios('skipping', [
  ...inPhase('http_request_firewall_managed', [
    ['the rest of the ruleset', skip({ ruleset: 'current' }), []],
    ['the rest of the phase', skip({ phase: 'current' }), []],
    ['phases', skip({ phases: ['http_ratelimit', 'http_request_sbfm'] }), []],
    ['products', skip({ products: ['waf', 'bic'] }), []],
    ['rulesets', skip({ rulesets: [MANAGED, OWASP] }), []],
    ['rules', skip({ rules: { [MANAGED]: [A_RULE] } }), []],
    ['rulesets and rules', skip({ rulesets: [OWASP], rules: { [MANAGED]: [A_RULE] } }), []],
    ['nothing', skip({}), [19535], [P]],
    ['without parameters', { action: 'skip', expression: 'true' }, [20113], [P]],
    ['another ruleset', skip({ ruleset: 'other' }), [19535], [`${P}/ruleset`]],
    ['unknown phases', skip({ phases: ['x'] }), [19535], [`${P}/phases/0`]],
    ['unknown products', skip({ products: ['dns'] }), [19535], [`${P}/products/0`]],
    ['no phases', skip({ phases: [] }), [19535], [`${P}/phases`]],
    ['a phase twice', skip({ phases: ['http_ratelimit', 'http_ratelimit'] }), [19535], [`${P}/phases/1`]],
    ['unknown rulesets', skip({ rulesets: [gone] }), [19535], [`${P}/rulesets/0`]],
    ['rules of an unknown ruleset', skip({ rules: { [gone]: [A_RULE] } }), [19535], [`${P}/rules/${gone}`]],
    ['unknown rules', skip({ rules: { [MANAGED]: [A_RULE, gone] } }), [19535], [`${P}/rules/${MANAGED}/1`]],
    [
      'rulesets and the ruleset',
      skip({ rulesets: [MANAGED], ruleset: 'current' }),
      [19521],
      [`${P}/rulesets`],
    ],
    [
      'rulesets and phases',
      skip({ rulesets: [MANAGED], phases: ['http_ratelimit'] }),
      [19521],
      [`${P}/rulesets`],
    ],
    [
      'rules and the ruleset',
      skip({ rules: { [MANAGED]: [A_RULE] }, ruleset: 'current' }),
      [19521],
      [`${P}/rules`],
    ],
  ]),
])

const limited = (ratelimit: unknown) => ({ ...block('true'), ratelimit })
const fallback = { characteristics: ['cf.colo.id', 'ip.src'], period: 60, requests_per_period: 100 }
const R = '/ratelimit'
scenarios('rate limits', [
  ...inPhase('http_ratelimit', [
    ['a typical one', limited({ ...fallback, mitigation_timeout: 600 }), []],
    [
      'with all members',
      limited({
        ...fallback,
        mitigation_timeout: 0,
        counting_expression: 'http.response.code eq 429',
        requests_to_origin: true,
      }),
      [],
    ],
    [
      'by header',
      limited({ ...fallback, characteristics: ['http.request.headers["x-key"]', 'http.request.uri.path'] }),
      [],
    ],
    [
      'by score',
      limited({
        characteristics: ['ip.src'],
        period: 60,
        score_per_period: 5,
        score_response_header_name: 'x-score',
      }),
      [],
    ],
    ['none', block('true'), [19529], [R]],
    ['of the wrong type', limited(5), [19535], [R]],
    ['without members', limited({}), [19529, 19529], [`${R}/characteristics`, `${R}/period`]],
    [
      'without a number',
      limited({ characteristics: ['ip.src'], period: 60 }),
      [19529],
      [`${R}/requests_per_period`],
    ],
    [
      'a score without its header',
      limited({ ...fallback, score_per_period: 5 }),
      [19529],
      [`${R}/score_response_header_name`],
    ],
    [
      'without requests',
      limited({ ...fallback, requests_per_period: 0 }),
      [19535],
      [`${R}/requests_per_period`],
    ],
    ['a period without an end', limited({ ...fallback, period: 0 }), [19535], [`${R}/period`]],
    ['unknown members', limited({ ...fallback, threshold: 1 }), [19533], [`${R}/threshold`]],
    [
      'without characteristics',
      limited({ ...fallback, characteristics: [] }),
      [19535],
      [`${R}/characteristics`],
    ],
    [
      'by unknown characteristics',
      limited({ ...fallback, characteristics: ['ip.src', 'ip.source'] }),
      [20127],
      [`${R}/characteristics/1`],
    ],
    [
      'counting by unknown fields',
      limited({ ...fallback, counting_expression: 'x' }),
      [20127],
      [`${R}/counting_expression`],
    ],
  ]),
])
