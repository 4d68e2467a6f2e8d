// Patterns that were prepared at an import match and rule out the same texts as those that are read at a start.
import { describe, expect, test } from 'vitest'
import { parseRuleSet } from '../rules/parse-rule-set.ts'
import type { RuleSet } from '../rules/rule-set.ts'
import { PatternError } from './parse-pattern.ts'
import { compilePattern } from './pattern.ts'
import { compilePatternOf, prepareRuleSet } from './prepared-patterns.ts'

const rulesWith = (pattern: string): RuleSet =>
  parseRuleSet([{ name: 'a.conf', text: `SecRule ARGS "@rx ${pattern}" "id:1,phase:2,pass"` }])
const stored = (pattern: string): RuleSet =>
  JSON.parse(JSON.stringify(prepareRuleSet(rulesWith(pattern)))) as RuleSet

const STRINGS = [
  '__proto__',
  'constructor',
  '',
  'select x from y',
  'a=1; cat /etc/passwd',
  'x\nb1',
  'b',
  '(aa)',
  'SELECT',
]

describe('a stored pattern', () => {
  test.each([
    ['words', '(?i)select.+from'],
    ['bound to a line', '^b[0-9]?'],
    ['bytes only', '[;=]'],
    ['with a group', 'a=([0-9])'],
    ['with a back-reference, which needs backtracking', String.raw`(a)\1`],
    ['that matches everything', '.*'],
    ['that is the name of a property of objects', '__proto__'],
    ['that is another such name', 'constructor'],
  ])('%s', (_, pattern) => {
    const rules = stored(pattern)
    expect(Object.keys(rules.prepared?.patterns ?? {})).toEqual([pattern])
    const [fresh, kept] = [compilePattern(pattern), compilePatternOf(rules, pattern)]
    expect(kept.requirement).toEqual(fresh.requirement)
    expect(kept.source).toBe(fresh.source)
    for (const text of STRINGS) {
      expect(kept.test(text)).toBe(fresh.test(text))
      expect(kept.find(text)).toEqual(fresh.find(text))
    }
  })
})

test('what is stored, which needs another version if it changes', () => {
  expect(stored('^(?i:ab)+<').prepared).toEqual({
    version: 1,
    patterns: {
      '^(?i:ab)+<': {
        clauses: [['ab']],
        masks: [1],
        firstBytes: [65, 97],
        isOfLine: true,
        source: String.raw`(?m:^)(?:(?i:ab))+\x3c`,
      },
    },
  })
})

test('a pattern that was not stored is read, also if objects have a property of its name', () => {
  for (const pattern of ['__proto__', 'constructor'])
    expect(compilePatternOf(stored('ab'), pattern).test(pattern)).toBe(true)
})

test('data of another version is not used', () => {
  const rules = stored('ab')
  const other = {
    ...rules,
    prepared: { version: 0, patterns: { ab: { clauses: [], masks: [], source: 'x' } } },
  }
  expect(compilePatternOf(other, 'ab').test('ab')).toBe(true)
})

test('a pattern that cannot be read is left out, and fails when it is compiled', () => {
  const rules = stored('(')
  expect(rules.prepared?.patterns).toEqual({})
  expect(() => compilePatternOf(rules, '(')).toThrow(PatternError)
})
