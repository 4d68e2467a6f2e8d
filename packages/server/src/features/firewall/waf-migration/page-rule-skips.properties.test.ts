// Page rules, of which the first match decides, compared with the equivalent skip rules: equal for every URL.
import {
  compileExpression,
  parseIp,
  requestContext,
  requestScheme,
  utf8,
  type Condition,
} from '@zonereeve/expr'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { PageRule } from '../page-rules/index.ts'
import { isTooLong, pageRuleSkips } from './page-rule-skips.rules.ts'

const scheme = requestScheme()
const clientIp = parseIp('192.0.2.1') ?? expect.fail('no address')

interface Url {
  readonly isTls: boolean
  readonly host: string
  readonly port: number
  readonly path: string
  /** undefined = none. */
  readonly query: string | undefined
}

const url: fc.Arbitrary<Url> = fc.record({
  isTls: fc.boolean(),
  host: fc.constantFrom('example.com', 'www.example.com', 'a.example.com', 'xn--mnchen-3ya.example.com'),
  port: fc.constantFrom(80, 443, 8443),
  path: fc.constantFrom('/', '/admin', '/ADMIN/x', '/admin/x.txt', '/static/a', '/a%C3%A9', '/a\\b', '/x"y'),
  query: fc.constantFrom(undefined, '', 'q=1', '://example.com/admin', 'a=/static/'),
})

const pattern = fc
  .tuple(
    fc.constantFrom('', '', '', 'http://', 'https://', 'http*://', '*://', 'htt*s://', 'ftp://'),
    fc.constantFrom(
      'example.com',
      'www.example.com',
      'WWW.Example.com',
      '*example.com',
      '*.example.com',
      '**.example.com',
      '*',
      'a.*',
      'münchen.example.com',
    ),
    fc.constantFrom('', '', ':8443', ':*', ':443'),
    fc.constantFrom(
      '',
      '/',
      '/*',
      '/**',
      '/admin',
      '/admin*',
      '/*/x',
      '/static/*',
      '/aé',
      '/a\\b',
      '/x"y',
      '/?q=*',
      '/admin?*',
      '?q=1',
    ),
  )
  .map((parts) => parts.join(''))

const actions = fc.constantFrom<PageRule['actions']>(
  [{ id: 'disable_security' }],
  [{ id: 'waf', value: 'off' }],
  [{ id: 'waf', value: 'on' }],
  [{ id: 'waf', value: 'on' }, { id: 'disable_security' }],
  [{ id: 'cache_level', value: 'bypass' }],
)

const target = fc.oneof(
  { weight: 6, arbitrary: pattern.map((value) => ({ operator: 'matches' as const, value })) },
  {
    weight: 1,
    arbitrary: fc.record({
      operator: fc.constantFrom('contains', 'equals', 'not_equal', 'not_contain'),
      value: fc.constantFrom('/admin', 'www.example.com/', 'https://example.com/', 'static'),
    }),
  },
)

const pageRule: fc.Arbitrary<PageRule> = fc.record({
  id: fc.constant('1'),
  targets: target.map((constraint) => [{ target: 'url' as const, constraint }]),
  actions,
  priority: fc.constant(1),
  status: fc.constantFrom('active', 'active', 'active', 'disabled'),
  createdOn: fc.constant(''),
  modifiedOn: fc.constant(''),
})

/** Whether the legacy managed rules act on a URL: a direct implementation of the product's description. */
function legacyActs(rules: readonly PageRule[], wafOn: boolean, at: Url): boolean {
  const first = rules.find(({ status, targets: [one] }) => status === 'active' && one && fits(one, at))
  if (first === undefined) return wafOn
  if (first.actions.some(({ id }) => id === 'disable_security')) return false
  const waf = first.actions.find(({ id }) => id === 'waf')
  return waf === undefined ? wafOn : waf.value === 'on'
}

function fits({ constraint: { operator, value } }: PageRule['targets'][number], at: Url): boolean {
  const text = `${at.isTls ? 'https' : 'http'}://${at.host}${at.path}${at.query === undefined ? '' : `?${at.query}`}`
  const sameUrl = text === value || text === `http://${value}` || text === `https://${value}`
  if (operator === 'equals') return sameUrl
  if (operator === 'not_equal') return !sameUrl
  if (operator === 'contains') return text.includes(value)
  if (operator === 'not_contain') return !text.includes(value)
  return fitsPattern(value, at)
}

function fitsPattern(value: string, at: Url): boolean {
  const afterScheme = value.indexOf('://')
  const schemeText = afterScheme === -1 ? '*' : value.slice(0, afterScheme)
  const rest = afterScheme === -1 ? value : value.slice(afterScheme + 3)
  const end = rest.search(/[/?]/)
  const authority = end === -1 ? rest : rest.slice(0, end)
  const tail = end === -1 ? '' : rest.slice(end)
  const [host = '', port = '*'] = authority.split(':')
  const goesOn = tail === '' && host.endsWith('*')
  const path = goesOn ? '*' : tail.startsWith('/') ? tail : `/${tail}`
  const hasQuery = path.includes('?')
  const present = hasQuery && at.query !== undefined ? `${at.path}?${at.query}` : at.path
  return (
    star(schemeText, at.isTls ? 'https' : 'http') &&
    star(host.replace('münchen', 'xn--mnchen-3ya'), at.host) &&
    star(port, String(at.port)) &&
    star(path.replaceAll('é', '%C3%A9'), present.replaceAll('\\', '/'), true)
  )
}

/** @param isPath backslashes in paths become slashes, so that a pattern with a backslash matches no path. */
function star(text: string, value: string, isPath = false): boolean {
  if (isPath && text.includes('\\')) return false
  const escaped = text.replaceAll(/[.+?^${}()|[\]\\]/g, String.raw`\$&`).replaceAll('*', '[^]*')
  return new RegExp(`^${escaped}$`, 'i').test(value)
}

const compiled = new Map<string, Condition>()
function holds(expression: string, at: Url): boolean {
  const condition = compiled.get(expression) ?? compileExpression(expression, scheme)
  compiled.set(expression, condition)
  return condition(
    requestContext(scheme, {
      method: 'GET',
      version: 'HTTP/1.1',
      isTls: at.isTls,
      // In any case that a client may use.
      host: utf8(at.isTls ? at.host.toUpperCase() : at.host),
      target: utf8(at.path + (at.query === undefined ? '' : `?${at.query}`)),
      headers: [],
      clientIp,
      receivedAtMs: 0,
      server: { ip: clientIp, port: at.port },
    }),
  )
}

describe('skip rules for page rules', () => {
  test('match where the page rules disable the legacy managed rules', () => {
    let acts = 0
    let passes = 0
    fc.assert(
      fc.property(
        fc.array(pageRule, { maxLength: 6 }),
        fc.boolean(),
        fc.array(url, { minLength: 8, maxLength: 8 }),
        (rules, wafOn, urls) => {
          const { skips, isWafOnSomewhere } = pageRuleSkips(rules, wafOn)
          for (const { expression } of skips) expect(isTooLong(expression)).toBe(false)
          for (const at of urls) {
            const before = legacyActs(rules, wafOn, at)
            const after = isWafOnSomewhere && !skips.some(({ expression }) => holds(expression, at))
            if (before) acts += 1
            else passes += 1
            expect([after, at, skips]).toEqual([before, at, skips])
          }
        },
      ),
      { numRuns: 400 },
    )
    expect(Math.min(acts, passes)).toBeGreaterThan(100)
  })

  test('are the same for the same page rules', () => {
    fc.assert(
      fc.property(fc.array(pageRule, { maxLength: 6 }), fc.boolean(), (rules, wafOn) => {
        expect(pageRuleSkips(structuredClone(rules), wafOn)).toEqual(pageRuleSkips(rules, wafOn))
      }),
      { numRuns: 50 },
    )
  })
})
