// Summaries of zones for lists: of those only that the caller may read.
import type { Caller } from '@zonereeve/platform'
import type { Reader } from '@zonereeve/storage'
import { findSummaries, type ZoneSummary } from './zone-summaries.store.ts'

const MAY_READ = ['DNS Read', 'DNS Write']

export type ZoneSummaries = ReturnType<typeof createZoneSummaries>

export function createZoneSummaries({ storage }: { readonly storage: Reader }) {
  return { list }

  async function list(caller: Caller, ids: readonly string[]): Promise<ZoneSummary[]> {
    const found = await findSummaries(storage, ids)
    return found.filter(({ id, accountId }) => caller.can(MAY_READ, { kind: 'zone', zoneId: id, accountId }))
  }
}
