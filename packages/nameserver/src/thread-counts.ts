// Counts of an answering thread, until the main thread takes them.
import type { CountedZone, NameserverMetrics } from './metrics.ts'
import type { Transport } from './peer.ts'
import type { Counts } from './thread-messages.ts'

interface Tally {
  readonly transport: Transport
  readonly rcode: string
  readonly zone: CountedZone | undefined
  count: number
}

export function createThreadCounts() {
  let tallies = new Map<string | undefined, Tally[]>()
  let dropped = new Map<string, Counts['dropped'][number]>()
  /** Most answers are counted like the one before. */
  let last: Tally | undefined
  const metrics: NameserverMetrics = {
    countQuery(transport, rcode, zone) {
      if (last?.rcode !== rcode || last.zone !== zone || last.transport !== transport)
        last = tallyOf(transport, rcode, zone)
      last.count += 1
    },
    countDropped(transport, reason) {
      const key = `${transport} ${reason}`
      const before = dropped.get(key)
      dropped.set(key, { transport, reason, count: before === undefined ? 1 : before.count + 1 })
    },
  }
  return { metrics, take }

  function tallyOf(transport: Transport, rcode: string, zone: CountedZone | undefined): Tally {
    const ofZone = tallies.get(zone?.name)
    const known = ofZone?.find((tally) => tally.rcode === rcode && tally.transport === transport)
    if (known !== undefined) return known
    const tally = { transport, rcode, zone, count: 0 }
    if (ofZone === undefined) tallies.set(zone?.name, [tally])
    else ofZone.push(tally)
    return tally
  }

  /** The counts since the last call; undefined if there are none. */
  function take(): Counts | undefined {
    if (tallies.size === 0 && dropped.size === 0) return undefined
    const queries = [...tallies.values()]
      .flat()
      .map(({ zone, ...tally }) => ({ ...tally, zone: zone?.name, zoneId: zone?.zoneId }))
    const counts = { queries, dropped: [...dropped.values()] }
    tallies = new Map()
    dropped = new Map()
    last = undefined
    return counts
  }
}
