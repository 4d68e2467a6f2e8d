// Objects of zones. The zone directory has everything about most zones: their objects are made when they are needed, and
// those that were made last are kept.
import { byteAt } from '@zonereeve/dns'
import { type HashKey, hashOctets } from './octet-hash.ts'
import type { WireName } from './wire-name.ts'
import type { ZoneRecord } from './zone-data.ts'
import type { ZoneDirectory, ZoneEntry } from './zone-store/zone-directory.ts'
import { Zone, type ZoneShares } from './zone.ts'

export class ZoneObjects {
  readonly #directory: ZoneDirectory
  readonly #shares: ZoneShares
  readonly #hashKey: HashKey
  readonly #maxRecent: number
  /** Zones of which the directory does not have everything. */
  readonly #residents = new Map<string, Zone>()
  /** Other zones, those that were made longest ago first. */
  readonly #recent = new Map<string, Zone>()
  /** Zones that something else may still refer to: there is only one object of a zone. */
  readonly #others = new Map<string, WeakRef<Zone>>()
  readonly #collected = new FinalizationRegistry<string>((zoneId) => {
    if (this.#others.get(zoneId)?.deref() === undefined) this.#others.delete(zoneId)
  })
  /** Kept and recent zones, by the hash of the apex; several apexes may have the same hash. */
  readonly #byApex = new Map<number, readonly Zone[]>()

  constructor(shares: ZoneShares, maxRecent: number) {
    this.#shares = shares
    this.#directory = shares.store.directory
    this.#hashKey = shares.store.hashKey
    this.#maxRecent = maxRecent
  }

  has(zoneId: string): boolean {
    return (
      this.#residents.has(zoneId) || this.#recent.has(zoneId) || this.#directory.find(zoneId) !== undefined
    )
  }

  find(zoneId: string): Zone | undefined {
    const known = this.#residents.get(zoneId) ?? this.#recent.get(zoneId)
    if (known !== undefined) return known
    const entry = this.#directory.find(zoneId)
    return entry && this.#objectOf(entry)
  }

  /** The zone whose apex is the name from label `label` on. */
  findAt(name: WireName, label: number): Zone | undefined {
    for (const zone of this.#withHash(this.#hashOf(name, label)))
      if (name.endsLike(label, zone.apex, 0)) return zone
    const entry = this.#directory.findAt(name, label)
    return entry && this.#objectOf(entry)
  }

  #objectOf(entry: ZoneEntry): Zone {
    const zone = this.#others.get(entry.zoneId)?.deref() ?? Zone.listed(entry, this.#shares)
    this.keep(zone)
    return zone
  }

  /** Keeps the object of a listed zone, at least for a while. */
  keep(zone: Zone): void {
    const { zoneId } = zone
    if (zone.isDerivable) this.#recent.set(zoneId, zone)
    else this.#residents.set(zoneId, zone)
    this.#others.delete(zoneId)
    const hash = this.#hashOf(zone.apex, 0)
    this.#byApex.set(hash, [...this.#withHash(hash), zone])
    if (this.#recent.size > this.#maxRecent) this.#evict()
  }

  #evict(): void {
    const [oldest] = this.#recent.values()
    if (oldest === undefined) return
    this.#release(oldest)
    this.#others.set(oldest.zoneId, new WeakRef(oldest))
    this.#collected.register(oldest, oldest.zoneId)
  }

  /** The zone is not listed any more, or another object takes its place. */
  forget(zone: Zone): void {
    this.#release(zone)
    this.#others.delete(zone.zoneId)
  }

  /** A zone has changed, which may be one that is not listed: then its object is not kept. */
  changed(zone: Zone): void {
    const { zoneId } = zone
    const isKept = this.#residents.get(zoneId) === zone
    const isListed = isKept || this.#recent.get(zoneId) === zone || this.#others.get(zoneId)?.deref() === zone
    if (!isListed || isKept === !zone.isDerivable) return
    this.#release(zone)
    this.keep(zone)
  }

  /** Given records at the apexes that the directory does not have, by zone. */
  ownRecords(): ReadonlyMap<string, readonly ZoneRecord[]> {
    return new Map(Array.from(this.#residents.values(), ({ zoneId, own }) => [zoneId, own]))
  }

  #release(zone: Zone): void {
    this.#residents.delete(zone.zoneId)
    this.#recent.delete(zone.zoneId)
    const hash = this.#hashOf(zone.apex, 0)
    const left = this.#withHash(hash).filter((other) => other !== zone)
    if (left.length > 0) this.#byApex.set(hash, left)
    else this.#byApex.delete(hash)
  }

  #withHash(hash: number): readonly Zone[] {
    return this.#byApex.get(hash) ?? NO_ZONES // no zone has it
  }

  #hashOf({ octets, labelAt, labels }: WireName, label: number): number {
    return hashOctets(octets, byteAt(labelAt, label), byteAt(labelAt, labels), this.#hashKey)
  }
}

const NO_ZONES: readonly Zone[] = []
