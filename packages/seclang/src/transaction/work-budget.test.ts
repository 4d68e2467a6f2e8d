// What rules may spend on a request: each kind of work is counted, and nothing is searched once it is spent.
import { describe, expect, test } from 'vitest'
import { createScanner } from '../pattern/literal-automaton.ts'
import { parseRuleSet } from '../rules/parse-rule-set.ts'
import { compileRuleSet } from './compile-rule-set.ts'
import { evaluateRules } from './evaluate.ts'
import { StringPool } from './string-pool.ts'
import { DEFAULT_WORK_UNITS, unitsOf, unitsOfSearch, WorkBudget } from './work-budget.ts'

const evaluate = (rules: string, target: string, workUnits = DEFAULT_WORK_UNITS) =>
  evaluateRules(
    compileRuleSet(parseRuleSet([{ name: 'rules.conf', text: rules }])),
    { method: 'GET', target, version: 'HTTP/1.1', headers: [], body: '', remoteAddress: '192.0.2.1' },
    { budget: new WorkBudget(workUnits) },
  )

const PATTERN = 'SecRule ARGS "@rx a.c" "id:1,phase:2,pass"'
const COUNTED = 'SecRule ARGS "@rx a.c" "id:1,phase:2,pass,setvar:tx.n=+1"'
const BACKTRACKING = 'SecRule ARGS "@rx a+(?!x)b" "id:1,phase:2,pass"'
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

  test('without a limit nothing is ever spent', () => {
    const budget = new WorkBudget(Infinity)
    budget.spend(1e12, true)
    expect([budget.take('find', 1e9, true), budget.isSpentFor(true), budget.isSpent()]).toEqual([
      true,
      false,
      false,
    ])
  })

  test('a body leaves a share of it to the rest of the request', () => {
    const budget = new WorkBudget(8_000)
    expect([budget.canAfford('test', 6_700, true), budget.canAfford('test', 6_701, true)]).toEqual([
      true,
      false,
    ])
    expect(budget.canAfford('test', 7_700)).toBe(true)
    // What was spent at once, beyond the limit, is not taken from the rest.
    budget.spend(50_000, true)
    expect([budget.isSpentFor(true), budget.isSpentFor(false), budget.isSpent()]).toEqual([true, false, true])
    expect(budget.spentUnits()).toBe(50_000)
    expect([budget.take('test', 10, true), budget.take('test', 699), budget.take('test', 699)]).toEqual([
      false,
      true,
      false,
    ])
  })

  test('a body that is left out is said, and one for which everything was enough is not', () => {
    const [whole, cut] = [new WorkBudget(8_000), new WorkBudget(8_000)]
    for (const budget of [whole, cut]) budget.spend(7_500)
    expect([whole.isSpentFor(false), whole.isSpent()]).toEqual([false, false])
    expect([cut.isSpentFor(true), cut.isSpent()]).toEqual([true, true])
  })

  test('more bytes and more strings cost more', () => {
    expect(unitsOfSearch(100, 11)).toBeGreaterThan(unitsOfSearch(100, 10))
    expect(unitsOfSearch(8_000, 100)).toBeGreaterThan(2 * unitsOfSearch(100, 100))
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
    [
      'a search that goes back more often',
      BACKTRACKING,
      values(1, 'a'.repeat(60)),
      BACKTRACKING,
      values(1, 'a'.repeat(61)),
    ],
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

describe('a body on which its work is spent', () => {
  const RULES = `
SecAction "id:1,phase:1,pass,setvar:tx.level=1"
SecRule ARGS "@rx a.c" "id:2,phase:2,pass,setvar:tx.n=+1"
SecRule REQUEST_BODY "@rx (a.*c)+" "id:3,phase:2,pass,capture,setvar:'tx.long=%{tx.0}'"
SecRule TX:long|MATCHED_VARS "@rx a.*d" "id:4,phase:2,pass"
SecRule TX:level "@lt 2" "id:5,phase:2,pass,skipAfter:STRICT"
SecRule REQUEST_HEADERS "@rx evil" "id:6,phase:2,pass"
SecMarker STRICT
SecRule ARGS "@rx ev[i]l" "id:7,phase:2,block"
SecRule REQUEST_HEADERS:x-a "@rx ev[i]l" "id:8,phase:2,block,t:lowercase"
SecRule REQUEST_FILENAME|ARGS_NAMES "@rx ev[i]l" "id:9,phase:2,block,t:urlDecode"
SecRule ARGS_POST|REQUEST_BODY "@rx ev[i]l" "id:10,phase:2,block"
`
  const compiled = compileRuleSet(parseRuleSet([{ name: 'rules.conf', text: RULES }]))
  const idsOf = (target: string, body: string, workUnits: number) => {
    const headers = [
      ['content-type', 'application/x-www-form-urlencoded'],
      ['x-a', 'EVIL'],
    ] as const
    const found = evaluateRules(
      compiled,
      { method: 'POST', target, version: 'HTTP/1.1', headers, body, remoteAddress: '192.0.2.1' },
      { budget: new WorkBudget(workUnits) },
    )
    expect(found.spentUnits).toBeLessThan(workUnits + 21 * body.length + UNCHECKED_UNITS)
    return { ids: found.matches.map(({ id }) => id), isComplete: found.isComplete }
  }

  test.each([
    ['many values', values(900, 'abc').slice(2)],
    ['one long value', `x=${'abc'.repeat(10_000)}`],
    [
      'the value of a variable, and what the headers hold',
      `b=1&c=EVIL&d=evil&${values(900, 'abc').slice(2)}`,
    ],
  ])('%s: target and headers are inspected all the same', (_, body) => {
    const target = '/%65vil?q=evil&evil=1'
    expect(idsOf(target, '', DEFAULT_WORK_UNITS).ids).toEqual([1, 5, 7, 8, 9])
    const whole = idsOf(target, `${body}&e=devil`, 100_000_000)
    expect([whole.isComplete, whole.ids.includes(10)]).toEqual([true, true])
    for (const units of [200_000, 100_000]) {
      const { ids, isComplete } = idsOf(target, `${body}&e=devil`, units)
      expect(isComplete).toBe(false)
      expect(ids.filter((id) => id >= 5 && id !== 10)).toEqual([5, 7, 8, 9])
    }
  })

  test.each([
    ['few steps', 20, true],
    ['more steps than a search may have', 2_000, false],
  ])('a search with %s: is the inspection complete', (_, length, isComplete) => {
    expect(evaluate(BACKTRACKING, `/?a=${'a'.repeat(length)}`).isComplete).toBe(isComplete)
  })

  test('strings above a few hundred cost more, each of them once', () => {
    const budgets = [256, 257, 258].map((count) => {
      const budget = new WorkBudget(Infinity)
      const pool = new StringPool(createScanner([]), budget, undefined, 1_000_000)
      const strings = Array.from({ length: count }, (_, i) => pool.get(`s${i}`))
      for (const string of strings) pool.scanOf(string)
      return Math.floor(budget.spentUnits() / 1_000_000)
    })
    expect(budgets).toEqual([0, 1, 2])
  })
})

/** One value, its match and its effects. */
const UNCHECKED_UNITS = 3_000
