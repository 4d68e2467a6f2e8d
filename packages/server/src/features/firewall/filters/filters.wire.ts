// Conversion of filters between the wire format and the domain types.
import type { FilterDraft, WireFilter } from '@zonereeve/contract'
import { DomainError } from '@zonereeve/platform'
import type { FilterDefinition } from './filters.service.ts'
import type { Filter } from './filters.store.ts'

/** Members are in the order of the live API; members that are not set are left out. */
export function toWireFilter({ id, paused, description, expression, ref }: Filter): WireFilter {
  return {
    id,
    paused,
    ...(description === null ? {} : { description }),
    expression,
    ...(ref === null ? {} : { ref }),
  }
}

/** @param pointer JSON pointer to the filter in the request. */
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

/** Reads a body that is a list or a single item as a list of items with their JSON pointers. */
export function withPointers<Item extends object>(
  body: Item | readonly Item[],
): { readonly item: Item; readonly pointer: string }[] {
  return isList(body)
    ? body.map((item, index) => ({ item, pointer: `/${index}` }))
    : [{ item: body, pointer: '' }]
}

const isList = <Item>(body: Item | readonly Item[]): body is readonly Item[] => Array.isArray(body)

/**
 * IDs from repeated or comma-separated parameters.
 * @throws DomainError: request.invalid if there are none.
 */
export function readIds(sent: string | readonly string[]): readonly string[] {
  const strings = typeof sent === 'string' ? [sent] : sent
  const ids = [...new Set(strings.flatMap((text) => text.split(',')).filter((text) => text !== ''))]
  if (ids.length > 0) return ids
  const values = { problem: 'id must contain at least one ID' }
  throw new DomainError({ reason: 'request.invalid', pointer: '/id', values })
}
