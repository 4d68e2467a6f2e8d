// Rules that change requests and responses: what they do, what later rules see, and what no expression can do.
import { parseIp, type HeaderLine, type RequestFacts, type ResponseFacts } from '@zonereeve/expr'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { inspect } from '../managed-rules/inspected-request.ts'
import { evaluateRequest } from '../rulesets/evaluate-request.ts'
import { changesResponses, evaluateErrorPage, evaluateResponse } from '../rulesets/evaluate-response.ts'
import { firewallOf, type ShortRule, type ShortRuleset } from '../rulesets/firewall.cases.ts'
import type { PhaseName } from '../rulesets/phases.ts'
import { editHeaders } from './header-edits.ts'
import { MAX_REWRITTEN_BYTES, rewriteTarget } from './uri-rewrite.ts'

function factsOf(target: string, headers: readonly HeaderLine[] = []): RequestFacts {
  const clientIp = parseIp('192.0.2.7')
  if (clientIp === undefined) throw new Error('no address')
  return {
    method: 'GET',
    version: 'HTTP/1.1',
    isTls: false,
    host: 'example.com',
    target,
    headers,
    clientIp,
    receivedAtMs: 0,
  }
}

const inPhase = (phase: PhaseName, ...rules: readonly ShortRule[]): ShortRuleset => ({
  id: phase,
  level: 'zone',
  phase,
  rules,
})
const rewriting = (id: string, parameters: ShortRule['parameters'], expression = 'true'): ShortRule => ({
  id,
  action: 'rewrite',
  expression,
  ...(parameters && { parameters }),
})
const uri = (part: 'path' | 'query', written: object, expression?: string): ShortRule =>
  rewriting(part, { uri: { [part]: written } }, expression)

const decide = (rulesets: readonly ShortRuleset[], target: string, headers: readonly HeaderLine[] = []) =>
  evaluateRequest(firewallOf(rulesets), inspect(factsOf(target, headers), new Uint8Array()))

describe('the rewritten target', () => {
  test.each<[string, readonly ShortRule[], string, string | undefined]>([
    ['a path', [uri('path', { value: '/new' })], '/old?a=1', '/new?a=1'],
    ['a query', [uri('query', { value: 'b=2' })], '/old?a=1', '/old?b=2'],
    ['a query where there was none', [uri('query', { value: 'b' })], '/old', '/old?b'],
    ['no query', [uri('query', { value: '' })], '/old?a=1', '/old'],
    ['neither: an empty query stays', [uri('path', { value: '/new' })], '/old?', '/new?'],
    [
      'a path by expression',
      [uri('path', { expression: 'regex_replace(http.request.uri.path, "^/blog/", "/news/")' })],
      '/blog/a?b',
      '/news/a?b',
    ],
    [
      'a path by wildcards',
      [uri('path', { expression: 'wildcard_replace(http.request.uri.path, "/a/*/b", "/${1}")' })],
      '/a/x/b',
      '/x',
    ],
    [
      'a query by an expression without a value',
      [uri('query', { expression: 'http.request.uri.args["none"][0]' })],
      '/a?b=1',
      '/a',
    ],
    [
      'a path by an expression without a value stays',
      [uri('path', { expression: 'http.request.uri.args["none"][0]' })],
      '/a?b=1',
      undefined,
    ],
    [
      'of two rules the later one',
      [uri('path', { value: '/one' }), uri('path', { value: '/two' })],
      '/',
      '/two',
    ],
    [
      'rules of one phase see the same request',
      [uri('path', { value: '/one' }), uri('path', { value: '/two' }, 'http.request.uri.path eq "/one"')],
      '/',
      '/one',
    ],
    ['a rule that does not match', [uri('path', { value: '/new' }, 'ssl')], '/old', undefined],
    [
      'characters that a target cannot have',
      [uri('path', { expression: 'url_decode(http.request.uri.query)' })],
      '/?a%0d%0aHost:%20b%3f%23%25%ff',
      '/a%0D%0AHost:%20b%3F%23%%FF?a%0d%0aHost:%20b%3f%23%25%ff',
    ],
  ])('%s', (_, rules, target, expected) => {
    const { facts } = decide([inPhase('http_request_transform', ...rules)], target).changes
    expect([facts.target, facts.rawTarget]).toEqual(
      expected === undefined ? [target, undefined] : [expected, target],
    )
  })

  test('later phases see it, raw fields and earlier phases do not', () => {
    const rewrite = inPhase('http_request_transform', uri('path', { value: '/new' }))
    const block = (expression: string) =>
      inPhase('http_request_firewall_custom', { id: 'block', action: 'block', expression })
    const isBlocked = (expression: string) => decide([rewrite, block(expression)], '/old').action === 'block'
    expect(isBlocked('http.request.uri.path eq "/new"')).toBe(true)
    expect(isBlocked('http.request.uri eq "/old"')).toBe(false)
    expect(isBlocked('raw.http.request.uri.path eq "/old"')).toBe(true)
    const redirect = inPhase('http_request_dynamic_redirect', {
      id: 'redirect',
      action: 'redirect',
      expression: 'http.request.uri.path eq "/new"',
      parameters: { from_value: { target_url: { value: 'https://example.com/' } } },
    })
    expect(decide([redirect, rewrite], '/old').action).toBeUndefined()
  })

  test('whatever the parts are, it is a request target of visible characters', () => {
    const octets = fc.string({
      unit: fc.integer({ min: 0, max: 255 }).map((one) => String.fromCharCode(one)),
    })
    const parts = fc.record({ path: octets, query: octets }, { requiredKeys: [] })
    fc.assert(
      fc.property(parts, (one) => {
        const target = rewriteTarget('/kept?q', one)
        expect(target).toMatch(/^\/[\x21\x24-\x3b\x3d\x3f-\x5b\x5d\x5f\x61-\x7a\x7e]*$/)
        expect(rewriteTarget(target, {})).toBe(target)
      }),
    )
  })

  test('a target that is too long is not used', () => {
    const longest = 'a'.repeat(MAX_REWRITTEN_BYTES - 1)
    expect(rewriteTarget('/a', { path: longest })).toBe(`/${longest}`)
    expect(rewriteTarget('/a', { path: `${longest}a` })).toBe('/a')
  })
})

describe('request headers', () => {
  const sent: readonly HeaderLine[] = [
    ['X-A', 'one'],
    ['x-a', 'two'],
    ['X-B', 'b'],
  ]
  test.each<[string, Readonly<Record<string, object>>, readonly HeaderLine[]]>([
    [
      'set',
      { 'X-A': { operation: 'set', value: 'new' } },
      [
        ['X-B', 'b'],
        ['x-a', 'new'],
      ],
    ],
    ['set: another one', { 'x-c': { operation: 'set', value: 'c' } }, [...sent, ['x-c', 'c']]],
    ['add', { 'x-b': { operation: 'add', value: 'c' } }, [...sent, ['x-b', 'c']]],
    ['remove: all lines', { 'x-A': { operation: 'remove' } }, [['X-B', 'b']]],
    ['remove: what is not there', { 'x-c': { operation: 'remove' } }, sent],
    [
      'set by expression',
      { 'x-c': { operation: 'set', expression: 'concat(http.host, " ", http.request.uri.path)' } },
      [...sent, ['x-c', 'example.com /p']],
    ],
    [
      'set to no value removes what the client sent',
      { 'x-a': { operation: 'set', expression: 'http.request.uri.args["none"][0]' } },
      [['X-B', 'b']],
    ],
    ['add no value', { 'x-a': { operation: 'add', expression: 'http.request.uri.args["none"][0]' } }, sent],
    [
      'octets outside of ASCII, and control characters',
      { 'x-c': { operation: 'set', expression: 'url_decode(http.request.uri.args["v"][0])' } },
      [...sent, ['x-c', String.raw`S\u00c3\u00a3o  X: y`]],
    ],
    ['headers that a saved rule cannot change', { host: { operation: 'remove' } }, sent],
  ])('%s', (_, headers, expected) => {
    const { changes } = decide(
      [inPhase('http_request_late_transform', rewriting('headers', { headers }))],
      '/p?v=S%C3%A3o%0d%0aX:%20y',
      sent,
    )
    expect(editHeaders(sent, changes.headers)).toEqual(expected)
  })

  test('a request that a rule stops has no changes', () => {
    const late = inPhase(
      'http_request_late_transform',
      rewriting('headers', { headers: { 'x-a': { operation: 'remove' } } }),
    )
    const block = inPhase('http_request_firewall_custom', { id: 'block', action: 'block' })
    expect(decide([late, block], '/').changes.headers).toEqual([])
  })

  test('a value is one line, whatever the expression gives', () => {
    const firewall = firewallOf([
      inPhase(
        'http_request_late_transform',
        rewriting('headers', {
          headers: { 'x-a': { operation: 'set', expression: 'http.request.uri.path' } },
        }),
      ),
    ])
    const octets = fc.string({
      unit: fc.integer({ min: 0, max: 255 }).map((one) => String.fromCharCode(one)),
    })
    fc.assert(
      fc.property(octets, (path) => {
        const request = inspect({ ...factsOf(path), normalization: 'none' }, new Uint8Array())
        const lines = editHeaders([['x-a', 'sent']], evaluateRequest(firewall, request).changes.headers)
        expect(lines.length).toBeLessThanOrEqual(1)
        for (const [name, value] of lines) {
          expect(name).toBe('x-a')
          expect(value).toMatch(/^[\x21-\x7e](?:[\x20-\x7e]*[\x21-\x7e])?$/)
          expect(value).not.toBe('sent')
        }
      }),
    )
  })
})

describe('responses', () => {
  const response: ResponseFacts = {
    status: 404,
    headers: [
      ['Server', 'a'],
      ['X-Powered-By', 'b'],
    ],
  }
  const ruleset = inPhase(
    'http_response_headers_transform',
    rewriting(
      'missing',
      {
        headers: {
          'x-powered-by': { operation: 'remove' },
          'x-path': { operation: 'set', expression: 'http.request.uri.path' },
        },
      },
      'http.response.code eq 404',
    ),
  )
  const after = (rulesets: readonly ShortRuleset[], answered = response) => {
    const firewall = firewallOf(rulesets)
    const { changes } = evaluateRequest(firewall, inspect(factsOf('/old'), new Uint8Array()))
    return evaluateResponse(firewall, changes, answered)
  }

  test('headers by request and response', () => {
    const { headers, steps } = after([ruleset])
    expect(headers).toEqual([
      ['Server', 'a'],
      ['x-path', '/old'],
    ])
    expect(steps.map(({ ruleId, outcome }) => [ruleId, outcome])).toEqual([['missing', 'matched']])
  })
  test('another response stays as it is', () =>
    expect(after([ruleset], { ...response, status: 200 }).headers).toEqual(response.headers))
  test('rules see the rewritten path', () =>
    expect(
      after([inPhase('http_request_transform', uri('path', { value: '/new' })), ruleset]).headers,
    ).toEqual([
      ['Server', 'a'],
      ['x-path', '/new'],
    ]))
  test('a rule of the request can skip the phase', () => {
    const skip = inPhase('http_request_firewall_custom', {
      id: 'skip',
      action: 'skip',
      parameters: { phases: ['http_response_headers_transform'] },
    })
    expect(after([skip, ruleset]).headers).toEqual(response.headers)
  })
  test('without rules nothing is evaluated', () => {
    expect(changesResponses(firewallOf([ruleset]))).toBe(true)
    expect(changesResponses(firewallOf([]))).toBe(false)
  })
})

describe('pages for errors', () => {
  const page = (id: string, parameters: Readonly<Record<string, string | number>>, expression = 'true') => ({
    id,
    action: 'serve_error' as const,
    expression,
    parameters: { content_type: 'text/plain', ...parameters },
  })
  const pageFor = (rulesets: readonly ShortRuleset[], status: number) => {
    const firewall = firewallOf(rulesets)
    const { changes } = evaluateRequest(firewall, inspect(factsOf('/old'), new Uint8Array()))
    return evaluateErrorPage(firewall, changes, { status, headers: [] }).page
  }
  const own = inPhase('http_custom_errors', page('a', { content: 'a' }, 'http.response.code eq 404'))
  const skip = inPhase('http_request_firewall_custom', {
    id: 'skip',
    action: 'skip',
    parameters: { phases: ['http_custom_errors'] },
  })
  test.each([
    [
      'the status of the response stays',
      [own],
      404,
      { statusCode: 404, contentType: 'text/plain', content: 'a' },
    ],
    ['the expression does not match', [own], 500, undefined],
    ['no error', [inPhase('http_custom_errors', page('a', { content: 'a' }))], 399, undefined],
    [
      'a status of its own, after a rule with an asset, which has no effect',
      [
        inPhase(
          'http_custom_errors',
          page('x', { asset_name: 'x' }),
          page('b', { content: 'b', status_code: 503 }),
        ),
      ],
      400,
      { statusCode: 503, contentType: 'text/plain', content: 'b' },
    ],
    ['a rule of the request skips the phase', [skip, own], 404, undefined],
    ['no rules', [], 404, undefined],
  ])('%s', (_, rulesets, status, expected) => expect(pageFor(rulesets, status)).toEqual(expected))
})
