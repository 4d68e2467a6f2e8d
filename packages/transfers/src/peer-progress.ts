// Progress of each peer of a zone: what it acknowledged, what it was sent, and since when it lacks the newest serial.
// In memory: one small entry for each peer of each zone whose transfers are enabled.
import type { TransferPolicies, ZoneTable } from '@zonereeve/nameserver'
import type { Clock } from '@zonereeve/platform'

/** A broken connection is no refusal: only the second request in a row with an older copy counts as one. */
const MAX_LOST_TRANSFERS = 1

interface PeerProgress {
  readonly peerId: string
  /** `unknown`: no request since the start, and no change of the zone. */
  readonly state: 'unknown' | 'current' | 'behind'
  /** Serial of the last NOTIFY that it acknowledged. */
  readonly notifiedSerial: number | null
  /** Serial that it was last sent, or claimed to have. */
  readonly transferredSerial: number | null
  /** Milliseconds since 1970. */
  readonly behindSince: number | null
}

interface PeersBehind {
  readonly count: number
  /** How long the slowest peer has been behind; 0 if none is. */
  readonly seconds: number
}

interface TransferRequest {
  readonly zoneId: string
  readonly peerId: string
  /** The serial that the peer has, if its request contains it. */
  readonly peerSerial: number | undefined
  /** The serial of the zone that it is sent; undefined if it is sent no records. */
  readonly sentSerial: number | undefined
}

interface PeerState {
  notifiedSerial: number | null
  transferredSerial: number | null
  /** When the peer's last copy became outdated. */
  since: number | null
  isBehind: boolean
  /** Consecutive requests that show that the peer did not keep the previous transfer. */
  lostTransfers: number
}

export type PeersProgress = ReturnType<typeof createPeersProgress>

export function createPeersProgress({
  table,
  policies,
  clock,
}: {
  readonly table: Pick<ZoneTable, 'serial'>
  readonly policies: Pick<TransferPolicies, 'zone'>
  readonly clock: Pick<Clock, 'now'>
}) {
  const zones = new Map<string, Map<string, PeerState>>()
  /** Zones with a peer that is behind, or was removed since. */
  const maybeBehind = new Set<string>()
  return {
    zoneChanged,
    expectNewPeers,
    forgetZone,
    recordAcknowledgement,
    recordRequest,
    peersOf,
    behind,
    zonesBehind,
  }

  /** Marks all peers of a zone as lacking its newest serial. */
  function zoneChanged(zoneId: string): void {
    for (const [, entry] of entriesOf(zoneId)) {
      if (entry.since === null || (!entry.isBehind && entry.lostTransfers === 0)) entry.since = clock.now()
      entry.isBehind = true
      maybeBehind.add(zoneId)
    }
  }

  /** Peers without an entry are expected to take the zone from now on. */
  function expectNewPeers(zoneId: string): void {
    for (const [, entry] of entriesOf(zoneId)) {
      if (entry.transferredSerial !== null || entry.since !== null) continue
      entry.since = clock.now()
      entry.isBehind = true
      maybeBehind.add(zoneId)
    }
  }

  function forgetZone(zoneId: string): void {
    zones.delete(zoneId)
    maybeBehind.delete(zoneId)
  }

  function recordAcknowledgement(zoneId: string, peerId: string, serial: number): void {
    const entry = entriesOf(zoneId).get(peerId)
    if (entry !== undefined) entry.notifiedSerial = serial
  }

  function recordRequest({ zoneId, peerId, peerSerial, sentSerial }: TransferRequest): void {
    const entry = entriesOf(zoneId).get(peerId)
    if (entry === undefined) return
    if (peerSerial !== undefined && peerSerial === table.serial(zoneId)) {
      Object.assign(entry, { transferredSerial: peerSerial, since: null, isBehind: false, lostTransfers: 0 })
      const others = zones.get(zoneId)?.values() ?? [] // it has at least this one
      if (![...others].some(({ isBehind }) => isBehind)) maybeBehind.delete(zoneId)
    } else if (sentSerial !== undefined) {
      const { transferredSerial: last } = entry
      const isLost = last !== null && (peerSerial === undefined ? last === sentSerial : last !== peerSerial)
      entry.lostTransfers = isLost ? entry.lostTransfers + 1 : 0
      entry.transferredSerial = sentSerial
      entry.since ??= clock.now()
      entry.isBehind = entry.lostTransfers > MAX_LOST_TRANSFERS
      if (entry.isBehind) maybeBehind.add(zoneId)
    }
  }

  function peersOf(zoneId: string): PeerProgress[] {
    return [...entriesOf(zoneId)].map(([peerId, entry]) => {
      const { isBehind, notifiedSerial, transferredSerial, since } = entry
      const state = isBehind ? 'behind' : transferredSerial === null ? 'unknown' : 'current'
      return { peerId, state, notifiedSerial, transferredSerial, behindSince: isBehind ? since : null }
    })
  }

  function behind(): PeersBehind {
    const all = [...zones.keys()].flatMap(peersOf)
    const since = all.flatMap(({ behindSince }) => (behindSince === null ? [] : [behindSince]))
    const oldest = since.reduce((a, b) => Math.min(a, b), clock.now())
    return { count: since.length, seconds: (clock.now() - oldest) / 1000 }
  }

  /** Zones with a peer that is behind, of these or of all: some of them if there are more than `limit`. */
  function zonesBehind(limit: number, among: ReadonlySet<string> = maybeBehind): string[] {
    const found: string[] = []
    for (const zoneId of among) {
      if (found.length === limit) break
      if (!maybeBehind.has(zoneId)) continue
      // Its peers may have caught up, or been removed.
      if (peersOf(zoneId).some(({ state }) => state === 'behind')) found.push(zoneId)
      else maybeBehind.delete(zoneId)
    }
    return found
  }

  /** Entries of the zone's current peers; others are removed. */
  function entriesOf(zoneId: string): ReadonlyMap<string, PeerState> {
    const peers = policies.zone(zoneId)?.peers ?? [] // none: the zone is not transferred
    const before = zones.get(zoneId)
    const after = new Map(peers.map(({ id }) => [id, before?.get(id) ?? newEntry()]))
    if (after.size > 0) zones.set(zoneId, after)
    else zones.delete(zoneId)
    return after
  }
}

const newEntry = (): PeerState => ({
  notifiedSerial: null,
  transferredSerial: null,
  since: null,
  isBehind: false,
  lostTransfers: 0,
})
