// The zones as a thread reads them that has only the pages: found in the zone directory, in the version that the thread
// has pinned.
import { type Name, nameFromWire } from '@zonereeve/dns'
import { NamesView, type Tree } from './names-view.ts'
import { findRrset, type Node } from './node.ts'
import type { HashKey } from './octet-hash.ts'
import { rdatasOf, type Rrset, synthesiseRrset, TYPE } from './rrset.ts'
import type { SignedElsewhere } from './signature-post.ts'
import { UNSIGNED } from './signings.ts'
import { SynthesizedAnswers } from './synthesized-answers.ts'
import { WireName } from './wire-name.ts'
import { type Signed, ZoneSigner } from './zone-signer.ts'
import type { ZoneSigning } from './zone-signing.ts'
import type { Control } from './zone-store/control.ts'
import type { Pages } from './zone-store/pages.ts'
import { copyEntry, findZoneRun, isSameEntry, readEntry } from './zone-store/zone-directory.ts'
import { type AnsweringZones, ZoneView } from './zone-view.ts'

/** Zones whose entries are remembered. */
const MAX_ZONES = 10_000

export interface SharedZonesDeps {
  readonly pages: Pages
  readonly control: Control
  readonly hashKey: HashKey
  /** Number of this thread among the readers. */
  readonly reader: number
  /** Takes segments and keys that were published and not taken yet. */
  readonly takePublished: () => void
  readonly signingOf: (number: number) => ZoneSigning
  readonly keep: (made: SignedElsewhere) => void
}

export class SharedZones implements AnsweringZones {
  readonly #deps: SharedZonesDeps
  readonly made = new SynthesizedAnswers()
  /** By the position of the entry. */
  readonly #zones = new Map<number, SharedZone>()
  /** By the zone's ID, where its newest known entry is: each change of a zone makes another one. */
  readonly #runs = new Map<string, number>()
  readonly #signers = new Map<number, ZoneSigner>()
  #isPinned = false
  #version = 0
  #root = 0
  /** Incremented when another version is read: positions are used again. */
  #generation = 0

  constructor(deps: SharedZonesDeps) {
    this.#deps = deps
  }

  /** Changes with every change of a zone; while this thread reads, it is the version that it reads. */
  get version(): number {
    return this.#isPinned ? this.#version : this.#deps.control.version
  }

  /** Until end(), this thread sees one version of all zones, the newest one. */
  begin(): void {
    const { control, reader, takePublished } = this.#deps
    const version = control.pin(reader)
    const { root } = control
    this.#isPinned = true
    if (version === this.#version && root === this.#root) return
    this.#version = version
    this.#root = root
    this.#generation += 1
    takePublished()
  }

  end(): void {
    this.#isPinned = false
    this.#deps.control.unpin(this.#deps.reader)
  }

  find(name: WireName, fromLabel: number): SharedZone | undefined {
    const { pages, hashKey, control } = this.#deps
    const run = findZoneRun({ pages, hashKey, byLabels: control.byLabels }, this.#root, name, fromLabel)
    return run === 0 ? undefined : this.#zoneAt(run)
  }

  /** Keys with these numbers are not used any more. */
  forgetSigning(number: number): void {
    this.#signers.delete(number)
  }

  #zoneAt(run: number): SharedZone {
    const { pages } = this.#deps
    const known = this.#zones.get(run)
    if (known !== undefined && known.seenAt === this.#generation) return known
    if (known !== undefined && isSameEntry(pages, run, known.copy)) {
      known.seenAt = this.#generation
      return known
    }
    if (this.#runs.size >= MAX_ZONES) {
      this.#zones.clear()
      this.#runs.clear()
    }
    const zone = new SharedZone(copyEntry(pages, run), this.#generation, this.#deps, (number, apex) =>
      this.#signerOf(number, apex),
    )
    const before = this.#runs.get(zone.zoneId)
    if (before !== undefined && this.#zones.get(before)?.zoneId === zone.zoneId) this.#zones.delete(before)
    this.#zones.set(run, zone)
    this.#runs.set(zone.zoneId, run)
    return zone
  }

  #signerOf(number: number, apex: WireName): ZoneSigner {
    let signer = this.#signers.get(number)
    if (signer === undefined)
      this.#signers.set(number, (signer = new ZoneSigner(apex, this.#deps.signingOf(number), this.made)))
    return signer
  }
}

class SharedNames extends NamesView {
  readonly tree: Tree

  constructor(apex: WireName, tree: Tree, { pages, hashKey }: SharedZonesDeps) {
    super(apex, pages, hashKey)
    this.tree = tree
  }
}

class SharedZone extends ZoneView {
  readonly zoneId: string
  readonly name: Name
  readonly apex = new WireName()
  readonly names: SharedNames
  readonly isExpired: boolean
  readonly signer: ZoneSigner | undefined
  /** The entry that it was made from. */
  readonly copy: Uint8Array
  /** The generation in which the entry was last seen. */
  seenAt: number
  #negative: Rrset | undefined
  readonly #signing: number
  readonly #keep: SharedZonesDeps['keep']

  constructor(
    copy: Uint8Array,
    generation: number,
    deps: SharedZonesDeps,
    signerOf: (number: number, apex: WireName) => ZoneSigner,
  ) {
    super()
    const entry = readEntry(copy)
    const { apex } = entry
    this.apex.read(apex, 0, apex.length)
    this.copy = copy
    this.seenAt = generation
    this.zoneId = entry.zoneId
    this.name = nameFromWire(apex)
    this.names = new SharedNames(this.apex, entry.tree, deps)
    this.isExpired = entry.isExpired
    this.signer = entry.signing === UNSIGNED ? undefined : signerOf(entry.signing, this.apex)
    this.#signing = entry.signing
    this.#keep = deps.keep
  }

  /** To be read in the version that the zone was found in, as its names. */
  get negative(): Rrset {
    return (this.#negative ??= negativeOf(this.names.apexNode()))
  }

  protected sign(
    signer: ZoneSigner,
    rrset: Rrset,
    name: WireName,
    label: number,
    isThere: boolean,
  ): Pick<Signed, 'rrset'> {
    return signer.keeping(rrset, name, label, (signed, key) => {
      if (!isThere) return
      const relative = name.between(label, name.labels - this.apex.labels)
      this.#keep({ zoneId: this.zoneId, signing: this.#signing, name: relative, signed, key })
    })
  }
}

function negativeOf(apex: Node): Rrset {
  const soa = findRrset(apex, TYPE.SOA)
  if (soa === undefined) throw new Error('a zone has a SOA')
  const [rdata] = rdatasOf(soa)
  if (rdata === undefined) throw new Error('a SOA rrset has a record')
  const minimum = Buffer.from(rdata).readUInt32BE(rdata.length - 4)
  return synthesiseRrset(TYPE.SOA, Math.min(soa.ttl, minimum), [rdata])
}
