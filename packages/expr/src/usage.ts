// What an expression uses, so that callers can decide whether it is allowed.
import { type Node, walk } from './ast.ts'
import { parseRegex } from './regex.ts'
import type { Scheme, SchemeField } from './scheme.ts'
import type { Type } from './types.ts'

export type Usage = {
  /** Names, sorted, without duplicates. */
  readonly fields: readonly string[]
  readonly functions: readonly string[]
  readonly lists: readonly { readonly name: string; readonly type: Type }[]
  /** Number of its regular expressions. */
  readonly regexes: number
  /** Estimated total size of their automatons. */
  readonly regexBytes: number
}

/** Everything that the tree refers to. */
export function usageOf(root: Node): Usage {
  const fields = new Set<string>()
  const functions = new Set<string>()
  const lists = new Map<string, { name: string; type: Type }>()
  let regexes = 0
  let regexBytes = 0
  walk(root, (node) => {
    if (node.kind === 'field') fields.add(node.name)
    if (node.kind === 'call') functions.add(node.name)
    if (node.kind !== 'comparison') return
    if (node.test.op === 'matches') {
      const regex = parseRegex(node.test.pattern, Number.POSITIVE_INFINITY)
      regexes += 1
      regexBytes += typeof regex === 'string' ? 0 : regex.sizeBytes
    }
    if (node.test.op === 'in-list') {
      const { type } = node.lhs
      lists.set(`${type.kind} ${node.test.list}`, { name: node.test.list, type })
    }
  })
  return {
    fields: [...fields].toSorted(),
    functions: [...functions].toSorted(),
    lists: [...lists.values()],
    regexes,
    regexBytes,
  }
}

/**
 * A scheme without some fields: `refusal` returns the reason for a field that may not be used. Slots do not change,
 * so contexts of the whole scheme can be used with it.
 */
export function restrictScheme(scheme: Scheme, refusal: (field: SchemeField) => string | undefined): Scheme {
  const restricted = [...scheme.fields].map(([name, field]) => {
    const reason = field.unavailable ?? refusal(field)
    return [name, reason === undefined ? field : { ...field, unavailable: reason }] as const
  })
  return { ...scheme, fields: new Map(restricted) }
}
