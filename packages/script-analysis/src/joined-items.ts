// Lists of lists and of texts, put together as far as the limits allow.
import { MAX_ITEMS, MAX_PREFIX, MAX_TEXT_LENGTH } from './limits.ts'
import type { Machine } from './machine.ts'
import { applyOperator } from './operators.ts'
import {
  type ArrayValue,
  isUnknown,
  taintOfText,
  textStart,
  unknownValue,
  type Value,
  wholeText,
} from './values.ts'

/** The items of the arrays among values, and the other values, until there are too many. */
export function collect(machine: Machine, values: readonly Value[]): ArrayValue {
  const items: Value[] = []
  for (const value of values) {
    const isList = typeof value === 'object' && value !== null && value.kind === 'array'
    machine.spend(1 + (isList ? value.items.length >> 4 : 0))
    if (isList) for (const item of value.items.slice(0, MAX_ITEMS - items.length)) items.push(item)
    else items.push(value)
    if (items.length >= MAX_ITEMS) break
  }
  return { kind: 'array', items }
}

/** The items of an array as one text; unknown if one of them is. */
export function joinItems(machine: Machine, items: readonly Value[], by: Value): Value {
  const text = by === undefined ? ',' : wholeText(by)
  const parts = items.map((item) => (item === null || item === undefined ? '' : wholeText(item)))
  const known = parts.indexOf(undefined)
  if (text !== undefined && known === -1) {
    const joined = joinUpTo(parts, text, MAX_TEXT_LENGTH)
    machine.spend(joined.length >> 10)
    return joined
  }
  let taint = 0
  for (const item of items) taint |= taintOfText(item)
  const prefix =
    text === undefined
      ? textStart(items[0])
      : joinUpTo([...parts.slice(0, known), textStart(items[known])], text, MAX_PREFIX)
  return unknownValue({
    taint,
    prefix: prefix.slice(0, MAX_PREFIX),
    lead: text === '' ? leadOfStrings(items) : null,
  })
}

/** The beginning of joined parts: parts behind it are not read. */
function joinUpTo(parts: readonly (string | undefined)[], by: string, length: number): string {
  let joined = ''
  for (const [i, part = ''] of parts.entries()) {
    joined += (i === 0 ? '' : by.slice(0, length)) + part.slice(0, length)
    if (joined.length >= length) break
  }
  return joined.slice(0, length)
}

/** Addresses are not built from more parts. */
const MAX_PARTS_OF_LEAD = 30

/** The lead of joined strings. */
export function leadOfStrings(parts: readonly Value[]): number | null {
  const sum = parts.slice(0, MAX_PARTS_OF_LEAD).reduce((a, b) => applyOperator('+', a, b), '')
  return isUnknown(sum) ? sum.lead : null
}
