// The headers of a response: its policies, their order, and their reporting.
import { describe, expect, test } from 'vitest'
import { headersFor, isDocument, type AlsoReported, type SentPolicy, type ToSend } from './policy-headers.ts'

const policy = (id: string, action: SentPolicy['action'], value = ''): SentPolicy => ({ id, action, value })

const reportingUrl = (id: string): string => `https://r.test/?p=${id}`
const ENFORCED = 'content-security-policy'
const REPORT_ONLY = 'content-security-policy-report-only'
const MONITORING = 'https://r.test/?m=1'
const monitoring = { url: MONITORING, oneIn: 20, alsoReport: [] }
const lines = (
  policies: readonly SentPolicy[],
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

  test.each<readonly [string, boolean, readonly AlsoReported[], readonly string[]]>([
    [
      'frames, images and forms',
      true,
      ['frames', 'images', 'forms'],
      [
        `script-src 'unsafe-inline' 'unsafe-eval' 'report-sha256'; connect-src 'none'; frame-src 'none'; img-src 'none'; form-action 'none'; report-uri ${MONITORING}; report-to zonereeve-monitoring`,
      ],
    ],
    [
      'inline code',
      true,
      ['inline'],
      [
        `script-src 'unsafe-eval' 'report-sample' 'report-sha256'; connect-src 'none'; report-uri ${MONITORING}; report-to zonereeve-monitoring`,
      ],
    ],
    [
      'evaluated strings',
      true,
      ['eval'],
      [
        `script-src 'unsafe-inline' 'report-sample' 'report-sha256'; connect-src 'none'; report-uri ${MONITORING}; report-to zonereeve-monitoring`,
      ],
    ],
    [
      'frames without an address, for which the Reporting API sends nothing',
      true,
      ['about_frames'],
      [
        `script-src 'unsafe-inline' 'unsafe-eval'; connect-src 'none'; report-uri ${MONITORING}`,
        "script-src * data: blob: 'unsafe-inline' 'unsafe-eval' 'report-sha256'; report-to zonereeve-monitoring",
      ],
    ],
    [
      'the same without TLS, where report-uri is used anyway',
      false,
      ['about_frames'],
      [
        `script-src 'unsafe-inline' 'unsafe-eval' 'report-sha256'; connect-src 'none'; report-uri ${MONITORING}`,
      ],
    ],
  ])('monitoring also reports %s', (_, isSecurePage, alsoReport, expected) => {
    const { added } = lines([], { isSecurePage, monitoring: { ...monitoring, alsoReport } })
    const policies = added.filter(({ name }) => name === REPORT_ONLY)
    expect(policies.map(({ value }) => value)).toEqual(expected)
    expect(policies.every(({ isSampled, oneIn }) => isSampled && oneIn === 20)).toBe(true)
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
