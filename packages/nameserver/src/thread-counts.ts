// Counts of an answering thread, until the main thread takes them.
import type { CountedZone, DropReason, NameserverMetrics } from './metrics.ts'
import type { Counts } from './thread-messages.ts'

interface Tally {
  readonly rcode: string
  readonly zone: CountedZone | undefined
  count: number
}

export function createThreadCounts() {
  let tallies = new Map<string | undefined, Tally[]>()
  let dropped = new Map<DropReason, number>()
  /** Most answers are counted like the one before. */
  let last: Tally | undefined
  const metrics: NameserverMetrics = {
    countQuery(_, rcode, zone) {
      if (last === undefined || last.rcode !== rcode || last.zone !== zone) last = tallyOf(rcode, zone)
      last.count += 1
    },
    countDropped(_, reason) {
      const before = dropped.get(reason)
      dropped.set(reason, before === undefined ? 1 : before + 1)
    },
  }
  return { metrics, take }

  function tallyOf(rcode: string, zone: CountedZone | undefined): Tally {
    const ofZone = tallies.get(zone?.name)
    const known = ofZone?.find((tally) => tally.rcode === rcode)
    if (known !== undefined) return known
    const tally = { rcode, zone, count: 0 }
    if (ofZone === undefined) tallies.set(zone?.name, [tally])
    else ofZone.push(tally)
    return tally
  }

  /** The counts since the last call; undefined if there are none. */
  function take(): Counts | undefined {
    if (tallies.size === 0 && dropped.size === 0) return undefined
    const queries = [...tallies.values()]
      .flat()
      .map(({ rcode, zone, count }) => ({ rcode, zone: zone?.name, zoneId: zone?.zoneId, count }))
    const counts = { queries, dropped: Array.from(dropped, ([reason, count]) => ({ reason, count })) }
    tallies = new Map()
    dropped = new Map()
    last = undefined
    return counts
  }
}
