// Filters between the wire and the product's own terms.
import type { FilterDraft, WireFilter } from '@zonereeve/contract'
import { DomainError } from '../../platform/domain-error.ts'
import type { FilterDefinition } from './filters.service.ts'
import type { Filter } from './filters.store.ts'

/** Members stand in the order of the live API; those that were never given are left out. */
export function toWireFilter({ id, paused, description, expression, ref }: Filter): WireFilter {
  return {
    id,
    paused,
    ...(description === null ? {} : { description }),
    expression,
    ...(ref === null ? {} : { ref }),
  }
}

/** @param pointer to the filter in the request. */
export function toFilterDefinition(
  draft: FilterDraft & { readonly expression: string },
  pointer: string,
): FilterDefinition {
  return {
    expression: draft.expression,
    paused: draft.paused ?? false,
    description: draft.description ?? null,
    ref: draft.ref ?? null,
    pointer,
  }
}

/** A body that is a list or one alone, as a list of items with the pointers to them. */
export function withPointers<Item extends object>(
  body: Item | readonly Item[],
): { readonly item: Item; readonly pointer: string }[] {
  return isList(body)
    ? body.map((item, index) => ({ item, pointer: `/${index}` }))
    : [{ item: body, pointer: '' }]
}

const isList = <Item>(body: Item | readonly Item[]): body is readonly Item[] => Array.isArray(body)

/** Identifiers that are repeated, or have commas between them. @throws DomainError: request.invalid, when there are none. */
export function readIds(sent: string | readonly string[]): readonly string[] {
  const texts = typeof sent === 'string' ? [sent] : sent
  const ids = [...new Set(texts.flatMap((text) => text.split(',')).filter((text) => text !== ''))]
  if (ids.length > 0) return ids
  const values = { problem: 'id must name at least one' }
  throw new DomainError({ reason: 'request.invalid', pointer: '/id', values })
}
