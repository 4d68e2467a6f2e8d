// What calls such as `map` run a function for.
import { isFunctionValue, STEPS_OF_TAINT } from './given-taint.ts'
import type { Machine } from './machine.ts'
import { isUnknown, taintOf, unknownValue, type UnknownValue, type Value, weightOf } from './values.ts'

/** What a function is called for: the object itself, as in `list.map(f)`, or what is given before it, as in `lib.map(list, f)`. */
export function eachOf({ spend }: Machine, self: UnknownValue, args: readonly Value[]) {
  const [first, second] = args
  if (isFunctionValue(first) || !isFunctionValue(second)) return { callee: first, item: self, source: self }
  spend(STEPS_OF_TAINT * weightOf(first))
  return { callee: second, item: anyItem(first), source: first }
}

/** Any of the values in a list or an object. */
function anyItem(list: Value): Value {
  if (isUnknown(list)) return list
  if (typeof list === 'object' && list?.kind === 'array' && list.items.length === 1) return list.items[0]
  return unknownValue({ taint: taintOf(list) })
}
