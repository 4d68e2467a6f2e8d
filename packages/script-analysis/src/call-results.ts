// What calls return: not only the last value, but all that a function may return under unknown conditions, or yields.
import { mergeAll } from './alternatives.ts'
import { MAX_ITEMS } from './limits.ts'
import type { Machine } from './machine.ts'
import type { FunctionNode } from './syntax-tree.ts'
import { createThrown, type Thrown } from './thrown.ts'
import { ScriptThrow } from './throws.ts'
import { PRIVATE_TAINT, TAINT, taintOf, type Value } from './values.ts'

/** Private data, apart from that of any field: libraries have members called `value`, too. */
const isSecret = (value: Value): boolean => (taintOf(value) & PRIVATE_TAINT & ~TAINT.field) !== 0

export interface CallResults extends Thrown, Pick<Machine, 'noteReturn' | 'noteYield'> {
  /** Runs the body of a function, and gives the result of the call. */
  readonly resultOf: (node: FunctionNode, run: () => Value) => Value
}

/** For the functions of one script. */
export function createCallResults(spend: Machine['spend']): CallResults {
  const thrown = createThrown(spend)
  /** What the running function may have returned before. */
  let earlier: Value[] = []
  /** On what it depends which of these are returned. */
  let askedFor = 0
  let yielded: Value[] = []

  /** The value at the end. If it may have returned a secret before, an exception is only possible. */
  function lastOf(run: () => Value): Value {
    try {
      return run()
    } catch (error) {
      if (!(error instanceof ScriptThrow) || !earlier.some(isSecret)) throw error
      thrown.noteThrow(error.value)
      return undefined
    }
  }

  return {
    ...thrown,
    noteReturn(value, asked) {
      askedFor |= asked
      if (earlier.length < MAX_ITEMS) earlier.push(value)
    },
    noteYield(value, isList) {
      const isKnown = isList && typeof value === 'object' && value?.kind === 'array'
      const items = isKnown ? value.items.slice(0, MAX_ITEMS - yielded.length) : [value]
      spend(items.length >> 3)
      if (yielded.length < MAX_ITEMS) for (const item of items) yielded.push(item)
    },
    resultOf(node, run) {
      const outer = [earlier, yielded, askedFor] as const
      askedFor = 0
      earlier = []
      yielded = []
      try {
        const last = lastOf(run)
        const returned = last === undefined ? earlier : [last, ...earlier]
        return wrap(node, mergeAll({ spend }, returned, askedFor), yielded)
      } finally {
        ;[earlier, yielded, askedFor] = outer
      }
    },
  }
}

/** Of a generator all that it yields and returns, in this list itself. */
function wrap({ generator: isGenerator }: FunctionNode, value: Value, yielded: Value[]): Value {
  if (isGenerator !== true) return value
  if (value !== undefined) yielded.push(value)
  return { kind: 'array', items: yielded }
}
