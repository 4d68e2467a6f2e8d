// A change of records, and a large one in chunks.
import { chunksOf } from '@zonereeve/cooperate'
import { NO_RECORDS } from './rrset.ts'
import type { NameMark, ZoneRecord } from './zone-data.ts'

/** Records of a change that are grouped by their names at once: all those of a large one would take much memory. */
export const MAX_GROUPED = 5_000
/** Of a larger change: so few that they are gone before the garbage collector moves them among what lives long. */
const CHUNK_SIZE_OF_LARGE = 500

/** A large change in chunks: first what is removed, as IDs of removed records may be added again. */
export function* chunksOfDelta({ removed, added, marks }: Changes): Generator<Changes> {
  for (const some of chunksOf(removed, CHUNK_SIZE_OF_LARGE)) yield { removed: some, added: NO_RECORDS }
  for (const some of chunksOf(added, CHUNK_SIZE_OF_LARGE)) yield { removed: NO_RECORDS, added: some }
  yield { removed: NO_RECORDS, added: NO_RECORDS, marks }
}

export interface Changes {
  readonly removed: Iterable<ZoneRecord>
  readonly added: Iterable<ZoneRecord>
  readonly marks?: Iterable<NameMark> | undefined
}
