// npm run docs: writes the tables of docs/compatibility.md from the program's own definitions. --check fails if they are
// out of date. The prose between the tables is written by hand.
import { readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { OPERATIONS } from '@zonereeve/contract'
import { WIRE_ERRORS, WIRE_NOTICES, type WireError } from '@zonereeve/platform'

interface SchemaDifference {
  readonly where: string
  readonly what: string
  readonly why: string
}

const page = fileURLToPath(new URL('../docs/compatibility.md', import.meta.url))
const differences = JSON.parse(
  readFileSync(new URL('../docs/schema-differences.json', import.meta.url), 'utf8'),
) as readonly SchemaDifference[] // acceptance reads the same file

const OWN_CODES = 19_000

const table = (head: readonly string[], rows: readonly (readonly string[])[]): string =>
  [head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n')

const TABLES: Readonly<Record<string, () => string>> = {
  'schema differences': () =>
    table(
      ['where', 'difference', 'reason'],
      differences.map(({ where, what, why }) => [where, what, why]),
    ),
  'own codes': () =>
    table(
      ['code', 'status', 'message'],
      Object.values<WireError>(WIRE_ERRORS)
        .filter(({ code }) => code >= OWN_CODES && code < OWN_CODES + 1000)
        .toSorted((a, b) => a.code - b.code)
        .map(({ code, status, message }) => [String(code), String(status), cell(message)]),
    ),
  'own messages': () =>
    table(
      ['code', 'message'],
      Object.values(WIRE_NOTICES)
        .filter(({ code }) => code >= OWN_CODES && code < OWN_CODES + 1000)
        .toSorted((a, b) => a.code - b.code)
        .map(({ code, message }) => [String(code), cell(message)]),
    ),
  'own operations': () =>
    table(
      ['operation', 'description'],
      OPERATIONS.filter(({ path }) => path.startsWith('/zonereeve/')).map(({ method, path, summary }) => [
        `\`${method} ${path}\``,
        summary,
      ]),
    ),
}

const cell = (text: string): string =>
  text
    .replaceAll('|', '\\|')
    .replace(/<(https:[^>]+)>/g, '$1')
    .replace(/\{(\w+)\}/g, '‹$1›')

const before = readFileSync(page, 'utf8')
let after = before
for (const [name, write] of Object.entries(TABLES)) {
  const [begin, end] = [`<!-- ${name} -->\n`, `<!-- end of ${name} -->`]
  const [from, to] = [after.indexOf(begin), after.indexOf(end)]
  if (from === -1 || to === -1) throw new Error(`docs/compatibility.md has no section for the ${name}`)
  after = `${after.slice(0, from)}${begin}\n${write()}\n\n${after.slice(to)}`
}
if (!process.argv.includes('--check')) writeFileSync(page, after)
else if (after !== before) {
  console.log('docs/compatibility.md is out of date; run: npm run docs')
  process.exitCode = 1
}
