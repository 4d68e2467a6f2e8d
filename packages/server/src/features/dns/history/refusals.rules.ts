// Change sets that the history does not have.
import { DomainError } from '@zonereeve/platform'

/** @param pointer the parameter that named the change set. */
export function throwDeleted(floor: number, pointer?: string): never {
  const values = { floor, earliest: floor - 1 }
  throw new DomainError({ reason: 'change.deleted', values, ...(pointer === undefined ? {} : { pointer }) })
}

/** The same. */
export function throwUnknownChange(number: number, pointer?: string): never {
  const values = { number }
  throw new DomainError({ reason: 'change.unknown', values, ...(pointer === undefined ? {} : { pointer }) })
}
