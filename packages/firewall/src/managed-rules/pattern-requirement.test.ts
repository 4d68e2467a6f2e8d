// What rules out patterns without running them never rules out one that matches.
import fc from 'fast-check'
import { parseRegex, type Regex } from '@zonereeve/expr'
import { canBegin, createScanner, isPossible } from '@zonereeve/seclang'
import { describe, expect, test } from 'vitest'
import { MANAGED_RULES } from './catalogue/registry.ts'
import { HOSTILE_REQUESTS } from './hostile-requests.cases.ts'
import { requirementOfRegex } from './pattern-requirement.ts'

function regex(pattern: string): Regex {
  const parsed = parseRegex(pattern, 1_000_000)
  if (typeof parsed === 'string') throw new Error(parsed)
  return parsed
}

test.each<[string, string, readonly (readonly string[])[], number]>([
  ['words in a row', 'union\\s+select', [['select'], ['union']], 1],
  ['a word in either case', '(?i)Ev\\(', [['ev(']], 1],
  ['one of several', '(?:cat|tac) ', [['cat ', 'tac ']], 1],
  ['a repeated byte', '\\.{4,}', [['....']], 1],
  ['no short word beside a longer one', 'on.*load=', [['load=']], 1],
  ['a short word alone', '\\bor\\b', [['or']], 0],
  ['rare bytes only', '[<>]', [], 1],
  ['nothing', '[a-z]+', [], 0],
])('%s', (_, pattern, clauses, masks) => {
  const requirement = requirementOfRegex(regex(pattern))
  expect(requirement.clauses).toEqual(clauses)
  expect(requirement.masks).toHaveLength(masks)
})

describe('every pattern of the catalogue', () => {
  const regexes = MANAGED_RULES.flatMap(({ detection }) =>
    detection.kind === 'patterns' ? detection.all.flatMap(({ patterns }) => patterns.map(regex)) : [],
  )
  const requirements = regexes.map(requirementOfRegex)
  const scan = createScanner(requirements)

  function missedIn(text: string): readonly string[] {
    const found = scan(text)
    return regexes
      .filter((one, i) => {
        const requirement = requirements[i]
        if (requirement === undefined) return true
        const isRuledOut =
          !isPossible(found, i, requirement) || !canBegin(requirement.beginning, text, found.mask)
        return isRuledOut && one.test(text)
      })
      .map(({ pattern }) => pattern)
  }

  test('is not ruled out by a text that it matches', () => {
    const fragments = [
      ...HOSTILE_REQUESTS.flatMap(({ target, body }) => [target.slice(0, 200), body.slice(0, 300)]),
      ...requirements.flatMap(({ clauses }) => clauses.flat()),
    ]
    expect(fragments.length).toBeGreaterThan(1_000)
    const text = fc
      .array(fc.constantFrom(...fragments, ' ', '\n', '"', "'", '=', '(', '1'), { maxLength: 6 })
      .map((some) => some.join(''))
    fc.assert(
      fc.property(text, (some) => {
        expect(missedIn(some)).toEqual([])
      }),
      { numRuns: 150 },
    )
  })
})
