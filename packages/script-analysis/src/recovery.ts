// Recovers a tree from text that is not a valid script: a section cut out of one, a truncated copy, a copy with
// escaped quotes, or a script with a slip of its author.
import type { ESTree } from 'meriyah'
import { parseSource, parseWithError } from './syntax-tree.ts'

/** Longer text is not recovered: each attempt parses it once. */
const MAX_RECOVERED = 60_000
const MAX_REPAIRS = 12
/** A repair removes at most this share of the text; more would be another script. */
const MAX_REMOVED = 0.4
const SCRIPT_WORDS = /\b(?:function|var|let|const|return|document|window|new)\b|=>|\)\s*[;{.]/u

/** The contexts from which a section may be cut. */
const WRAPPERS: readonly (readonly [before: string, after: string])[] = [
  ['({', '})'],
  ['(class{', '})'],
  ['[', ']'],
  ['async function*a(){', '}'],
  ['switch(a){', '}'],
  ['a(', ')'],
]

/** A tree with most of the text, or null. The tree's positions may be off by the length of a wrapper or a repair. */
export function recoverProgram(text: string): ESTree.Program | null {
  if (text.length > MAX_RECOVERED || !SCRIPT_WORDS.test(text)) return null
  const trimmed = text.replace(/^[\s,;)\]}]+/u, '').replace(/[\s,([{]+$/u, '')
  for (const [before, after] of [['', ''] as const, ...WRAPPERS]) {
    const program = parseSource(before + trimmed + after)
    if (program !== null && program.body.length > 0) return program
  }
  if (/\\["']/u.test(trimmed)) {
    const program = parseSource(trimmed.replaceAll(/\\(["'])/gu, '$1'))
    if (program !== null && program.body.length > 0) return program
  }
  return repair(trimmed)
}

/** Removes what the parser rejects, line by line or statement by statement. */
function repair(text: string): ESTree.Program | null {
  let current = text
  for (let i = 0; i < MAX_REPAIRS; i += 1) {
    const read = parseWithError(current)
    if (read.program !== null) return read.program.body.length > 0 ? read.program : null
    const { start } = read.error
    const isEnd = current.slice(start).trim().length <= 1
    const repaired = isEnd ? closeBrackets(current) : withoutError(current, start)
    const lost = text.length - repaired.replaceAll(/\s/gu, '').length
    if (repaired === current || (lost > 400 && lost > text.length * MAX_REMOVED)) return null
    current = repaired
  }
  return null
}

function withoutError(text: string, start: number): string {
  // `{ a: 1; b: 2 }`
  if (text.charAt(start) === ';') return `${text.slice(0, start)},${text.slice(start + 1)}`
  const before = text.slice(0, start).search(/[;{}\n][^;{}\n]*$/u) + 1
  const length = text.slice(start).search(/[;}\n]/u)
  const end = length === -1 ? text.length : start + length
  return `${text.slice(0, before)} ${text.slice(Math.max(end, start + 1))}`
}

const PAIRS: Readonly<Record<string, string>> = { '(': ')', '[': ']', '{': '}' }

/** Cuts off an unfinished statement and closes what is open. */
function closeBrackets(text: string): string {
  const cut = text.slice(0, Math.max(text.lastIndexOf(';'), text.lastIndexOf('}')) + 1)
  const open: string[] = []
  for (const [token] of cut.matchAll(/"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'|[()[\]{}]/gu)) {
    const closing = PAIRS[token]
    if (closing !== undefined) open.push(closing)
    else if (token.length === 1 && open.at(-1) === token) open.pop()
  }
  return cut + open.toReversed().join('')
}
