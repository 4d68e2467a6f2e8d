// npm run ordinary-input: how much ordinary input the managed rules block. The strings are those of Debian packages on
// this machine: fortunes (/usr/share/games/fortunes) and documentation (/usr/share/doc), each as the value of a query,
// a form or a JSON document. Options: --every N (18) and --from M (0) choose a sample; --shown K (3) strings per rule.
import { parseArgs } from 'node:util'
import { findNew, isBlocked } from '../packages/firewall/src/managed-rules/corpus/new-product.cases.ts'
import { inspectSample } from '../packages/firewall/src/managed-rules/request-sample.cases.ts'
import { ordinaryStrings } from './ordinary-strings.ts'

const EXCERPT = 140

const { values: options } = parseArgs({
  options: {
    every: { type: 'string', default: '18' },
    from: { type: 'string', default: '0' },
    shown: { type: 'string', default: '3' },
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

const { fortunes, documents, strings } = ordinaryStrings()
let [asked, blocked] = [0, 0]
const byRule = new Map<string, string[]>()
for (let i = Number(options.from); i < strings.length; i += Number(options.every)) {
  const text = String(strings[i])
  const found = findNew(inspectSample(requestOf(text, asked)))
  asked += 1
  if (!isBlocked(found)) continue
  blocked += 1
  for (const { description } of found.refusing)
    byRule.set(description, [...(byRule.get(description) ?? []), text]) // the first text of the rule
}
console.log(`${fortunes} files of fortunes, ${documents} of documentation, ${strings.length} strings`)
console.log(`${blocked} of ${asked} blocked (${((100 * blocked) / asked).toFixed(3)} %)`)
for (const [rule, found] of byRule) {
  console.log(`${String(found.length).padStart(5)}  ${rule}`)
  for (const text of found.slice(0, Number(options.shown)))
    console.log(`       ${JSON.stringify(text.slice(0, EXCERPT))}`)
}
