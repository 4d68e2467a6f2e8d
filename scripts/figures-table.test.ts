// The figures in README equal those in docs/performance.md; a change of either one is detected.
import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { comparisonTable, replaceTable } from './figures-table.ts'

const performance = readFileSync('docs/performance.md', 'utf8')
const readme = readFileSync('README.md', 'utf8')

test('README has the figures of docs/performance.md', () => {
  expect(replaceTable(readme, comparisonTable(performance))).toBe(readme)
})

test('a changed figure in docs/performance.md changes the table', () => {
  const changed = performance.replace(/^\| Knot \|.*$/m, '| Knot | 1 | 1 | 9.87x (1 to 2) | 1 | 0 | 1 |')
  expect(comparisonTable(changed)).toContain('9.87x')
  expect(replaceTable(readme, comparisonTable(changed))).not.toBe(readme)
})

test.each([
  ['a missing table', /^\| creates\/s /m, '| writes/s '],
  ['a missing row', /^\| Knot \|/gm, '| Knut |'],
])('%s is reported', (_, found, replacement) => {
  expect(() => comparisonTable(performance.replace(found, replacement))).toThrow(/has no ratio at/)
})

test('a README without the table is reported', () => {
  expect(() => replaceTable('# Zonereeve\n', 'x')).toThrow(/no table of comparisons/)
})
