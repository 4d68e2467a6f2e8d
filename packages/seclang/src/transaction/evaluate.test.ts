// Rules run on requests as ModSecurity runs them.
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { parseRuleSet } from '../rules/parse-rule-set.ts'
import { compileRuleSet } from './compile-rule-set.ts'
import { type EvaluateOptions, evaluateRules } from './evaluate.ts'
import type { HttpRequest, HttpResponse } from './http-message.ts'
import { describeSupport } from './support.ts'
import { WorkBudget } from './work-budget.ts'

const LISTS = [{ name: 'words.data', text: 'wget\ncurl\n' }]
const parse = (text: string) => parseRuleSet([{ name: 'rules.conf', text }, ...LISTS])
const BASE: HttpRequest = {
  method: 'GET',
  target: '/',
  version: 'HTTP/1.1',
  headers: [['Host', 'www.example.com']],
  body: '',
  remoteAddress: '192.0.2.1',
}
const run = (
  rules: string,
  request: Partial<HttpRequest> = {},
  options: EvaluateOptions = {},
  response?: HttpResponse,
) => evaluateRules(compileRuleSet(parse(rules)), { ...BASE, ...request }, options, response)
const ids = (...args: Parameters<typeof run>): number[] => run(...args).matches.map(({ id }) => id)

const post = (type: string, body: string): Partial<HttpRequest> => ({
  method: 'POST',
  headers: [...BASE.headers, ['Content-Type', type]],
  body,
})
const FORM = 'application/x-www-form-urlencoded'
const JSON_TYPE = 'application/json'
const multipart = post(
  'multipart/form-data; boundary=XX',
  '--XX\r\nContent-Disposition: form-data; name="note"\r\n\r\nhello\r\n--XX\r\nContent-Disposition: form-data; name="up"; filename="a\\"b.php"\r\nContent-Type: text/plain\r\n\r\ncode\r\n--XX--\r\n',
)

describe('values of collections', () => {
  test.each<[string, string, string, Partial<HttpRequest>]>([
    ['an argument of the query, decoded', 'ARGS:q', 'a b', { target: '/?q=a+b' }],
    ['names ignore case', 'REQUEST_HEADERS:host', 'www.example.com', {}],
    ['an argument of a form', 'ARGS_POST:q', 'a&b', post(FORM, 'q=a%26b')],
    ['an argument after 1,001 empty ones', 'ARGS:q', 'x', { target: `/?${'&'.repeat(1001)}q=x` }],
    ['a value of JSON', 'ARGS:json.a.b', 'x"y', post(JSON_TYPE, String.raw`{"a":{"b":"x\"y"}}`)],
    ['an element of JSON', 'ARGS:json.a.array_1', '2', post(JSON_TYPE, '{"a":[1,2]}')],
    [
      'a surrogate pair in JSON',
      'ARGS:json.a',
      '\u00f0\u009f\u0098\u0080',
      post(JSON_TYPE, String.raw`{"a":"\ud83d\ude00"}`),
    ],
    ['the text of XML', 'XML:/*', 'a<b', post('text/xml', '<r x="1">a&lt;b</r>')],
    ['an attribute of XML', 'XML://@*', '1', post('text/xml', '<r x="1">a</r>')],
    ['a field of multipart', 'ARGS:note', 'hello', multipart],
    ['the name of a file', 'FILES', 'a"b.php', multipart],
    ['the field of a file', 'FILES_NAMES', 'up', multipart],
    ['headers of a part', 'MULTIPART_PART_HEADERS:up', 'Content-Type: text/plain', multipart],
    ['a cookie', 'REQUEST_COOKIES:b', '2', { headers: [['Cookie', 'a=1; b=2']] }],
    ['the path without the query', 'REQUEST_FILENAME', '/a/b.php', { target: '/a/b.php?x=/c' }],
    ['the last segment', 'REQUEST_BASENAME', 'b.php', { target: '/a/b.php?x=/c' }],
    ['the target without its host', 'REQUEST_URI', '/a?b', { target: 'http://example.com/a?b' }],
    ['the request line', 'REQUEST_LINE', 'GET /a HTTP/1.1', { target: '/a' }],
    ['a count', '&ARGS', '2', { target: '/?a&b' }],
    ['a count of nothing', '&REQUEST_HEADERS:X-Absent', '0', {}],
    ['the length after a transformation', 'ARGS:q', 'abc', { target: '/?q=abc' }],
    ['a body that cannot be read', 'REQBODY_ERROR', '1', post(JSON_TYPE, '{"a":')],
    ['a body that can be read', 'REQBODY_ERROR', '0', post(JSON_TYPE, '{"a":1}')],
  ])('%s', (_, target, value, request) => {
    expect(ids(`SecRule ${target} "@streq ${value.replaceAll('"', '\\"')}" "id:1"`, request)).toEqual([1])
  })

  test.each<[string, string, Partial<HttpRequest>]>([
    ['an excluded argument', 'ARGS|!ARGS:q', { target: '/?q=bad' }],
    ['an argument excluded by a pattern', 'ARGS|!ARGS:/^Q/', { target: '/?q=bad' }],
    ['another argument', 'ARGS:other', { target: '/?q=bad' }],
    ['the body of JSON', 'REQUEST_BODY', post(JSON_TYPE, '["bad"]')],
    ['a form in phase 1', 'ARGS_POST', {}],
  ])('%s is not read', (_, targets, request) => {
    expect(ids(`SecRule ${targets} "@contains bad" "id:1"`, request)).toEqual([])
  })

  test('version 3 decodes the target, and has a body of every type', () => {
    const rules = 'SecRule REQUEST_URI "@contains <" "id:1"\nSecRule REQUEST_BODY "@contains bad" "id:2"'
    const request = { ...post(JSON_TYPE, '["bad"]'), target: '/%3c' }
    expect([ids(rules, request), ids(rules, request, { dialect: 3 })]).toEqual([[], [1, 2]])
  })

  test('phase 1 does not see the body', () => {
    const request = post(FORM, 'q=bad')
    expect(ids('SecRule ARGS bad "id:1,phase:1"\nSecRule ARGS bad "id:2,phase:2"', request)).toEqual([2])
  })

  test('responses are read in phases 3 and 4', () => {
    const rules =
      'SecRule RESPONSE_STATUS "@streq 500" "id:1,phase:3"\nSecRule RESPONSE_BODY "stack trace" "id:2,phase:4"'
    const response = { status: 500, version: 'HTTP/1.1', headers: [], body: 'a stack trace' }
    expect([ids(rules), ids(rules, {}, {}, response)]).toEqual([[], [1, 2]])
  })
})

describe('operators', () => {
  test.each([
    ['@rx ^A', 'Ab', 'ab'],
    ['@pm wget curl', 'WGET x', 'w get'],
    ['@pmFromFile words.data', 'xcurlx', 'cur'],
    ['@beginsWith ab', 'abc', 'xab'],
    ['@endsWith ab', 'xab', 'abx'],
    ['@contains ab', 'xabx', 'axb'],
    ['@containsWord ab', 'x ab', 'xab'],
    ['@within GET POST', 'GET', 'PUT'],
    ['@streq ab', 'ab', 'abc'],
    ['@eq 5', '5', '6'],
    ['@gt 5', '6', '5'],
    ['@ge 5', '5', '4'],
    ['@lt 5', '4', '5'],
    ['@le 5', '5', '6'],
    ['@validateByteRange 32-126', 'a\u0001', 'ab'],
    ['@validateUrlEncoding', '%zz', '%41'],
    ['@validateUtf8Encoding', '\u00c0\u00af', '\u00c3\u00a9'],
    ['@ipMatch 192.0.2.0/24,2001:db8::/32', '192.0.2.9', '192.0.3.9'],
    ['@ipMatch 192.0.2.0/24,2001:db8::/32', '2001:db8:1::1', '2001:db9::1'],
    ['!@streq ab', 'x', 'ab'],
    ['@unconditionalMatch', 'x', ''],
  ])('%s', (operator, matching, passing) => {
    const rules = `SecRule REQUEST_HEADERS:X "${operator}" "id:1"`
    expect(ids(rules, { headers: [['X', matching]] })).toEqual([1])
    if (operator !== '@unconditionalMatch') expect(ids(rules, { headers: [['X', passing]] })).toEqual([])
  })
})

describe('the flow of rules', () => {
  test('a chain matches if each link does', () => {
    const rules = 'SecRule ARGS:a x "id:1,chain"\nSecRule ARGS:b y "t:none"'
    expect(ids(rules, { target: '/?a=x&b=y' })).toEqual([1])
    expect(ids(rules, { target: '/?a=x&b=z' })).toEqual([])
  })

  test('links read what the link before matched', () => {
    const rules = 'SecRule ARGS x "id:1,chain"\nSecRule MATCHED_VAR_NAME "@streq ARGS:b" "t:none"'
    expect(ids(rules, { target: '/?b=x' })).toEqual([1])
    expect(ids(rules, { target: '/?a=x' })).toEqual([])
  })

  test('groups are read by later links', () => {
    const rules = 'SecRule ARGS "^(.)(.)$" "id:1,capture,chain"\nSecRule TX:2 "@streq b" "t:none"'
    expect(ids(rules, { target: '/?q=ab' })).toEqual([1])
    expect(ids(rules, { target: '/?q=ba' })).toEqual([])
  })

  test('skipAfter continues at the marker, in this phase alone', () => {
    const rules =
      'SecAction "id:1,phase:1,skipAfter:END"\nSecAction "id:2,phase:1"\nSecAction "id:3,phase:2"\nSecMarker END\nSecAction "id:4,phase:1"'
    expect(ids(rules)).toEqual([1, 4, 3])
  })

  test('scores add up for each value that matches', () => {
    const rules =
      'SecAction "id:1,setvar:tx.critical=5"\nSecRule ARGS x "id:2,setvar:\'tx.anomaly_score_pl1=+%{tx.critical}\'"\nSecRule TX:anomaly_score_pl1 "@ge 10" "id:3"'
    const { matches, variables } = run(rules, { target: '/?a=x&b=x&c=y' })
    expect(matches.map(({ id, points }) => [id, points])).toEqual([
      [1, 0],
      [2, 10],
      [3, 0],
    ])
    expect(variables.get('anomaly_score_pl1')).toBe('10')
  })

  test('variables are set, changed, unset and given', () => {
    const rules =
      'SecAction "id:1,setvar:tx.a=1,setvar:tx.b=2,setvar:!tx.b,setvar:tx.a=-3"\nSecRule TX:a "@eq -2" "id:2"\nSecRule &TX:b "@eq 0" "id:3"\nSecRule TX:given "@streq yes" "id:4"'
    expect(ids(rules, {}, { variables: { given: 'yes' } })).toEqual([1, 2, 3, 4])
  })

  test('multiMatch looks at each step', () => {
    const rules = (action: string) => `SecRule ARGS "@contains +" "id:1,t:urlDecodeUni${action}"`
    const request = { target: '/?q=a%2Bb' }
    expect([ids(rules(''), request), ids(rules(',multiMatch'), request)]).toEqual([[], [1]])
  })

  test.each([
    ['ctl:ruleRemoveById=5', []],
    ['ctl:ruleRemoveById=4-6', []],
    ['ctl:ruleRemoveByTag=attack', []],
    ['ctl:ruleRemoveTargetById=5;ARGS:q', []],
    ['ctl:ruleRemoveTargetByTag=attack;ARGS', []],
    ['ctl:ruleRemoveTargetById=5;ARGS:other', [5]],
    ['ctl:ruleRemoveTargetById=6;ARGS:q', [5]],
    ['ctl:ruleEngine=Off', []],
    ['ctl:ruleEngine=DetectionOnly', [5]],
  ])('%s', (action, expected) => {
    const rules = `SecAction "id:1,phase:1,${action}"\nSecRule ARGS x "id:5,tag:attack-x"`
    expect(ids(rules, { target: '/?q=x' }).filter((id) => id !== 1)).toEqual(expected)
  })

  test('ctl chooses how the body is read', () => {
    const rules = 'SecAction "id:1,phase:1,ctl:requestBodyProcessor=JSON"\nSecRule ARGS:json.a x "id:2"'
    expect(ids(rules, post('text/plain', '{"a":"x"}'))).toEqual([1, 2])
  })

  test('disabled rules do not run', () => {
    expect(ids('SecAction "id:1"\nSecAction "id:2"', {}, { disabled: new Set([1]) })).toEqual([2])
  })
})

describe('rules that read the same values share what is made of them, and only that', () => {
  const ALL = 'SecRule ARGS "@rx bad" "id:1,t:lowercase,setvar:tx.n=+1"'
  const BUT_X = 'SecRule ARGS|!ARGS:x "@rx bad" "id:2,t:lowercase,setvar:tx.n=+1"'
  const IN_BOTH_PHASES = `SecRule ARGS|!ARGS:x "@rx bad" "id:3,phase:1,t:lowercase,setvar:tx.n=+1"\n${ALL}\n${BUT_X}`
  const [IN_QUERY, BOTH] = [{ target: '/?q=BAD' }, { target: '/?x=BAD&q=BAD' }]
  test.each<[string, string, Partial<HttpRequest>, readonly number[], string | undefined]>([
    ['nothing is excluded', `${ALL}\n${BUT_X}`, IN_QUERY, [1, 2], '2'],
    ['one of two is excluded', `${ALL}\n${BUT_X}`, BOTH, [1, 2], '3'],
    ['the exclusion is read first', `${BUT_X}\n${ALL}`, BOTH, [2, 1], '3'],
    ['all is excluded', `${ALL}\n${BUT_X}`, { target: '/?x=BAD' }, [1], '1'],
    ['all is excluded, and is read later', `${BUT_X}\n${ALL}`, { target: '/?x=BAD' }, [1], '1'],
    [
      'the same before and with the body',
      IN_BOTH_PHASES,
      { ...post(FORM, 'y=BAD'), ...IN_QUERY },
      [3, 1, 2],
      '5',
    ],
    [
      'the body has what is excluded',
      IN_BOTH_PHASES,
      { ...post(FORM, 'x=BAD'), ...IN_QUERY },
      [3, 1, 2],
      '4',
    ],
    ['only the body has something', IN_BOTH_PHASES, post(FORM, 'x=BAD'), [1], '1'],
    [
      'a target is removed from one of the rules',
      `SecAction "id:9,phase:1,ctl:ruleRemoveTargetById=2;ARGS:q"\n${ALL}\n${BUT_X}\n${ALL.replace('id:1', 'id:4')}`,
      IN_QUERY,
      [9, 1, 4],
      '2',
    ],
    [
      'a target is removed after the values were read',
      `${ALL}\nSecAction "id:9,phase:2,ctl:ruleRemoveTargetById=2;ARGS:q"\n${BUT_X}`,
      BOTH,
      [1, 9],
      '2',
    ],
    [
      'each step is looked at by one of the rules',
      'SecRule ARGS "@rx %2B" "id:1,t:urlDecodeUni"\nSecRule ARGS "@rx %2B" "id:2,t:urlDecodeUni,multiMatch"\nSecRule ARGS|!ARGS:x "@rx a[+]b" "id:3,t:urlDecodeUni,multiMatch"\nSecRule ARGS "@rx a[+]b" "id:4,t:urlDecodeUni"\nSecRule ARGS "@rx a[+]b" "id:5"',
      { target: '/?q=a%252Bb' },
      [2, 3, 4],
      undefined,
    ],
    [
      'a transformation changes one of the values',
      'SecRule ARGS "@rx ^B" "id:1,t:none"\nSecRule ARGS "@rx ^b" "id:2,t:lowercase"\nSecRule ARGS "@rx ^a" "id:3,t:lowercase"\nSecRule ARGS "@rx ^B" "id:4"',
      { target: '/?a=a&b=B' },
      [1, 2, 3, 4],
      undefined,
    ],
    [
      'collections with the same names',
      'SecRule ARGS|!ARGS:x|REQUEST_HEADERS|!REQUEST_HEADERS:y "@rx bad" "id:1,t:lowercase,setvar:tx.n=+1"\nSecRule ARGS|REQUEST_HEADERS "@rx bad" "id:2,t:lowercase,setvar:tx.n=+1"',
      {
        target: '/?x=BAD&y=BAD',
        headers: [
          ['X', 'BAD'],
          ['Y', 'BAD'],
        ],
      },
      [1, 2],
      '6',
    ],
  ])('%s', (_, rules, request, expected, count) => {
    const { matches, variables } = run(rules, request)
    expect([matches.map(({ id }) => id), variables.get('n')]).toEqual([expected, count])
  })
})

describe('limits', () => {
  const many = Array.from({ length: 1_500 }, (_, i) => `a${i}=1`).join('&')

  test('arguments beyond the first 1,000 are not inspected, and that is reported', () => {
    const { matches, isComplete } = run('SecRule ARGS_NAMES "^a1400$" "id:1"', { target: `/?${many}` })
    expect([matches, isComplete]).toEqual([[], false])
    expect(run('SecAction "id:1"', { target: '/?a=1' }).isComplete).toBe(true)
  })

  test('evaluation ends when its work units are spent, at the same place every time', () => {
    const rules = Array.from({ length: 50 }, (_, i) => `SecRule ARGS "a${i}" "id:${i + 1}"`).join('\n')
    const request = { target: `/?${many}` }
    const first = run(rules, request, { budget: new WorkBudget(20_000) })
    expect(first.isComplete).toBe(false)
    expect(first.matches.length).toBeLessThan(50)
    expect(run(rules, request, { budget: new WorkBudget(20_000) })).toEqual(first)
  })
})

test('support says of each rule whether it runs, and why not', () => {
  const rules = [
    'SecRule ARGS a "id:1"',
    'SecRule ARGS "@detectSQLi" "id:2"',
    'SecRule ARGS a "id:3,t:sha1"',
    'SecRule IP:x "@eq 1" "id:4"',
    'SecRule ARGS|IP:x "@eq 1" "id:5"',
    'SecRule ARGS a "id:6,phase:5"',
    'SecRule ARGS "@pmFromFile absent.data" "id:7"',
    'SecRule ARGS "(" "id:8"',
    'SecRule ARGS a "id:9,chain"\nSecRule NONSENSE b "t:none"',
    'SecRule XML:/a/b a "id:10"',
    'SecRule ARGS "a++" "id:11"',
  ].join('\n')
  const support = describeSupport(parse(rules), { hasResponse: true })
  expect(support.map(({ id, level }) => `${id} ${level}`)).toEqual([
    '1 run',
    '2 not-run',
    '3 not-run',
    '4 not-run',
    '5 partly',
    '6 not-run',
    '7 not-run',
    '8 not-run',
    '9 not-run',
    '10 not-run',
    '11 partly',
  ])
  expect(support.every(({ level, reasons }) => (level === 'run') === (reasons.length === 0))).toBe(true)
})

test.each([
  [true, 'run', []],
  [false, 'not-run', [expect.stringMatching(/inspects the response \(phase [34]\)/)]],
])('rules about responses, with a response: %s', (hasResponse, level, reasons) => {
  const rules = parse('SecRule RESPONSE_STATUS 5 "id:1,phase:3"\nSecRule RESPONSE_BODY a "id:2,phase:4"')
  const support = describeSupport(rules, { hasResponse })
  expect(support.map((one) => [one.level, one.reasons])).toEqual([
    [level, reasons],
    [level, reasons],
  ])
})

test('a rule that does not run never matches', () => {
  expect(ids('SecRule ARGS "!@detectSQLi" "id:2"', { target: '/?a=b' })).toEqual([])
})

test('any bytes are evaluated without an error', () => {
  const octets = fc
    .uint8Array({ maxLength: 80 })
    .map((bytes) => Array.from(bytes, (byte) => String.fromCharCode(byte)).join(''))
  const rules = compileRuleSet(
    parse(
      'SecRule ARGS|ARGS_NAMES|FILES|XML:/*|XML://@*|REQUEST_BODY|REQUEST_COOKIES "[^a-z]" "id:1,t:urlDecodeUni,t:jsDecode"',
    ),
  )
  const type = fc.constantFrom(
    FORM,
    JSON_TYPE,
    'text/xml',
    'multipart/form-data; boundary=a',
    'multipart/form-data',
    '',
  )
  fc.assert(
    fc.property(octets, octets, type, (target, body, contentType) => {
      const request = { ...BASE, ...post(contentType, body), target: `/?${target}` }
      expect(evaluateRules(rules, request)).toEqual(evaluateRules(rules, request))
    }),
  )
})
