// The OWASP Core Rule Set as Debian ships it: which rules run, and what they find.
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { CORE_RULE_SET } from '../../../scripts/requirements.ts'
import { describeWith } from '../../../scripts/test-requirements.ts'
import { compileRuleSet } from './transaction/compile-rule-set.ts'
import { evaluateRules } from './transaction/evaluate.ts'
import type { HttpRequest } from './transaction/http-message.ts'
import { describeSupport } from './transaction/support.ts'
import { parseRuleSet, type SourceFile } from './rules/parse-rule-set.ts'

const readFiles = (): readonly SourceFile[] =>
  readdirSync(CORE_RULE_SET)
    .filter((name) => /\.(?:conf|data)$/.test(name))
    .toSorted()
    .map((name) => ({ name, text: readFileSync(join(CORE_RULE_SET, name), 'latin1') }))

/** What Debian sets in /etc/modsecurity/crs/crs-setup.conf. */
const SETUP: SourceFile = {
  name: 'crs-setup.conf',
  text: 'SecAction "id:900990,phase:1,nolog,pass,t:none,setvar:tx.crs_setup_version=334"',
}

describeWith('modsecurity-crs', 'the Core Rule Set of Debian', () => {
  const ruleSet = parseRuleSet([SETUP, ...readFiles()])
  const compiled = compileRuleSet(ruleSet)
  const BROWSER: HttpRequest['headers'] = [
    ['Host', 'www.example.com'],
    ['User-Agent', 'Mozilla/5.0 (X11; Linux x86_64; rv:128.0) Gecko/20100101 Firefox/128.0'],
    ['Accept', 'text/html,*/*;q=0.8'],
  ]
  const evaluate = (request: Partial<HttpRequest>, level = 1) => {
    const variables = { paranoia_level: String(level), executing_paranoia_level: String(level) }
    const base = { method: 'GET', target: '/', version: 'HTTP/1.1', body: '', remoteAddress: '192.0.2.1' }
    return evaluateRules(compiled, { ...base, headers: BROWSER, ...request }, { variables })
  }
  const idsOf = (request: Partial<HttpRequest>, level?: number): number[] =>
    evaluate(request, level).matches.map(({ id }) => id)
  const post = (type: string, body: string): Partial<HttpRequest> => ({
    method: 'POST',
    headers: [...BROWSER, ['Content-Type', type], ['Content-Length', String(body.length)]],
    body,
  })

  test('nearly all rules run, and the others have known reasons', () => {
    const support = describeSupport(ruleSet, { hasResponse: true })
    const count = (level: string): number => support.filter((one) => one.level === level).length
    expect(count('not-run')).toBeLessThan(40)
    expect(count('run')).toBeGreaterThan(550)
    const reasons = support.filter(({ level }) => level === 'not-run').flatMap((one) => one.reasons)
    const known = /phase 5|libinjection|IP is not kept|places|GEO|block lists|sha1|DURATION/
    expect(reasons.filter((reason) => !known.test(reason))).toEqual([])
    expect(ruleSet.ignored).toEqual([])
  })

  test('the data survives storage', () => {
    expect(JSON.parse(JSON.stringify(ruleSet))).toEqual(ruleSet)
  })

  describe('attacks', () => {
    const FORM = 'application/x-www-form-urlencoded'
    test.each<[string, number, Partial<HttpRequest>]>([
      [
        'a scanner',
        913100,
        { headers: [...BROWSER.slice(0, 1), ['User-Agent', 'sqlmap/1.7'], ['Accept', '*/*']] },
      ],
      ['a second request line', 921110, post(FORM, 'a=%0d%0aGET%20/x%20HTTP/1.1')],
      ['a path to a file of the system', 930120, { target: '/?page=../../../etc/passwd' }],
      ['dot segments in the target', 930110, { target: '/?page=/../../x' }],
      ['an address as a parameter', 931100, { target: '/?file=http://192.0.2.9/x.txt' }],
      ['a command after a semicolon', 932100, post(FORM, 'host=localhost;cat /etc/hosts')],
      ['an expression of a shell', 932130, { target: '/?a=$(id)' }],
      ['opening PHP', 933100, post(FORM, 'a=<?php echo 1;')],
      ['a function of PHP', 933150, post(FORM, 'a=base64_decode(1)')],
      ['a script element', 941110, { target: '/?q=<script>alert(1)</script>' }],
      ['an event handler', 941160, post('application/json', '{"a":"<img src=x onerror=alert(1)>"}')],
      ['a select in a union', 942190, post(FORM, "id=1' union select 1,2 from users")],
      ['sleeping', 942160, { target: '/?id=1-sleep(5)' }],
      ['a session given from outside', 943120, { target: '/?phpsessid=1' }],
      ['a class of Java in XML', 944100, post('text/xml', '<a>java.lang.ProcessBuilder</a>')],
    ])('%s', (_, id, request) => {
      expect(idsOf(request)).toContain(id)
    })
  })

  test.each<[string, Partial<HttpRequest>]>([
    ['a page', { target: '/products/4711?page=2&sort=price-asc' }],
    ['a search', { target: '/search?q=union+station+hotel' }],
    ['a form', post('application/x-www-form-urlencoded', 'name=Ann&note=Please+ring+twice')],
    ['an order', post('application/json', '{"items":[{"sku":"A-1","amount":2}],"note":"see you"}')],
  ])('%s scores nothing', (_, request) => {
    const { matches, isComplete } = evaluate(request)
    expect([matches.filter(({ points }) => points > 0), isComplete]).toEqual([[], true])
  })

  test('a higher paranoia level finds what a lower one leaves', () => {
    const request = { target: '/?a=%3Bx%27%22' }
    const scoring = (level: number): number =>
      evaluate(request, level).matches.filter(({ points }) => points > 0).length
    expect(scoring(4)).toBeGreaterThan(scoring(1))
  })

  /** Sentences with the punctuation of letters and articles. */
  const prose = (bytes: number): string =>
    Array.from({ length: bytes }, (_, i) => `word${i % 977}, it's "so" (${i % 31}); and more.\n`)
      .join('')
      .slice(0, bytes)
  const FORM = 'application/x-www-form-urlencoded'
  const MULTIPART = 'multipart/form-data; boundary=b'

  test.each<[string, number, Partial<HttpRequest>]>([
    ['a form of 4 kB', 4, post(FORM, `name=Ann&note=${encodeURIComponent(prose(2_600))}`)],
    [
      'an order of 4 kB',
      4,
      post(
        'application/json',
        JSON.stringify(
          Array.from({ length: 60 }, (_, i) => ({ sku: `A-${i}`, title: `Bed no. ${i}`, n: i })),
        ),
      ),
    ],
    ['an article of 32 kB', 1, post('application/json', JSON.stringify({ text: prose(32_000) }))],
    [
      'an article of 64 kB without punctuation',
      1,
      post(FORM, `text=${'Ann+and+Bob+walk+home+'.repeat(2_900)}`),
    ],
    [
      '400 short values',
      1,
      post(FORM, Array.from({ length: 400 }, (_, i) => `item${i}=Bed+no+${i}+of+wood`).join('&')),
    ],
    [
      'an upload of 100 kB',
      4,
      post(
        MULTIPART,
        `--b\r\nContent-Disposition: form-data; name="f"; filename="a.png"\r\n\r\n${"\u0089PNG\u0000\u00ff;'".repeat(12_500)}\r\n--b--\r\n`,
      ),
    ],
  ])('%s is inspected whole at level %d', (_, level, request) => {
    expect(evaluate(request, level).isComplete).toBe(true)
  })

  test.each([
    ['attack words', 'select union <script> ../../etc/passwd ;cat '.repeat(2_900)],
    ['quotes', `'"`.repeat(64_000)],
    ['arguments', Array.from({ length: 15_000 }, (_, i) => `a${i}=<b>`).join('&')],
  ])('128 kB of %s end in bounded time', (_, text) => {
    const start = process.cpuUsage()
    const body = text.slice(0, 128 * 1024)
    evaluate(
      post('application/x-www-form-urlencoded', body.includes('=') ? body : `q=${encodeURIComponent(body)}`),
      4,
    )
    const { user, system } = process.cpuUsage(start)
    expect((user + system) / 1000).toBeLessThan(5_000)
  })
})
