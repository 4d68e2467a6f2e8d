// What calls return: not only the last value, but all that a function may return under unknown conditions, or yields.
import { either } from './alternatives.ts'
import { MAX_ITEMS } from './limits.ts'
import type { Machine } from './machine.ts'
import { promiseOf } from './promises.ts'
import type { FunctionNode } from './syntax-tree.ts'
import type { Value } from './values.ts'

export interface CallResults extends Pick<Machine, 'mayReturn' | 'yields'> {
  /** Runs the body of a function, and gives the result of the call. */
  readonly resultOf: (node: FunctionNode, run: () => Value) => Value
}

/** For the functions of one script. */
export function createCallResults(): CallResults {
  /** What the running function may have returned before. */
  let earlier: Value[] = []
  let yielded: Value[] = []

  return {
    mayReturn(value) {
      if (earlier.length < MAX_ITEMS) earlier.push(value)
    },
    yields(value, isList) {
      const isKnown = isList && typeof value === 'object' && value?.kind === 'array'
      if (yielded.length < MAX_ITEMS) yielded.push(...(isKnown ? value.items.slice(0, MAX_ITEMS) : [value]))
    },
    resultOf(node, run) {
      const outer = [earlier, yielded] as const
      earlier = []
      yielded = []
      try {
        const last = run()
        const [first, ...others] = last === undefined ? earlier : [last, ...earlier]
        return wrap(node, others.reduce(either, first), yielded)
      } finally {
        ;[earlier, yielded] = outer
      }
    },
  }
}

/** Of a generator all that it yields and returns, of an async function a promise. */
function wrap(
  { async: isAsync, generator: isGenerator }: FunctionNode,
  value: Value,
  yielded: readonly Value[],
): Value {
  if (isGenerator === true)
    return { kind: 'array', items: value === undefined ? [...yielded] : [...yielded, value] }
  return isAsync === true ? promiseOf(value) : value
}
