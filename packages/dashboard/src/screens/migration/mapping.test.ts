// What each legacy setting becomes, in words.
import { expect, test } from 'vitest'
import type { ConfigRule } from '../../api/migration.ts'
import { mappingOf } from './mapping.ts'

const MANAGED = 'efb7b8c949ac4650a09736fc376e9aee'
const OWASP = '4814384a9e5d4991b9815dcfc25d2f1f'

const rule = (action: 'execute' | 'skip', parameters: object, enabled = true): ConfigRule =>
  ({
    id: '',
    version: '',
    action,
    expression: 'true',
    description: '',
    ref: '',
    enabled,
    action_parameters: parameters,
  }) as ConfigRule

const off = (...levels: number[]) =>
  levels.map((level) => ({ category: `paranoia-level-${level}`, enabled: false }))
const score = { id: 'x', action: 'managed_challenge', score_threshold: 25 }

test.each([
  {
    name: 'packages and exceptions',
    rules: [
      rule('skip', { ruleset: 'current' }),
      rule('skip', { ruleset: 'current' }),
      rule('execute', { id: MANAGED, overrides: { rules: [{}, {}] } }),
      rule('execute', { id: OWASP, overrides: { categories: off(2, 3, 4), rules: [score] } }),
    ],
    rows: [
      ['Package CloudFlare, 2 rules changed', 'Managed ruleset with 2 overrides', 1],
      ['OWASP, sensitivity medium, action challenge', 'Paranoia level 1, threshold 25, managed challenge', 1],
      ['Firewall rules that bypass, page rules with security off', '2 skip rules, in the same order', 2],
    ],
  },
  {
    name: 'OWASP is off, and the rest is disabled',
    rules: [rule('execute', { id: MANAGED }, false)],
    rows: [
      ['Package CloudFlare, as it came', 'Managed ruleset, without overrides, disabled', 1],
      ['OWASP, off', 'No rule', 0],
    ],
  },
  {
    name: 'all paranoia levels',
    rules: [rule('execute', { id: OWASP, overrides: { categories: [], rules: [score] } })],
    rows: [
      ['OWASP, sensitivity medium, action challenge', 'Paranoia level 4, threshold 25, managed challenge', 1],
    ],
  },
])('$name', ({ rules, rows }) => {
  const found = mappingOf(rules, { sensitivity: 'medium', action_mode: 'challenge' })
  expect(found.map(({ now, after, count }) => [now, after, count])).toEqual(rows)
})
