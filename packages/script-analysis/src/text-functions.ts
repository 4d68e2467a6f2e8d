// Functions from texts: of `Function`, and of code that runs later, such as that of timers.
import type { Machine } from './machine.ts'
import { type Layer, MIN_LAYER, seeLayer } from './observations.ts'
import { isFunction, parseSource } from './syntax-tree.ts'
import { UNKNOWN, type Value } from './values.ts'

const MAX_BODY = 4000
/** Of any text. */
const STEPS_OF_PARSING = 60

/** A function created from a short string. */
export function functionOf(machine: Machine, params: readonly string[], body: string): Value {
  machine.spend(body.length)
  if (body.length > MAX_BODY) return UNKNOWN
  const [statement] = parseSource(`(function(${params.join(',')}){${body}\n})`)?.body ?? []
  if (statement?.type !== 'ExpressionStatement' || !isFunction(statement.expression)) return UNKNOWN
  return machine.makeFunction(statement.expression, machine.globals)
}

/** Code that runs later is a layer. If it is too short for one, such as `go()`, it still calls functions. */
export function runLater(machine: Machine, text: string, by: Layer['by'], event?: string): void {
  seeLayer(machine.observed, { text, by })
  if (text.length >= MIN_LAYER || !text.includes('(')) return
  machine.spend(STEPS_OF_PARSING)
  const known = machine.shortCode.get(text) ?? functionOf(machine, [], text)
  machine.shortCode.set(text, known)
  machine.later(known, [], machine.globals.self, { event })
}
