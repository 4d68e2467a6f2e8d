// Results of zone files in wire form.
import type { ZoneFileReplaced } from '@zonereeve/contract'
import type { Issue, Notice } from '@zonereeve/platform'
import type { Replaced } from '../dns-records/index.ts'
import type { Imported } from './zone-file.service.ts'

interface ZoneFileExtras {
  readonly result: object
  readonly refused?: readonly Issue[]
  readonly notices: readonly Notice[]
}

export function toWireImported({ parsed, counts, refused, notices }: Imported): ZoneFileExtras {
  const added = [...counts.values()].reduce((total, count) => total + count, 0)
  return {
    result: {
      recs_added: added,
      total_records_parsed: parsed,
      recs_added_by_type: Object.fromEntries(counts),
    },
    refused,
    notices,
  }
}

export function toWireReplaced({ added, changed, removed, unchanged, notices }: Replaced): ZoneFileExtras {
  return { result: { added, changed, removed, unchanged } satisfies ZoneFileReplaced, notices }
}
