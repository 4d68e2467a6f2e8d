// npm run docs: writes docs/coverage.md from the operations that the router serves. --check fails if the file is out of date.
import { readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { OPERATIONS, permissionText, RECORD_TYPES, type Operation } from '@zonereeve/contract'

const file = fileURLToPath(new URL('../docs/coverage.md', import.meta.url))

function coverage(): string {
  const tags = [...new Set(OPERATIONS.map((operation) => operation.tag))]
  const sections = tags.flatMap((tag) => [
    `## ${tag}`,
    '',
    '| operation | description | permission (one of) |',
    '|---|---|---|',
    ...OPERATIONS.filter((operation) => operation.tag === tag).map(row),
    '',
  ])
  return [
    '# API coverage',
    '',
    `Zonereeve serves ${OPERATIONS.length} operations. \`npm run docs\` generates this page from the definitions that the router, the`,
    'validation and `/openapi.json` use; a check fails if it is out of date.',
    '',
    `Record types: ${RECORD_TYPES.toSorted().join(', ')}.`,
    '',
    'Paths under `/zonereeve/` are our own extensions. All other paths answer `No route for that URI`, code 7000.',
    '',
    ...sections,
  ].join('\n')
}

function row(operation: Operation): string {
  return `| \`${operation.method} ${operation.path}\` | ${operation.summary} | ${permissionText(operation.permission)} |`
}

const written = coverage()
if (!process.argv.includes('--check')) writeFileSync(file, written)
else if (readFileSync(file, 'utf8') !== written) {
  console.log('docs/coverage.md is out of date; run: npm run docs')
  process.exitCode = 1
}
