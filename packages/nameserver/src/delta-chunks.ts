// A change of records, and a large one in chunks.
import { chunksOf } from '@zonereeve/cooperate'
import { NO_RECORDS } from './rrset.ts'
import type { NameMark, ZoneRecord } from './zone-data.ts'

/** Records of a large change that are grouped by their names at a time: all of them would take much memory. */
export const MAX_GROUPED = 5_000

/** A large change in chunks: first what is removed, as IDs of removed records may be added again. */
export function* chunksOfDelta({ removed, added, marks }: Changes): Generator<Changes> {
  for (const some of chunksOf(removed, MAX_GROUPED)) yield { removed: some, added: NO_RECORDS }
  for (const some of chunksOf(added, MAX_GROUPED)) yield { removed: NO_RECORDS, added: some }
  yield { removed: NO_RECORDS, added: NO_RECORDS, marks }
}

export interface Changes {
  readonly removed: Iterable<ZoneRecord>
  readonly added: Iterable<ZoneRecord>
  readonly marks?: Iterable<NameMark> | undefined
}
