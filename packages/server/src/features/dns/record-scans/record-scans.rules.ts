// Converts the records found by a scan to inputs, and finds the record that a reviewer refers to.
import { typeText } from '@zonereeve/dns'
import {
  inputOfValue,
  readRecord,
  type RecordFields,
  type RecordInput,
  type RecordSurroundings,
  type RecordValue,
} from '../dns-records/index.ts'

/** Result of scanning the current nameservers. */
export type DnsScanOutcome =
  | { readonly kind: 'undelegated' | 'silent' }
  | {
      readonly kind: 'surveyed'
      readonly records: readonly RecordValue[]
      readonly isComplete: boolean
      readonly hasVaryingWildcard: boolean
    }

export interface UsableRecords {
  readonly usable: readonly RecordFields[]
  /** `TYPE name` of records that the rules reject. */
  readonly unusable: readonly string[]
}

/**
 * Found records are proposed as they are: not proxied, with their TTL within the bounds.
 *
 * @returns the inputs of supported records, and `TYPE name` of the others.
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

/** The records that the rules allow. */
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
