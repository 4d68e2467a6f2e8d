// npm run ordinary-input: how much ordinary input the managed rules block. The strings are those of Debian packages on
// this machine: fortunes (/usr/share/games/fortunes) and documentation (/usr/share/doc), each as the value of a query,
// a form or a JSON document. Pages of HTML are counted apart. Options: --every N (18) and --from M (0) choose a sample; --shown K (3) strings per rule;
// --write stores the rate of each rule in the catalogue.
import { writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { findNew, isBlocked } from '../packages/firewall/src/managed-rules/corpus/new-product.cases.ts'
import type { ManagedRule } from '../packages/firewall/src/managed-rules/managed-rule.ts'
import { inspectSample } from '../packages/firewall/src/managed-rules/request-sample.cases.ts'
import { ordinaryStrings } from './ordinary-strings.ts'

const EXCERPT = 140

const { values: options } = parseArgs({
  options: {
    every: { type: 'string', default: '18' },
    from: { type: 'string', default: '0' },
    shown: { type: 'string', default: '3' },
    write: { type: 'boolean', default: false },
  },
})

/** The text as the value of a query, a form or a JSON document, in turn. */
function requestOf(text: string, index: number): Parameters<typeof inspectSample>[0] {
  const encoded = encodeURIComponent(text)
  if (index % 3 === 0) return { target: `/?q=${encoded}` }
  const isForm = index % 3 === 1
  return {
    method: 'POST',
    target: '/post',
    headers: { 'content-type': isForm ? 'application/x-www-form-urlencoded' : 'application/json' },
    body: isForm ? `text=${encoded}` : JSON.stringify({ text }),
  }
}

interface Judged {
  readonly asked: number
  readonly blocked: number
  /** With the strings that each rule stopped, most first. */
  readonly rules: readonly (readonly [ManagedRule, readonly string[]])[]
}

function judge(strings: readonly string[]): Judged {
  let [asked, blocked] = [0, 0]
  const byRule = new Map<ManagedRule, string[]>()
  for (let i = Number(options.from); i < strings.length; i += Number(options.every)) {
    const text = String(strings[i])
    const found = findNew(inspectSample(requestOf(text, asked)))
    asked += 1
    if (!isBlocked(found)) continue
    blocked += 1
    for (const rule of found.refusing) byRule.set(rule, [...(byRule.get(rule) ?? []), text]) // the first text of the rule
  }
  return { asked, blocked, rules: [...byRule].toSorted(([, a], [, b]) => b.length - a.length) }
}

function print(title: string, { asked, blocked, rules }: Judged): void {
  console.log(`\n${title}: ${blocked} of ${asked} blocked (${((100 * blocked) / asked).toFixed(3)} %)`)
  for (const [{ description }, found] of rules) {
    console.log(`${String(found.length).padStart(5)}  ${description}`)
    for (const text of found.slice(0, Number(options.shown)))
      console.log(`       ${JSON.stringify(text.slice(0, EXCERPT))}`)
  }
}

const { fortunes, documents, pages, strings, ofPages } = ordinaryStrings()
console.log(`${fortunes} files of fortunes, ${documents} of documentation, ${pages} pages of HTML`)
const { asked, blocked, rules } = judge(strings)
print('text and code', { asked, blocked, rules })
print('HTML', judge(ofPages))

if (options.write) {
  const rows = rules.map(
    ([{ id, description }, found]) => `    // ${description}\n    '${id}': ${found.length},\n`,
  )
  const file = new URL('../packages/firewall/src/managed-rules/ordinary-rates.ts', import.meta.url)
  writeFileSync(
    fileURLToPath(file),
    `// How many ordinary strings each managed rule stops: lines and paragraphs of fortunes and documentation, many of them code.
// Written by npm run ordinary-input -- --write, which says where they are from.
import type { OrdinaryRates } from './managed-rule.ts'

export const ORDINARY_RATES: OrdinaryRates = {
  tried: ${asked},
  stopped: ${blocked},
  /** By ID; rules that are not listed stop none. */
  stoppedBy: {
${rows.join('')}  },
}
`,
  )
}
