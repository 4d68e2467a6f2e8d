// Passes the counts of rate limits from each edge to the others. They are in memory, for a few seconds: an edge that asks
// more rarely misses some, and so does one that asks another server process.
import type { Caller, Clock } from '@zonereeve/platform'
import type { Storage } from '@zonereeve/storage'
import { findZone } from '../../zones/index.ts'
import { MAY_DECIDE } from './edge-permission.rules.ts'

/** What an edge has counted since its last exchange. */
export interface CountedAmount {
  readonly zoneId: string
  readonly key: string
  readonly periodMillis: number
  readonly amount: number
}

interface Passed extends CountedAmount {
  readonly accountId: string
  readonly edge: string
  /** Order among all; the cursor of an edge is the last one it has seen. */
  readonly number: number
  readonly atMillis: number
}

const KEPT_MILLIS = 5_000
const MAX_KEPT = 20_000
/** Maximum counts in a reply; the rest comes with the next one. */
const MAX_IN_REPLY = 1_000

export interface SharedCountsDeps {
  readonly storage: Storage
  readonly clock: Clock
}

export type SharedCounts = ReturnType<typeof createSharedCounts>

export function createSharedCounts({ storage, clock }: SharedCountsDeps) {
  let recent: Passed[] = []
  let last = 0
  return { exchange }

  /**
   * Takes what an edge has counted. Counts of zones that the caller may not decide for are ignored.
   *
   * @param edge tells the edge from others; it does not get its own counts back.
   * @param after the cursor of its last exchange; one of another process starts anew.
   */
  async function exchange(
    caller: Caller,
    edge: string,
    after: number | undefined,
    sent: readonly CountedAmount[],
  ): Promise<{ readonly cursor: number; readonly counts: readonly CountedAmount[] }> {
    const accounts = new Map<string, string | undefined>()
    for (const { zoneId } of sent)
      if (!accounts.has(zoneId)) accounts.set(zoneId, (await findZone(storage, zoneId))?.accountId)
    const now = clock.now()
    recent = recent.filter(({ atMillis }) => atMillis > now - KEPT_MILLIS).slice(-MAX_KEPT)
    const from = after === undefined || after > last ? 0 : after
    const others = recent.filter((one) => one.number > from && one.edge !== edge && mayDecide(caller, one))
    for (const count of sent) {
      const accountId = accounts.get(count.zoneId)
      if (accountId === undefined || !mayDecide(caller, { ...count, accountId })) continue
      last += 1
      recent.push({ ...count, accountId, edge, number: last, atMillis: now })
    }
    const counts = others.slice(0, MAX_IN_REPLY)
    const cursor = counts.length < others.length ? (counts.at(-1)?.number ?? last) : last // there is a last one
    return { cursor, counts }
  }
}

const mayDecide = (
  caller: Caller,
  { zoneId, accountId }: { readonly zoneId: string; readonly accountId: string },
): boolean => caller.can(MAY_DECIDE, { kind: 'zone', zoneId, accountId })
