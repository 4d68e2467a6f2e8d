// Checking expressions over HTTP: the reply for a valid one, and the whole frame for an invalid one.
import { scenarios } from '../../../testing/scenarios.ts'
import { describe, expect, test } from 'vitest'
import { readExpression } from '@zonereeve/firewall'

const PATH = '/filters/validate-expr'
const post = (expression: unknown) => ({ method: 'POST', path: PATH, body: { expression } })

scenarios('/filters/validate-expr', [
  {
    name: 'a valid one is returned in canonical form, with what it uses',
    send: post('http.host == "a.example" && lower(http.request.uri.path) contains "x"'),
    expect: {
      status: 200,
      result: {
        canonical: 'http.host eq "a.example" and lower(http.request.uri.path) contains "x"',
        fields: ['http.host', 'http.request.uri.path'],
        functions: ['lower'],
      },
    },
  },
  {
    name: 'in the query, percent-encoded',
    send: { method: 'GET', path: `${PATH}?expression=${encodeURIComponent('ip.src in {192.0.2.0/24}')}` },
    expect: { status: 200, result: { fields: ['ip.src'], functions: [] } },
  },
  {
    name: 'an unknown field',
    send: post('URI Path contains /'),
    expect: { status: 400, codes: [19701], pointers: ['/expression'] },
  },
  {
    name: 'longer than the language allows',
    send: post(`http.host eq "${'a'.repeat(4_100)}"`),
    expect: { status: 400, codes: [19701], pointers: ['/expression'] },
  },
  {
    name: 'no expression',
    send: { method: 'GET', path: PATH },
    expect: { status: 400, codes: [6008], pointers: ['/expression'] },
  },
  { name: 'not a string', send: post(5), expect: { status: 400, codes: [6008], pointers: ['/expression'] } },
  {
    name: 'without a credential',
    send: { ...post('true'), token: null },
    expect: { status: 400, codes: [9106] },
  },
])

describe('the frame', () => {
  test.each([
    ['URI Path contains /', 'Filter parsing error (1:1):\nURI Path contains /\n^^^ unknown identifier\n'],
    [
      '(ip.src ne 210.94.41.89 and not http.request.uri.path in {"/api/notices", "/api/notices/latest"} and zzz)',
      undefined,
    ],
  ])('%s', (source, frame) => {
    const read = readExpression(source, '/expression')
    const text = 'values' in read ? read.values?.['frame'] : undefined
    if (frame !== undefined) expect(text).toBe(frame)
    expect(text).toMatch(/^Filter parsing error \(1:\d+\):\n/)
  })
})
