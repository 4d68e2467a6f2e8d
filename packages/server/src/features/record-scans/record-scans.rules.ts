// What a survey found, as records that could be added; and which found record a reviewer means.
import { typeText } from '@zonereeve/dns'
import {
  inputOfValue,
  readRecord,
  type RecordFields,
  type RecordInput,
  type RecordSurroundings,
  type RecordValue,
} from '../dns-records/index.ts'

/** What asking the present nameservers came to. */
export type SurveyOutcome =
  | { readonly kind: 'undelegated' | 'silent' }
  | {
      readonly kind: 'surveyed'
      readonly records: readonly RecordValue[]
      readonly isComplete: boolean
      readonly hasVaryingWildcard: boolean
    }

export interface UsableRecords {
  readonly usable: readonly RecordFields[]
  /** `TYPE name` of what the rules of this service refuse. */
  readonly unusable: readonly string[]
}

/**
 * Found records are proposed as they are: not proxied, with the TTL that they have, within the bounds.
 *
 * @returns those that can be said here, and `TYPE name` of the others.
 */
export function proposedInputs(found: readonly RecordValue[]) {
  const inputs: RecordInput[] = []
  const unusable: string[] = []
  for (const value of found) {
    const input = inputOfValue(value)
    if (input === undefined) unusable.push(`${typeText(value.type)} ${value.name}`)
    else inputs.push(input)
  }
  return { inputs, unusable }
}

/** Those that the rules of every record allow. */
export function usableRecords(found: readonly RecordValue[], around: RecordSurroundings): UsableRecords {
  const { inputs, unusable } = proposedInputs(found)
  const usable: RecordFields[] = []
  for (const input of inputs) {
    const fields = readRecord(input, around)
    if ('name' in fields) usable.push(fields)
    else unusable.push(`${input.type} ${input.name?.replace(/\.$/, '')}`)
  }
  return { usable, unusable: [...new Set(unusable)] }
}
