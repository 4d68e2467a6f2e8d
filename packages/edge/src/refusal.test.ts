// Pages for errors in place of the edge's own: their headers are those that rules and policies give to that page.
import type { HeaderLine } from '@zonereeve/expr'
import { expect, test } from 'vitest'
import type { EdgeDecision } from './engine.ts'
import { failureOf, refusalOf } from './refusal.ts'

const POLICY = "default-src 'self'"
const OWN_POLICY = "default-src 'none'"

function deciding(more: Partial<EdgeDecision>, seen: unknown[] = []): EdgeDecision {
  return {
    rayId: '00000000000000aa',
    outcome: 'decided',
    zone: undefined,
    action: 'block',
    response: { statusCode: 403 },
    responseHeaders: ({ status, headers }) => {
      seen.push([status, headers.find(([name]) => name === 'content-type')?.[1]])
      const others = headers.filter(([name]) => name !== 'content-security-policy')
      return [...others, ['content-security-policy', POLICY] satisfies HeaderLine]
    },
    ...more,
  }
}
const errorPage = (contentType: string) => () => ({ statusCode: 418, contentType, content: 'page' })

test.each([
  ['a refused request', (decision: EdgeDecision) => refusalOf(decision, undefined), 403],
  ['an origin that does not answer', (decision: EdgeDecision) => failureOf(decision, 502), 502],
] as const)('%s', (_, reply, status) => {
  const seen: unknown[] = []
  const page = reply(deciding({ errorPage: errorPage('text/html') }, seen))
  expect([page.statusCode, page.body]).toEqual([418, 'page'])
  expect(page.headers).toMatchObject({
    'content-type': 'text/html; charset=utf-8',
    'content-security-policy': POLICY,
    'x-ray-id': '00000000000000aa',
  })
  expect(seen).toEqual([[418, 'text/html; charset=utf-8']])
  expect(reply(deciding({ errorPage: errorPage('application/json') })).headers['content-type']).toBe(
    'application/json',
  )
  const own = reply(deciding({}))
  expect([own.statusCode, own.headers['content-security-policy']]).toEqual([status, POLICY])
})

test("without rules for headers, a page has no policy, and the edge's own has its own", () => {
  const { responseHeaders: _, ...decision } = deciding({})
  const withPage = { ...decision, errorPage: errorPage('text/html') }
  expect(refusalOf(withPage, undefined).headers).not.toHaveProperty('content-security-policy')
  expect(refusalOf(decision, undefined).headers['content-security-policy']).toContain(OWN_POLICY)
})
