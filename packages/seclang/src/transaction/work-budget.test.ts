// What rules may spend on a request: each kind of work is counted, and nothing is searched once it is spent.
import { describe, expect, test } from 'vitest'
import { parseRuleSet } from '../rules/parse-rule-set.ts'
import { compileRuleSet } from './compile-rule-set.ts'
import { evaluateRules } from './evaluate.ts'
import { DEFAULT_WORK_UNITS, unitsOf, WorkBudget } from './work-budget.ts'

const evaluate = (rules: string, target: string, workUnits = DEFAULT_WORK_UNITS) =>
  evaluateRules(
    compileRuleSet(parseRuleSet([{ name: 'rules.conf', text: rules }])),
    { method: 'GET', target, version: 'HTTP/1.1', headers: [], body: '', remoteAddress: '192.0.2.1' },
    { workUnits },
  )

const PATTERN = 'SecRule ARGS "@rx a.c" "id:1,phase:2,pass"'
const COUNTED = 'SecRule ARGS "@rx a.c" "id:1,phase:2,pass,setvar:tx.n=+1"'
const LOWERED = 'SecRule ARGS "@rx a.c" "id:1,phase:2,pass,t:lowercase"'
const values = (count: number, value: string): string =>
  `/?${Array.from({ length: count }, (_, i) => `a${i}=${value}${i}`).join('&')}`

describe('a budget', () => {
  test('takes what is left, and is spent by what is not', () => {
    const budget = new WorkBudget(unitsOf('test', 10) + unitsOf('scan', 5))
    expect([budget.take('test', 10), budget.canAfford('scan', 6), budget.take('scan', 5)]).toEqual([
      true,
      false,
      true,
    ])
    expect([budget.isSpent(), budget.take('compare', 0), budget.isSpent()]).toEqual([false, false, true])
  })

  test('more bytes and more strings cost more', () => {
    for (const work of ['scan', 'transform', 'test', 'find', 'compare'] as const) {
      expect(unitsOf(work, 11)).toBeGreaterThan(unitsOf(work, 10))
      expect(2 * unitsOf(work, 5)).toBeGreaterThan(unitsOf(work, 10))
    }
  })
})

describe('the work of rules on a request', () => {
  const spent = (rules: string, target: string): number => evaluate(rules, target).spentUnits
  test.each<[string, string, string, string, string]>([
    ['a longer value', PATTERN, values(1, 'x'), PATTERN, values(1, 'x'.repeat(100))],
    ['more values', PATTERN, values(10, 'x'), PATTERN, values(11, 'x')],
    ['a transformation that changes something', PATTERN, values(1, 'X'), LOWERED, values(1, 'X')],
    ['a match', PATTERN, values(1, 'xbc'), PATTERN, values(1, 'abc')],
    ['an effect', PATTERN, values(1, 'abc'), COUNTED, values(1, 'abc')],
  ])('%s costs more', (_, rules, target, costlyRules, costlyTarget) => {
    expect(spent(costlyRules, costlyTarget)).toBeGreaterThan(spent(rules, target))
  })

  test('it is whole up to the limit, and says so one unit below', () => {
    const target = values(100, 'abc')
    const whole = evaluate(COUNTED, target)
    expect([whole.isComplete, whole.variables.get('n')]).toEqual([true, '100'])
    expect(evaluate(COUNTED, target, whole.spentUnits)).toEqual(whole)
    const cut = evaluate(COUNTED, target, whole.spentUnits - 1)
    expect(cut.isComplete).toBe(false)
  })

  test('with less work fewer values match, and never more than the limit and one value is spent', () => {
    const target = values(1_000, 'abc')
    const counted = [0, 10_000, 100_000, 1_000_000, DEFAULT_WORK_UNITS].map((units) => {
      const { variables, spentUnits, isComplete } = evaluate(COUNTED, target, units)
      expect(spentUnits).toBeLessThan(units + UNCHECKED_UNITS)
      expect(isComplete).toBe(spentUnits <= units)
      return Number(variables.get('n') ?? 0) // nothing matched
    })
    expect(counted).toEqual(counted.toSorted((a, b) => a - b))
    expect([counted[0], counted.at(-1)]).toEqual([0, 1_000])
  })
})

/** One value, its match and its effects. */
const UNCHECKED_UNITS = 3_000
