// Files become rules, and directives that change rules are carried out.
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { findMissingReferences } from './missing-references.ts'
import { parseRuleSet } from './parse-rule-set.ts'
import { SecLangError } from './parse-rule.ts'

const parse = (text: string) => parseRuleSet([{ name: 'rules.conf', text }])
const rulesOf = (text: string) =>
  parse(text).items.flatMap((item) => (item.kind === 'rule' ? [item.rule] : []))
const only = (text: string) => {
  const [rule, ...more] = rulesOf(text)
  if (rule === undefined || more.length > 0) throw new Error('exactly one rule was expected')
  return rule
}

test('a rule over several lines, with all kinds of targets', () => {
  const rule = only(String.raw`
# a comment
SecRule ARGS|!ARGS:/^pass/|&REQUEST_HEADERS:Host|XML:/*|REQUEST_COOKIES:'a|b' \
    "!@rx ^\"[a-z]+\\s$" \
    "id:1,phase:request,t:lowercase,t:none,t:urlDecodeUni,t:normalisePath,\
    msg:'It\'s here, there',tag:'one',tag:'two',severity:'CRITICAL',\
    setvar:'tx.score=+5'"`)
  expect(rule).toEqual({
    id: 1,
    phase: 2,
    targets: [
      { collection: 'ARGS' },
      { collection: 'ARGS', selector: '^pass', isPattern: true, isExcluded: true },
      { collection: 'REQUEST_HEADERS', selector: 'Host', isCount: true },
      { collection: 'XML', selector: '/*' },
      { collection: 'REQUEST_COOKIES', selector: 'a|b' },
    ],
    operator: { name: 'rx', argument: String.raw`^"[a-z]+\s$`, isNegated: true },
    transforms: ['urldecodeuni', 'normalizepath'],
    actions: [{ name: 'setvar', value: 'tx.score=+5' }],
    tags: ['one', 'two'],
    message: "It's here, there",
    severity: 'CRITICAL',
    chain: [],
    file: 'rules.conf',
    line: 3,
  })
})

test('a chain is one rule, in the phase of its first link', () => {
  const rule = only('SecRule ARGS "@contains a" "id:7,phase:1,chain"\nSecRule ARGS "@contains b" "t:none"')
  expect(rule.chain.map(({ phase, operator }) => [phase, operator?.argument])).toEqual([[1, 'b']])
})

test('an operator without a name is a pattern', () => {
  expect(only('SecRule ARGS "abc" "id:1"').operator).toEqual({ name: 'rx', argument: 'abc' })
})

test('default transformations are inherited, and default actions are not', () => {
  const rule = only('SecDefaultAction "phase:1,log,deny,t:lowercase"\nSecRule ARGS a "id:1,phase:1"')
  expect([rule.transforms, rule.actions]).toEqual([['lowercase'], []])
})

describe('directives that change rules', () => {
  const rules = 'SecRule ARGS a "id:10,tag:x"\nSecRule ARGS b "id:11,tag:y"\n'
  test.each([
    ['SecRuleRemoveById 10', [11]],
    ['SecRuleRemoveById 9-10 12', [11]],
    ['SecRuleRemoveByTag y', [10]],
    ['SecRuleRemoveById 12', [10, 11]],
  ])('%s', (directive, ids) => {
    expect(rulesOf(rules + directive).map(({ id }) => id)).toEqual(ids)
  })

  test.each([
    ['SecRuleUpdateTargetById 10 "!ARGS:q"', 10],
    ['SecRuleUpdateTargetByTag y "!ARGS:q"', 11],
  ])('%s', (directive, changed) => {
    for (const { id, targets } of rulesOf(rules + directive)) {
      expect(targets).toHaveLength(id === changed ? 2 : 1)
    }
  })
})

test('the version and the lists are read, and unknown directives are reported', () => {
  const set = parseRuleSet([
    {
      name: 'a.conf',
      text: 'SecComponentSignature "OWASP_CRS/3.3.4"\nSecMarker END\nSecNonsense On\nSecRuleEngine On',
    },
    { name: 'words.data', text: '# comment\none\n\ntwo words\r\n' },
  ])
  expect(set).toEqual({
    version: '3.3.4',
    items: [{ kind: 'marker', name: 'END' }],
    lists: { 'words.data': ['one', 'two words'] },
    ignored: [{ file: 'a.conf', line: 3, name: 'SecNonsense', reason: expect.any(String) }],
  })
})

test.each([
  ['SecRule ARGS', 'rules.conf:1: SecRule: targets and an operator are required'],
  ['\nSecRule ARGS a "id:x"', 'rules.conf:2: SecRule: id x is not a number'],
  ['SecRule ARGS a "phase:2"', 'rules.conf:1: SecRule: an id of at least 1 is required'],
  [
    'SecRule ARGS a "id:1"\nSecAction "id:1"',
    'rules.conf:2: SecAction: id 1 is already that of .* rules.conf:1',
  ],
  ['SecRule ARGS a "id:1,phase:6"', 'rules.conf:1: SecRule: phase must be 1 to 5'],
  ['SecRule ARGS a "id:1,phase:last"', 'rules.conf:1: SecRule: phase must be 1 to 5'],
  ['SecRule ARGS a "id:1,chain"', 'rules.conf:1: SecRule: the next rule of its chain is missing'],
  ['SecRule ARGS a \\', 'rules.conf:1: SecRule: the directive has no end'],
  ['SecRule ARGS a "id:1,\\\nmsg:\'b', 'rules.conf:1: SecRule: the directive has no end'],
  ['<!DOCTYPE html>', 'rules.conf:1: not SecLang: expected a directive'],
  ['SecRule ARGS a "id:1"\n\0\x01', 'rules.conf:2: not SecLang: expected a directive'],
])('%s is refused with its place', (text, message) => {
  expect(() => parse(text)).toThrow(new RegExp(message))
})

test('a chain does not go on in another file', () => {
  const files = [
    { name: 'a.conf', text: 'SecRule ARGS a "id:1,chain"' },
    { name: 'b.conf', text: 'SecRule ARGS b "t:none"' },
  ]
  expect(() => parseRuleSet(files)).toThrow('a.conf:1: SecRule: the next rule of its chain is missing')
})

test('lists and markers that are missing are named', () => {
  const text = [
    'SecRule ARGS "@pmFromFile words.data others.data" "id:1"',
    'SecRule ARGS a "id:2,skipAfter:END"',
    'SecRule ARGS a "id:3,skipAfter:HERE"',
    'SecMarker HERE',
  ].join('\n')
  const set = parseRuleSet([
    { name: 'rules.conf', text },
    { name: 'words.data', text: 'one' },
  ])
  expect(findMissingReferences(set)).toEqual([
    'rules.conf:1: the list others.data is missing',
    'rules.conf:2: the marker END is missing; the file may have been cut',
  ])
})

test('any text is read or refused, and what is read is plain data', () => {
  const word = fc.constantFrom(
    'SecRule',
    'SecAction',
    'ARGS',
    '"',
    '@rx a',
    'id:1',
    ',',
    '\\',
    '\n',
    "'",
    '|',
    'SecMarker',
    ' ',
  )
  fc.assert(
    fc.property(fc.array(word, { maxLength: 20 }), (words) => {
      try {
        const set = parse(words.join(''))
        expect(JSON.parse(JSON.stringify(set))).toEqual(set)
      } catch (error) {
        expect(error).toBeInstanceOf(SecLangError)
      }
    }),
  )
})
