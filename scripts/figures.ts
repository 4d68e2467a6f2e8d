// npm run check -- figures: the table in README's section "Performance" equals the figures in docs/performance.md.
// Without --check, writes that table.
import { readFileSync, writeFileSync } from 'node:fs'
import { comparisonTable, replaceTable } from './figures-table.ts'

const README = 'README.md'
const readme = readFileSync(README, 'utf8')
const updated = replaceTable(readme, comparisonTable(readFileSync('docs/performance.md', 'utf8')))
if (!process.argv.includes('--check')) writeFileSync(README, updated)
else if (updated !== readme) {
  console.log(`${README} differs from docs/performance.md; run: npx tsx scripts/figures.ts`)
  process.exitCode = 1
}
