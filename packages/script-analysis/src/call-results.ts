// What calls return: not only the last value, but all that a function may return under unknown conditions, or yields.
import { mergeBranches } from './alternatives.ts'
import { MAX_ITEMS } from './limits.ts'
import type { Machine } from './machine.ts'
import { promiseOf } from './promises.ts'
import type { FunctionNode } from './syntax-tree.ts'
import type { Value } from './values.ts'

export interface CallResults extends Pick<Machine, 'noteReturn' | 'noteYield'> {
  /** Runs the body of a function, and gives the result of the call. */
  readonly resultOf: (node: FunctionNode, run: () => Value) => Value
}

/** For the functions of one script. */
export function createCallResults(spend: Machine['spend']): CallResults {
  /** What the running function may have returned before. */
  let earlier: Value[] = []
  let yielded: Value[] = []

  return {
    noteReturn(value) {
      if (earlier.length < MAX_ITEMS) earlier.push(value)
    },
    noteYield(value, isList) {
      const isKnown = isList && typeof value === 'object' && value?.kind === 'array'
      const items = isKnown ? value.items.slice(0, MAX_ITEMS - yielded.length) : [value]
      spend(items.length >> 3)
      if (yielded.length < MAX_ITEMS) for (const item of items) yielded.push(item)
    },
    resultOf(node, run) {
      const outer = [earlier, yielded] as const
      earlier = []
      yielded = []
      try {
        const last = run()
        const [first, ...others] = last === undefined ? earlier : [last, ...earlier]
        return wrap(node, others.reduce(mergeBranches, first), yielded)
      } finally {
        ;[earlier, yielded] = outer
      }
    },
  }
}

/** Of a generator all that it yields and returns, in this list itself; of an async function a promise. */
function wrap(
  { async: isAsync, generator: isGenerator }: FunctionNode,
  value: Value,
  yielded: Value[],
): Value {
  if (isGenerator === true) {
    if (value !== undefined) yielded.push(value)
    return { kind: 'array', items: yielded }
  }
  return isAsync === true ? promiseOf(value) : value
}
