// Compares the schema validator's complaints with the known differences, each of which has a reason. The table in
// docs/compatibility.md is generated from the same file.
import { readFileSync } from 'node:fs'

interface SchemaDifference {
  /** Patterns for `METHOD path status` and for the validator's message. Unknown fields begin with `extra`. */
  readonly operation: string
  readonly problem: string
}

interface Complaint {
  readonly operation: string
  readonly problem: string
}

const known = JSON.parse(
  readFileSync(new URL('../docs/schema-differences.json', import.meta.url), 'utf8'),
) as readonly SchemaDifference[] // written by hand, and shown by npm run docs

/** @returns the validator's lines that no known difference explains. @throws Error if the output has another format. */
export function unexplainedLines(output: string): readonly string[] {
  if (!/^\d+ passed, \d+ failed$/m.test(output)) throw new Error(`the validator did not finish\n${output}`)
  return output.split('\n').filter((line) => {
    const complaint = readComplaint(line)
    return complaint !== undefined && !known.some((difference) => explains(difference, complaint))
  })
}

function explains(difference: SchemaDifference, { operation, problem }: Complaint): boolean {
  return new RegExp(difference.operation).test(operation) && new RegExp(difference.problem).test(problem)
}

/** `  12 x METHOD path status: problem   e.g. value`; undefined for other lines. */
function readComplaint(line: string): Complaint | undefined {
  const text = /^ *\d+ x (.+?)(?: {3}e\.g\. .*)?$/.exec(line)?.[1]
  if (text === undefined) return undefined
  const missing = /^\(no such operation in the spec\) (.+)$/.exec(text)
  if (missing !== null) return { operation: missing[1] ?? '', problem: 'no such operation' }
  const [, operation = '', problem = ''] = /^(\w+ \S+(?: \d{3})?): (.*)$/.exec(text) ?? []
  return { operation, problem: problem.startsWith('.') ? `extra ${problem}` : problem }
}
