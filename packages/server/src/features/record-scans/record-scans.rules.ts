// What a survey found, as records that could be added; and which found record a reviewer means.
import type { Name } from '@zonereeve/dns'
import {
  inputOfValue,
  readRecord,
  type RecordFields,
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

/** Found records are proposed as they are: not proxied, with the TTL that they have, within the bounds. */
export function usableRecords(found: readonly RecordValue[], around: RecordSurroundings): UsableRecords {
  const usable: RecordFields[] = []
  const unusable: string[] = []
  for (const value of found) {
    const input = inputOfValue(value)
    const fields = input && readRecord(input, around)
    if (fields !== undefined && 'name' in fields) usable.push(fields)
    else unusable.push(describeValue(value.name, input?.type ?? `TYPE${value.type}`))
  }
  return { usable, unusable: [...new Set(unusable)] }
}

const describeValue = (name: Name, type: string): string => `${type} ${name}`
