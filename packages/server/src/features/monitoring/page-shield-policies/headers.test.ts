// Which policies match a response, and the headers over HTTP.
import { describe, expect, test } from 'vitest'
import { scenarios, type Send } from '../../../testing/scenarios.ts'
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

const ENFORCED = 'content-security-policy'
const REPORT_ONLY = 'content-security-policy-report-only'

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
