// The headers of pages: which policies apply, sampling, where browsers report to, and what stays as it was.
import { ipv4, type HeaderLine, type RequestFacts } from '@zonereeve/expr'
import { describe, expect, test } from 'vitest'
import { compilePages, isPage, withPageHeaders } from './page-headers.ts'
import type { PageHeaders } from './zone-document.ts'

const HTML: HeaderLine = ['content-type', 'text/html; charset=utf-8']
const REPORT_ONLY = 'content-security-policy-report-only'
const ENFORCED = 'content-security-policy'
const MONITORING: PageHeaders['monitoring'] = {
  oneIn: 4,
  address: '/r?s=4',
  wholePaths: ['/pay'],
  wholeAddress: '/r?s=1',
}
const policy = (
  id: string,
  action: PageHeaders['policies'][number]['action'],
  expression = 'true',
): PageHeaders['policies'][number] => ({
  id,
  action,
  expression,
  value: `script-src '${id}'`,
  address: `/r?p=${id}`,
})

interface Case {
  readonly name: string
  readonly pages?: Partial<PageHeaders>
  readonly request?: Partial<RequestFacts>
  readonly status?: number
  readonly headers?: readonly HeaderLine[]
  readonly random?: number
  readonly added: readonly (readonly [string, string | RegExp])[]
}

const facts = (more: Partial<RequestFacts> = {}): RequestFacts => ({
  method: 'GET',
  version: 'HTTP/1.1',
  isTls: true,
  host: 'www.example.com',
  target: '/shop?a=1',
  headers: [],
  clientIp: ipv4(0x0a000001),
  receivedAtMs: 0,
  ...more,
})

function linesOf({
  pages,
  request,
  status = 200,
  headers = [HTML],
  random = 0.1,
}: Case): readonly HeaderLine[] {
  const compiled = compilePages({ collector: null, monitoring: null, policies: [], ...pages })
  return withPageHeaders(compiled, facts(request), { status, headers }, random)
}

describe('the lines added to a response', () => {
  test.each<Case>([
    { name: 'none without policies and monitoring', added: [] },
    {
      name: 'monitoring, at the host of the page',
      pages: { monitoring: MONITORING },
      added: [
        [REPORT_ONLY, /report-uri https:\/\/www\.example\.com\/r\?s=4; report-to zonereeve-monitoring$/],
        ['reporting-endpoints', 'zonereeve-monitoring="https://www.example.com/r?s=4"'],
      ],
    },
    {
      name: 'monitoring, at a collector',
      pages: { monitoring: MONITORING, collector: 'https://reports.example.net' },
      added: [
        [REPORT_ONLY, /report-uri https:\/\/reports\.example\.net\/r\?s=4; /],
        ['reporting-endpoints', /reports\.example\.net/],
      ],
    },
    {
      name: 'without encryption: a path, which suits whatever the browser sees',
      pages: { monitoring: MONITORING },
      request: { isTls: false },
      added: [[REPORT_ONLY, /; report-uri \/r\?s=4$/]],
    },
    { name: 'not in the sample', pages: { monitoring: MONITORING }, random: 0.25, added: [] },
    {
      name: 'a path that is always in the sample, and below it',
      pages: { monitoring: MONITORING },
      request: { target: '/pay/card?x' },
      random: 0.99,
      added: [
        [REPORT_ONLY, /r\?s=1;/],
        ['reporting-endpoints', /r\?s=1/],
      ],
    },
    {
      name: 'another path that only begins like it',
      pages: { monitoring: MONITORING },
      request: { target: '/payment' },
      random: 0.99,
      added: [],
    },
    {
      name: 'policies in order, each a line, whatever the sample',
      pages: { policies: [policy('a', 'allow'), policy('b', 'log')] },
      random: 0.99,
      added: [
        [ENFORCED, /^script-src 'a'; report-uri https:\/\/www\.example\.com\/r\?p=a; report-to zonereeve-a$/],
        [REPORT_ONLY, /^script-src 'b'; /],
        ['reporting-endpoints', /zonereeve-a=.*zonereeve-b=/],
      ],
    },
    {
      name: 'a policy for other pages, by a field that no one knows in advance',
      pages: {
        policies: [
          policy('a', 'allow', 'ip.src eq 10.0.0.1'),
          policy('b', 'allow', 'ip.src eq 10.0.0.2'),
          policy('c', 'allow', 'http.response.code eq 200'),
        ],
      },
      added: [
        [ENFORCED, /^script-src 'a'/],
        [ENFORCED, /^script-src 'c'/],
        ['reporting-endpoints', /./],
      ],
    },
    {
      name: 'not a policy whose expression is not known here; the others stay',
      pages: { policies: [policy('a', 'allow', 'no.such.field eq 1'), policy('b', 'allow')] },
      added: [
        [ENFORCED, /^script-src 'b'/],
        ['reporting-endpoints', /./],
      ],
    },
    {
      name: 'not to a response that is no page',
      pages: { monitoring: MONITORING, policies: [policy('a', 'allow')] },
      headers: [['content-type', 'application/json']],
      added: [],
    },
    { name: 'not without a type', pages: { monitoring: MONITORING }, headers: [], added: [] },
    { name: 'not to 304', pages: { monitoring: MONITORING }, status: 304, added: [] },
    {
      name: 'to a page that says that something failed',
      pages: { policies: [policy('a', 'allow')] },
      status: 500,
      added: [
        [ENFORCED, /./],
        ['reporting-endpoints', /./],
      ],
    },
  ])('$name', (one) => {
    const { headers = [HTML], added } = one
    const lines = linesOf(one)
    expect(lines.slice(0, headers.length)).toEqual(headers)
    expect(lines.slice(headers.length)).toEqual(
      added.map(([name, value]) => [name, typeof value === 'string' ? value : expect.stringMatching(value)]),
    )
  })

  test("reporting is added to the page's own policy, which is replaced and never lost", () => {
    const own: HeaderLine = ['Content-Security-Policy', "default-src 'self'"]
    const lines = linesOf({
      name: '',
      pages: { policies: [policy('a', 'add_reporting_directives')] },
      headers: [HTML, own, ['x-other', '1']],
      added: [],
    })
    expect(lines).toEqual([
      HTML,
      ['x-other', '1'],
      [ENFORCED, "default-src 'self'; report-uri https://www.example.com/r?p=a; report-to zonereeve-a"],
      ['reporting-endpoints', 'zonereeve-a="https://www.example.com/r?p=a"'],
    ])
  })

  test("the page's own policy stays beside ours", () => {
    const own: HeaderLine = ['Content-Security-Policy', "default-src 'self'"]
    const lines = linesOf({
      name: '',
      pages: { policies: [policy('a', 'allow')] },
      headers: [HTML, own],
      added: [],
    })
    expect(lines.filter(([name]) => name.toLowerCase() === ENFORCED)).toHaveLength(2)
    expect(lines).toContainEqual(own)
  })
})

test.each([
  [200, 'text/html', true],
  [404, 'TEXT/HTML;charset=x', true],
  [200, 'application/xhtml+xml', true],
  [200, 'text/htmlx', false],
  [200, 'text/plain', false],
  [304, 'text/html', false],
])('%d %s', (status, type, expected) =>
  expect(isPage({ status, headers: [['Content-Type', type]] })).toBe(expected),
)
