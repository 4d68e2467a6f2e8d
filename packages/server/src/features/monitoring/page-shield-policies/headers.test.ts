// Headers: the policies of a response, their order, and their reporting.
import { describe, expect, test } from 'vitest'
import { scenarios, type Send } from '../../../testing/scenarios.ts'
import { headersFor, isDocument, type ToSend } from './headers.rules.ts'
import { matchResponse, type Match } from './matching.rules.ts'
import type { Policy, PolicyAction } from './page-shield-policies.rules.ts'

const policy = (id: string, action: PolicyAction, value = '', expression = 'true'): Policy => ({
  id,
  zoneId: 'z',
  description: '',
  action,
  expression,
  isEnabled: true,
  isEnabledText: false,
  value,
})

const reportingUrl = (id: string): string => `https://r.test/?p=${id}`
const ENFORCED = 'content-security-policy'
const REPORT_ONLY = 'content-security-policy-report-only'
const MONITORING = 'https://r.test/?m=1'
const monitoring = { url: MONITORING, oneIn: 20 }
const lines = (
  policies: readonly Policy[],
  { origin = [], monitoring = null, isSecurePage = true }: Partial<ToSend> = {},
) => headersFor({ policies, isSecurePage, origin, reportingUrl, monitoring })

describe('headersFor', () => {
  test('no header without policies and monitoring', () =>
    expect(lines([])).toEqual({ added: [], origin: [], withoutEffect: [] }))

  test('each policy is a header, in order; then monitoring, then the endpoints', () => {
    const policies = [
      policy('a', 'allow', "script-src 'self'; "),
      policy('b', 'log', 'img-src *'),
      policy('c', 'allow', 'font-src *'),
    ]
    const { added } = lines(policies, { monitoring })
    expect(added).toEqual([
      {
        name: ENFORCED,
        value: "script-src 'self'; report-uri https://r.test/?p=a; report-to zonereeve-a",
        policyId: 'a',
        isSampled: false,
        oneIn: 1,
      },
      {
        name: REPORT_ONLY,
        value: 'img-src *; report-uri https://r.test/?p=b; report-to zonereeve-b',
        policyId: 'b',
        isSampled: false,
        oneIn: 1,
      },
      {
        name: ENFORCED,
        value: 'font-src *; report-uri https://r.test/?p=c; report-to zonereeve-c',
        policyId: 'c',
        isSampled: false,
        oneIn: 1,
      },
      {
        name: REPORT_ONLY,
        value: `script-src 'unsafe-inline' 'unsafe-eval' 'report-sha256'; connect-src 'none'; report-uri ${MONITORING}; report-to zonereeve-monitoring`,
        policyId: null,
        isSampled: true,
        oneIn: 20,
      },
      {
        name: 'reporting-endpoints',
        value: `zonereeve-a="https://r.test/?p=a", zonereeve-b="https://r.test/?p=b", zonereeve-c="https://r.test/?p=c", zonereeve-monitoring="${MONITORING}"`,
        policyId: null,
        isSampled: false,
        oneIn: 1,
      },
    ])
  })

  const adder = policy('r', 'add_reporting_directives')
  const URL = 'https://r.test/?p=r'
  const changed: [name: string, sent: string, becomes: string, named: boolean][] = [
    [
      'without reporting: both',
      "script-src 'self'",
      `script-src 'self'; report-uri ${URL}; report-to zonereeve-r`,
      true,
    ],
    [
      'with report-uri: ours is added there, because report-to would disable it',
      'img-src *; report-uri /x /y; font-src *',
      `img-src *; report-uri /x /y ${URL}; font-src *`,
      false,
    ],
    [
      'with report-to: it stays',
      'img-src *; report-to own',
      `img-src *; report-to own; report-uri ${URL}`,
      false,
    ],
    ['with both', 'report-to own; report-uri /x', `report-to own; report-uri /x ${URL}`, false],
    [
      'two in one header',
      'img-src *, font-src *',
      `img-src *; report-uri ${URL}; report-to zonereeve-r, font-src *; report-uri ${URL}; report-to zonereeve-r`,
      true,
    ],
  ]
  test.each(changed)('the origin’s policy %s', (_, sent, becomes, named) => {
    const { added, origin } = lines([adder], { origin: [{ name: ENFORCED, value: sent }] })
    expect(origin).toEqual([{ name: ENFORCED, value: becomes }])
    expect(added.some(({ value }) => value.includes('zonereeve-r='))).toBe(named)
  })

  test('an insecure page cannot name endpoints, and with only report-to it would not report', () => {
    const { added, origin } = lines(
      [policy('a', 'log', 'img-src *'), policy('r', 'add_reporting_directives')],
      {
        isSecurePage: false,
        monitoring,
        origin: [{ name: ENFORCED, value: 'font-src *' }],
      },
    )
    const values = [...added, ...origin].map(({ value }) => value)
    expect(added.map(({ name }) => name)).toEqual([REPORT_ONLY, REPORT_ONLY])
    expect(values.length).toBe(3)
    for (const value of values) expect(value).toMatch(/; report-uri \S+$/)
  })

  test('reporting for the origin’s own adds nothing where it has none', () =>
    expect(lines([adder])).toEqual({
      added: [],
      origin: [],
      withoutEffect: [{ policyId: 'r', cause: 'no_origin_policy' }],
    }))

  test('a second policy that adds reporting is noted, and adds nothing', () => {
    const { origin, withoutEffect } = lines([adder, policy('s', 'add_reporting_directives')], {
      origin: [{ name: ENFORCED, value: 'img-src *' }],
    })
    expect(withoutEffect).toEqual([{ policyId: 's', cause: 'another_policy' }])
    expect(origin.map(({ value }) => value)).toEqual([expect.not.stringContaining('p=s')])
  })

  test('the origin’s own policies are unchanged by default', () => {
    const { origin } = lines([policy('a', 'log', 'img-src *')], {
      origin: [{ name: ENFORCED, value: 'img-src x' }],
    })
    expect(origin).toEqual([])
  })
})

test.each([
  [200, 'text/html', true],
  [404, 'Text/HTML; charset=utf-8', true],
  [500, 'application/xhtml+xml', true],
  [304, 'text/html', false],
  [100, 'text/html', false],
  [200, 'text/htmlx', false],
  [200, 'application/json', false],
  [200, '', false],
])('%i %j is a document: %s', (status, type, isOne) => expect(isDocument(status, type)).toBe(isOne))

describe('matchResponse', () => {
  const response = {
    url: new URL('https://www.example.com:8443/shop/checkout?step=2'),
    method: 'GET',
    status: 404,
    contentType: 'text/html; charset=utf-8',
  }
  const cases: [expression: string, match: Match][] = [
    ['true', 'matches'],
    ['http.host eq "www.example.com"', 'matches'],
    ['http.host eq "example.com"', 'does-not-match'],
    ['ends_with(http.request.uri.path, "/checkout")', 'matches'],
    ['starts_with(raw.http.request.uri.path, "/basket")', 'does-not-match'],
    ['http.request.uri.query contains "step=2"', 'matches'],
    ['any(http.request.uri.args["step"][*] == "2")', 'matches'],
    ['http.request.full_uri contains "https://"', 'matches'],
    ['ssl', 'matches'],
    ['http.request.method eq "POST"', 'does-not-match'],
    ['http.response.code eq 404', 'matches'],
    ['http.response.content_type.media_type eq "text/html"', 'matches'],
    ['ip.src eq 192.0.2.1', { fields: ['ip.src'] }],
    ['http.user_agent contains "x" or ip.src eq 192.0.2.1', { fields: ['http.user_agent', 'ip.src'] }],
    ['ssl or ip.src eq 192.0.2.1', 'matches'],
    ['not ssl and ip.src eq 192.0.2.1', 'does-not-match'],
    ['any(http.response.headers["x"][*] == "y")', { fields: ['http.response.headers'] }],
  ]
  test.each(cases)('%s', (expression, match) =>
    expect(matchResponse(policy('a', 'log', '', expression), response)).toEqual(match),
  )
})

const POLICIES = '/zones/{zone}/page_shield/policies'
const create = (body: object): Send => ({
  method: 'POST',
  path: POLICIES,
  body: {
    description: '',
    action: 'log',
    expression: 'true',
    enabled: true,
    value: "img-src 'none'",
    ...body,
  },
})
const ask = (parameters: Readonly<Record<string, string>>): Send => ({
  method: 'GET',
  path: `/zonereeve/zones/{zone}/page_shield/headers?${new URLSearchParams(parameters)}`,
})
const PAGE = 'https://www.example.com/checkout'
const NOTHING = { headers: [], origin_headers: [], undecided: [] }

scenarios('/zonereeve/zones/:id/page_shield/headers', [
  { name: 'without policies', send: ask({ url: PAGE }), expect: { status: 200, result: NOTHING } },
  {
    name: 'matching policies, in order',
    before: [
      create({ action: 'allow' }),
      create({ expression: 'http.host eq "elsewhere.example.com"' }),
      create({ enabled: false }),
      create({ value: 'font-src *' }),
    ],
    send: ask({ url: PAGE }),
    expect: {
      status: 200,
      result: {
        headers: [
          {
            name: ENFORCED,
            value: expect.stringMatching(/^img-src 'none'; report-uri \S+; report-to \S+$/),
            sampled: false,
          },
          { name: REPORT_ONLY, value: expect.stringMatching(/^font-src \*; report-uri \S+; report-to \S+$/) },
          { name: 'reporting-endpoints', policy_id: null },
        ],
        undecided: [],
      },
    },
  },
  {
    name: 'policies that the query does not decide',
    before: [create({ expression: 'ip.src eq 192.0.2.1' })],
    send: ask({ url: PAGE }),
    expect: { status: 200, result: { headers: [], undecided: [{ fields: ['ip.src'] }] } },
  },
  {
    name: 'the origin’s own',
    before: [create({ action: 'add_reporting_directives', value: '' })],
    send: ask({ url: PAGE, origin_policy: "script-src 'self'", origin_policy_report_only: 'img-src *' }),
    expect: {
      status: 200,
      result: {
        origin_headers: [
          { name: ENFORCED, value: expect.stringMatching(/^script-src 'self'; report-uri/) },
          { name: REPORT_ONLY, value: expect.stringMatching(/^img-src \*; report-uri/) },
        ],
      },
    },
  },
  {
    name: 'monitoring without any policy',
    before: [{ method: 'PUT', path: '/zones/{zone}/page_shield', body: { enabled: true } }],
    send: ask({ url: PAGE }),
    expect: {
      status: 200,
      result: {
        headers: [
          {
            name: REPORT_ONLY,
            policy_id: null,
            sampled: true,
            value: expect.stringMatching(
              /^script-src 'unsafe-inline' 'unsafe-eval' 'report-sha256'; connect-src 'none'; /,
            ),
          },
          { name: 'reporting-endpoints', policy_id: null, sampled: false },
        ],
      },
    },
  },
  {
    name: 'no document',
    before: [create({})],
    send: ask({ url: PAGE, content_type: 'image/png' }),
    expect: { status: 200, result: NOTHING },
  },
  {
    name: 'not modified',
    before: [create({})],
    send: ask({ url: PAGE, status: '304' }),
    expect: { status: 200, result: NOTHING },
  },
  {
    name: 'the method counts',
    before: [create({ expression: 'http.request.method eq "POST"' })],
    send: ask({ url: PAGE, method: 'POST' }),
    expect: { status: 200, result: { headers: [{ name: REPORT_ONLY }, { name: 'reporting-endpoints' }] } },
  },
  ...[
    'https://example.org/',
    'https://notexample.com/',
    'ftp://example.com/',
    '/checkout',
    'example.com',
    'https://example.com.evil.test/',
  ].map((url) => ({
    name: `not a page of the zone: ${url}`,
    send: ask({ url }),
    expect: { status: 400, codes: [19641], pointers: ['/url'] },
  })),
  { name: 'no URL', send: ask({}), expect: { status: 400, codes: [6008], pointers: ['/url'] } },
  {
    name: 'an invalid status',
    send: ask({ url: PAGE, status: '99' }),
    expect: { status: 400, codes: [6008], pointers: ['/status'] },
  },
  {
    name: 'an invalid method',
    send: ask({ url: PAGE, method: 'get it' }),
    expect: { status: 400, codes: [6008], pointers: ['/method'] },
  },
])
