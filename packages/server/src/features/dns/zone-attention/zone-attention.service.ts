// Which zones need attention, and why. What is known of all zones is put together at most every few seconds, from
// problems alone: its cost grows with these, not with the number of zones.
import type { Caller, Clock } from '@zonereeve/platform'
import type { Reader } from '@zonereeve/storage'
import { findZonesInAccount, type ZoneInAccount } from '../../zones/index.ts'
import {
  namesOf,
  zonesWithFailedTransfer,
  zonesWithMalicious,
  type NamedZone,
} from './zone-attention.store.ts'

const MAY_READ_DNS = ['DNS Read', 'DNS Write']
const MAY_READ_ZONE = ['Zone Read', 'Zone Write']

/** What may be wrong with a zone, and who may know it. */
const MAY_READ = {
  unreadable: MAY_READ_ZONE,
  transfer_failed: MAY_READ_DNS,
  secondaries_behind: MAY_READ_DNS,
  malicious: ['Domain Page Shield Read', 'Domain Page Shield', 'Zone Settings Read', 'Zone Settings Write'],
} as const

export type AttentionReason = keyof typeof MAY_READ

/** How long an answer is given again. */
const KEPT_MILLIS = 5_000
/** Zones of each kind of problem that are counted. */
const MAX_ZONES = 10_000

interface TroubledZone extends NamedZone {
  readonly reasons: readonly AttentionReason[]
}

export interface ZoneNeedingAttention {
  readonly zone: ZoneInAccount
  readonly reasons: readonly AttentionReason[]
}

export interface ZoneAttentionDeps {
  readonly storage: Reader
  readonly clock: Pick<Clock, 'now'>
  /** Zones with peers that are behind. */
  readonly zonesBehind: (limit: number) => readonly string[]
  /** Zones that are not answered, because stored data cannot be read. */
  readonly unreadableZones: () => readonly string[]
}

export type ZoneAttention = ReturnType<typeof createZoneAttention>

export function createZoneAttention({ storage, clock, zonesBehind, unreadableZones }: ZoneAttentionDeps) {
  let last: { readonly atMillis: number; readonly zones: Promise<readonly TroubledZone[]> } | undefined
  return { list }

  /** A page of the zones that the caller may read, by name. */
  async function list(
    caller: Caller,
    { offset, limit }: { readonly offset: number; readonly limit: number },
  ): Promise<{ readonly items: readonly ZoneNeedingAttention[]; readonly totalCount: number }> {
    const visible = (await troubledZones()).flatMap((zone) => {
      const may = (anyOf: readonly string[]): boolean =>
        caller.can(anyOf, { kind: 'zone', zoneId: zone.id, accountId: zone.accountId })
      if (!may(MAY_READ_ZONE)) return []
      const reasons = zone.reasons.filter((reason) => may(MAY_READ[reason]))
      return reasons.length === 0 ? [] : [{ ...zone, reasons }]
    })
    const page = visible.slice(offset, offset + limit)
    const zones = await findZonesInAccount(
      storage,
      page.map(({ id }) => id),
    )
    const items = page.flatMap(({ id, reasons }) => {
      const zone = zones.get(id)
      return zone === undefined ? [] : [{ zone, reasons }]
    })
    return { items, totalCount: visible.length }
  }

  function troubledZones(): Promise<readonly TroubledZone[]> {
    const atMillis = clock.now()
    if (last !== undefined && Math.abs(atMillis - last.atMillis) < KEPT_MILLIS) return last.zones
    const zones = readTroubledZones()
    last = { atMillis, zones }
    zones.catch(() => (last = undefined))
    return zones
  }

  async function readTroubledZones(): Promise<readonly TroubledZone[]> {
    const byReason: Readonly<Record<AttentionReason, readonly string[]>> = {
      unreadable: unreadableZones().slice(0, MAX_ZONES),
      transfer_failed: await zonesWithFailedTransfer(storage, MAX_ZONES),
      secondaries_behind: zonesBehind(MAX_ZONES),
      malicious: await zonesWithMalicious(storage, MAX_ZONES),
    }
    const reasons = new Map<string, AttentionReason[]>()
    for (const reason of REASONS)
      for (const id of byReason[reason]) {
        const known = reasons.get(id)
        if (known === undefined) reasons.set(id, [reason])
        else known.push(reason)
      }
    const named = await namesOf(storage, [...reasons.keys()])
    return named
      .flatMap((zone) => {
        const own = reasons.get(zone.id)
        return own === undefined ? [] : [{ ...zone, reasons: own }]
      })
      .toSorted((a, b) => (a.name < b.name ? -1 : 1))
  }
}

const REASONS = Object.keys(MAY_READ) as AttentionReason[] // as it is written above
