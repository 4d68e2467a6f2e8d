// Which headers of a page are compared, what about them is steady, and which policies are missing.
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { headersFor } from './policy-headers.ts'
import { headerChanges, missingPolicies, type ReceivedHeader, servedHeaders } from './served-headers.ts'

const POLICY = 'a'.repeat(32)
const address = (purpose: string, day = 1) =>
  `https://example.com/cdn-cgi/script_monitor/report?v=1&z=${'b'.repeat(32)}&${purpose}&e=${day}&m=x`

describe('headers that are compared', () => {
  test.each<[name: string, received: ReceivedHeader[], served: string[]]>([
    ['none', [], []],
    [
      'others are left out',
      [
        ['Server', 'nginx'],
        ['Content-Type', 'text/html'],
        ['X-Frame-Options', 'DENY'],
      ],
      ['x-frame-options: DENY'],
    ],
    [
      'whitespace',
      [['Referrer-Policy', '  no-referrer ,  same-origin ']],
      ['referrer-policy: no-referrer , same-origin'],
    ],
    ['an empty one', [['Permissions-Policy', ' ']], []],
    [
      'sorted, twice if sent twice',
      [
        ['X-Frame-Options', 'b'],
        ['Strict-Transport-Security', 'max-age=1'],
        ['x-frame-options', 'a'],
        ['x-frame-options', 'a'],
      ],
      [
        'strict-transport-security: max-age=1',
        'x-frame-options: a',
        'x-frame-options: a',
        'x-frame-options: b',
      ],
    ],
    [
      'a cookie without its value and times',
      [
        [
          'Set-Cookie',
          'sid=secret; Secure; Path=/; Expires=Thu, 26 Nov 2026 01:00:00 GMT; SameSite=Lax; Max-Age=60',
        ],
      ],
      ['set-cookie: sid; expires; max-age; path=/; samesite=Lax; secure'],
    ],
    ['a cookie without a name', [['Set-Cookie', '=secret']], []],
    [
      'policies in one header',
      [['Content-Security-Policy', "default-src 'self', img-src *"]],
      ["content-security-policy: default-src 'self'", 'content-security-policy: img-src *'],
    ],
    [
      'nonces',
      [['Content-Security-Policy', "script-src 'nonce-abc123' 'self'"]],
      ["content-security-policy: script-src 'nonce-*' 'self'"],
    ],
    [
      'our reporting addresses',
      [
        [
          'Content-Security-Policy',
          `default-src 'self'; report-uri ${address(`p=${POLICY}`)} https://own.example/; report-to zonereeve-${POLICY}`,
        ],
      ],
      ["content-security-policy: default-src 'self'; report-uri https://own.example/"],
    ],
    [
      "monitoring's policy",
      [
        ['Content-Security-Policy-Report-Only', `connect-src 'none'; report-uri ${address('s=10')}`],
        ['Content-Security-Policy-Report-Only', 'script-src *; report-to zonereeve-monitoring'],
      ],
      [],
    ],
  ])('%s', (_, received, served) => {
    expect(servedHeaders(received).map(({ name, value }) => `${name}: ${value}`)).toEqual(served)
  })

  test('no header with a secret value leaves with it', () => {
    const served = servedHeaders([
      ['Set-Cookie', 'sid=top-secret; Path=/'],
      ['Set-Cookie', 'top-secret'],
    ])
    expect(JSON.stringify(served)).not.toContain('top-secret')
  })

  test('any input is read, and its result is steady and bounded', () => {
    const name = fc.constantFrom('content-security-policy', 'Set-Cookie', 'X-Frame-Options', 'Server')
    fc.assert(
      fc.property(fc.array(fc.tuple(name, fc.string()), { maxLength: 150 }), (received) => {
        const served = servedHeaders(received)
        expect(served.length).toBeLessThanOrEqual(100)
        expect(servedHeaders(received.toReversed())).toEqual(served)
        expect(headerChanges(served, served)).toEqual([])
      }),
    )
  })
})

describe('policies that should have been sent', () => {
  const allow = { id: POLICY, action: 'allow', value: "script-src 'self'; object-src 'none';" } as const
  const log = { id: 'c'.repeat(32), action: 'log', value: 'img-src https:' } as const

  test.each([
    ['https://example.com', true],
    ['http://example.com', false],
  ])('what our own headers send is not missing (%s)', (origin, isSecurePage) => {
    const { added } = headersFor({
      policies: [allow, log],
      isSecurePage,
      origin: [],
      reportingUrl: (id) => `${origin}/cdn-cgi/script_monitor/report?p=${id}`,
      monitoring: { oneIn: 1, alsoReport: [], url: address('s=1') },
    })
    const served = added.map(({ name, value }): ReceivedHeader => [name, value])
    expect(missingPolicies([allow, log], served)).toEqual([])
    expect(servedHeaders(served)).toHaveLength(2)
  })

  test.each<[name: string, served: ReceivedHeader[], missing: string[]]>([
    ['nothing is sent', [], [allow.id, log.id]],
    [
      'a source is added',
      [['Content-Security-Policy', "script-src 'self' https://evil.example; object-src 'none'"]],
      [allow.id, log.id],
    ],
    [
      'it is only reported',
      [['Content-Security-Policy-Report-Only', "script-src 'self'; object-src 'none'"]],
      [allow.id, log.id],
    ],
    [
      'both in lists of policies',
      [
        ['content-security-policy', "default-src *, script-src 'self'; object-src 'none'"],
        ['content-security-policy-report-only', 'img-src https:'],
      ],
      [],
    ],
  ])('%s', (_, served, missing) => {
    expect(missingPolicies([allow, log], served).map(({ id }) => id)).toEqual(missing)
  })
})

test('changes are paired by name', () => {
  const header = (name: string, value: string) => ({ name, value })
  expect(
    headerChanges(
      [header('a', '1'), header('set-cookie', 'x'), header('set-cookie', 'y'), header('z', '1')],
      [
        header('b', '1'),
        header('set-cookie', 'y'),
        header('set-cookie', 'v'),
        header('set-cookie', 'w'),
        header('z', '2'),
      ],
    ),
  ).toEqual([
    { name: 'a', before: '1', after: null },
    { name: 'b', before: null, after: '1' },
    { name: 'set-cookie', before: 'x', after: 'v' },
    { name: 'set-cookie', before: null, after: 'w' },
    { name: 'z', before: '1', after: '2' },
  ])
})
