// Names with values, as in headers, query arguments, cookies and forms.
import type { Bytes } from '../bytes.ts'
import { type MapValue, mapValue } from '../values.ts'

export type Pair = readonly [name: Bytes, value: Bytes]

/** Values under their name, in order of appearance. */
export function groupPairs(pairs: readonly Pair[]): MapValue {
  const groups = new Map<Bytes, Bytes[]>()
  for (const [name, value] of pairs) {
    const group = groups.get(name)
    if (group === undefined) groups.set(name, [value])
    else group.push(value)
  }
  return mapValue(groups)
}

export const namesOf = (pairs: readonly Pair[]): readonly Bytes[] => pairs.map(([name]) => name)
export const valuesOf = (pairs: readonly Pair[]): readonly Bytes[] => pairs.map(([, value]) => value)

/**
 * Splits `a=1&b=2` without decoding. Empty parts are skipped; a part without `=` has an empty value.
 * @param most pairs; the rest is left out; default: all
 */
export function splitQuery(query: Bytes, most?: number): readonly Pair[] {
  const pairs: Pair[] = []
  for (let at = 0; at < query.length && pairs.length !== most;) {
    const found = query.indexOf('&', at)
    const end = found === -1 ? query.length : found
    // Empty parts do not count, or a client could hide an argument behind them.
    if (end > at) {
      const part = query.slice(at, end)
      pairs.push(splitAt(part, part.indexOf('=')))
    }
    at = end + 1
  }
  return pairs
}

/** The text before and after a position; without a position, all of it and an empty string. */
export function splitAt(text: Bytes, place: number): Pair {
  return place === -1 ? [text, ''] : [text.slice(0, place), text.slice(place + 1)]
}
