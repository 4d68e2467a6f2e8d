// Code that a script passes to `eval` and `Function`.
import { declareNames } from './bindings.ts'
import type { Effect } from './browser-requests.ts'
import type { Machine } from './machine.ts'
import { seeFlow, seeLayer } from './observations.ts'
import { parseSource } from './syntax-tree.ts'
import { functionOf } from './text-functions.ts'
import { TAINT, taintOf, textStart, UNKNOWN, unknownValue, type Value, wholeText } from './values.ts'

export const code =
  (by: 'eval' | 'function'): Effect =>
  (machine, { args }) => {
    const last = args.at(-1)
    const text = wholeText(last)
    if (text === undefined) {
      seeFlow(machine.observed, {
        sink: 'code',
        address: textStart(last).slice(0, 200),
        taint: taintOf(last),
      })
      // The result of code that was loaded.
      return unknownValue({ taint: taintOf(last) & TAINT.network })
    }
    if (typeof last !== 'string') return last
    seeLayer(machine.observed, { text, by })
    return by === 'function' ? functionOf(machine, paramsOf(args), text) : valueOf(machine, text)
  }

const paramsOf = (args: readonly Value[]): readonly string[] =>
  args.slice(0, -1).map((arg) => wholeText(arg) ?? 'a')

const MAX_EXPRESSION = 20_000
/** Calls and lists: what decoders evaluate for a string, `eval(eval('String.fromCharCode(…)'))`. */
const DECODES = /^\s*(?:\[|["']|[\w$.]+\s*\()/u

/** Of any text. */
const STEPS_OF_PARSING = 60
/** Programs of at most this length are run at once: the code that follows uses what they declare. */
const MAX_PROGRAM = 4000

/** The value of code: of its last expression. What it does is also noted when it runs as a layer. */
function valueOf(machine: Machine, text: string): Value {
  if (text.length > MAX_PROGRAM && (text.length > MAX_EXPRESSION || !DECODES.test(text))) return UNKNOWN
  machine.spend(STEPS_OF_PARSING + text.length)
  const program = parseSource(text)
  if (program === null || (text.length > MAX_PROGRAM && program.body.length !== 1)) return UNKNOWN
  const { observed, globals } = machine
  const { hasPositions } = observed
  observed.hasPositions = false
  try {
    declareNames(machine, program, globals)
    let value: Value = UNKNOWN
    for (const statement of program.body) {
      if (statement.type === 'ExpressionStatement') value = machine.evaluate(statement.expression, globals)
      else machine.execute(statement, globals)
    }
    return value
  } finally {
    observed.hasPositions = hasPositions
  }
}
