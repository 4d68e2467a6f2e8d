// Results of functions that always return the same string for the same arguments. Obfuscated loops decode the same
// names in each round, and each call of a decoder takes hundreds of steps.
import type { FunctionNode } from './syntax-tree.ts'
import { isPrimitive, type Value } from './values.ts'

/** Equal results before one is remembered; code that rotates the table of a decoder sees another one each time. */
const TIMES_OF_PROOF = 4
/** Functions with fewer steps are interpreted each time. */
const MIN_STEPS = 60
const MAX_ARGUMENTS = 200
const MAX_KEY = 1000
const MAX_RESULTS = 2000

interface Result {
  text: string
  times: number
}

export interface CallMemory {
  /** The remembered result, if there is one. */
  readonly recall: (node: FunctionNode, args: readonly Value[]) => string | undefined
  /** Notes the result of a call that took this many steps. */
  readonly note: (node: FunctionNode, args: readonly Value[], result: Value, steps: number) => void
}

/** Remembers the functions of one script. */
export function createCallMemory(): CallMemory {
  const byNode = new Map<FunctionNode, Map<string, Result>>()
  let size = 0

  return {
    recall(node, args) {
      const results = byNode.get(node)
      const key = results === undefined ? null : keyOf(args)
      const known = key === null ? undefined : results?.get(key)
      return known !== undefined && known.times >= TIMES_OF_PROOF ? known.text : undefined
    },
    note(node, args, result, steps) {
      if (typeof result !== 'string' || (steps < MIN_STEPS && !byNode.has(node))) return
      const key = keyOf(args)
      if (key === null) return
      const results = byNode.get(node) ?? new Map<string, Result>()
      byNode.set(node, results)
      const known = results.get(key)
      if (known !== undefined) {
        known.times = known.text === result ? known.times + 1 : 1
        known.text = result
      } else if (size < MAX_RESULTS) {
        size += 1
        results.set(key, { text: result, times: 1 })
      }
    },
  }
}

/** null: an argument is unknown, or there are none: such a function may read the next one of a list. */
function keyOf(args: readonly Value[]): string | null {
  if (args.length === 0 || args.length > MAX_ARGUMENTS) return null
  const parts: string[] = []
  for (const arg of args) {
    const isList = typeof arg === 'object' && arg !== null && arg.kind === 'array'
    const items: readonly Value[] = isList ? arg.items : [arg]
    if (items.length > MAX_ARGUMENTS) return null
    for (const item of items) {
      if (!isPrimitive(item)) return null
      parts.push(`${typeof item} ${String(item)}`)
    }
    if (isList) parts.push(']')
  }
  const key = parts.join('\n')
  return key.length > MAX_KEY ? null : key
}
