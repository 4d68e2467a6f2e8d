// One zone in memory (RFC 1034 §4.2, §4.3.1; empty non-terminals: RFC 4592 §2.2.2).
//
// A change is made aside, in a copy of the pages that it touches (zone-names.ts). Everything that can fail is done
// there. Then one statement puts the new names in the place of the old ones, so a query sees a change set completely or
// not at all, and no lock is needed.
import { type Chunked, runAtOnce } from '@zonereeve/cooperate'
import { nameFromWire } from '@zonereeve/dns'
import { putApex, putDigest, withoutDigest } from './apex-node.ts'
import { apexRrsets, negativeSoa, soaOf, soaRrset } from './apex-rrsets.ts'
import type { Node } from './node.ts'
import type { SynthesizedAnswers } from './synthesized-answers.ts'
import { checkName, readName } from './record-check.ts'
import { isSameRrset, NO_RECORDS, type Rrset } from './rrset.ts'
import { WireName } from './wire-name.ts'
import type { ZoneAuthority, ZoneContents, ZoneDelta, ZoneRecord } from './zone-data.ts'
import { APEX } from './names-view.ts'
import { chunksOfDelta, MAX_GROUPED } from './delta-chunks.ts'
import { RecordsAhead, RecordsChange } from './records-change.ts'
import { type NamesChange, ZoneNames } from './zone-names.ts'
import type { ListedZone, ZoneEntry } from './zone-store/zone-directory.ts'
import type { ZoneStore } from './zone-store/zone-store.ts'
import { type Signings, UNSIGNED } from './signings.ts'
import { authorityFrom, authorityOf, listedAuthority } from './zone-authority.ts'
import { type Signed, ZoneSigner } from './zone-signer.ts'
import { type RrsetChange, rrsetChanges, type ZoneStep } from './zone-step.ts'
import type { SignatureWriter } from './signature-batch.ts'
import { StoreFullError } from './zone-store/pages.ts'
import { ZoneView } from './zone-view.ts'
import type { ZoneSigning } from './zone-signing.ts'

/** Resources that all zones share. */
export interface ZoneShares {
  readonly store: ZoneStore
  readonly made: SynthesizedAnswers
  readonly writer: SignatureWriter
  readonly signings: Signings
  /** Called when a zone may have become derivable, or may not be any more. */
  readonly changed: (zone: Zone) => void
}

interface ZoneState {
  readonly authority: ZoneAuthority
  readonly soa: Rrset
  readonly own: readonly ZoneRecord[]
  readonly records: number
  readonly isListed: boolean
  readonly shares: ZoneShares
}

export class Zone extends ZoneView {
  readonly zoneId: string
  /** The apex as text. */
  readonly name: string
  readonly apex: WireName
  #records: number
  #authority: ZoneAuthority
  /** Given records at the apex of types that the zone itself has there, served or not. */
  #own: readonly ZoneRecord[]
  #signer: ZoneSigner | undefined
  readonly #shares: ZoneShares
  /** Number of the keys that sign it. */
  #signing = UNSIGNED
  #isListed: boolean
  #soa: Rrset
  #negative: Rrset
  #follower: ((step: ZoneStep) => void) | undefined
  #ahead: RecordsAhead | undefined
  /** The names as octets. */
  readonly names: ZoneNames
  /** Incremented by every change. */
  #revision = 0

  private constructor(
    zoneId: string,
    name: string,
    names: ZoneNames,
    { authority, soa, own, records, isListed, shares }: ZoneState,
  ) {
    super()
    this.zoneId = zoneId
    this.name = name
    this.apex = names.apex
    this.names = names
    this.#shares = shares
    this.#authority = authority
    this.#soa = soa
    this.#negative = negativeSoa(authority.soa)
    this.#own = own
    this.#records = records
    this.#isListed = isListed
  }

  /** A new zone, which threads see at once if it is listed. @throws ZoneDataError for the first record that cannot be served */
  static create(contents: ZoneContents, shares: ZoneShares, isListed: boolean): Zone {
    const { zoneId, records: added, marks, image } = contents
    const names = new ZoneNames(readName(new WireName(), contents.apex, zoneId), shares.store)
    const authority = authorityOf(contents)
    const { soa } = authority
    const own = image?.own ?? NO_RECORDS
    if (image !== undefined) names.restore(image.names)
    const state = { authority, own, records: image?.records ?? 0, isListed, shares }
    const zone = new Zone(zoneId, contents.apex, names, { ...state, soa: soaRrset(soa) })
    zone.#changeNames((change) => {
      const filled = zone.#changeRecords(change)
      runAtOnce(filled.make(chunksOfDelta({ removed: NO_RECORDS, added, marks })))
      zone.#own = filled.own
      zone.#records += filled.moreRecords
      putApex(change, apexRrsets(authority, filled.own, undefined))
      if (image !== undefined) change.disorderDenials()
      zone.#list(change, {})
    })
    return zone
  }

  /** A zone as the directory has it. Only for zones that {@link isDerivable}. */
  static listed(entry: ZoneEntry, shares: ZoneShares): Zone {
    const apex = new WireName()
    apex.read(entry.apex, 0, entry.apex.length)
    const names = new ZoneNames(apex, shares.store, entry)
    const soa = soaOf(names.apexNode().rrsets)
    const authority = authorityFrom(entry, soa)
    const state = { authority, soa, own: NO_RECORDS, records: entry.records, isListed: true, shares }
    return new Zone(entry.zoneId, nameFromWire(entry.apex), names, state)
  }

  /** Whether the directory has everything about the zone, so that this object need not be kept. */
  get isDerivable(): boolean {
    const isPlain = this.#signer === undefined && this.#authority.hasDigest !== true
    return isPlain && this.#follower === undefined && this.#ahead === undefined && this.#own.length === 0
  }

  /** Called with each step. Undefined if nothing follows the zone; then steps are not computed. */
  get follower(): ((step: ZoneStep) => void) | undefined {
    return this.#follower
  }

  set follower(follower: ((step: ZoneStep) => void) | undefined) {
    this.#ahead?.drop() // it has no steps
    this.#follower = follower
    this.#shares.changed(this)
  }

  /** SOA and name servers, as they were given. */
  get authority(): ZoneAuthority {
    return this.#authority
  }

  get serial(): number {
    return this.#authority.soa.serial
  }

  get isExpired(): boolean {
    return this.#authority.isExpired === true
  }

  /** Number of given records, served or not. */
  get records(): number {
    return this.#records
  }

  /** Names that exist, empty non-terminals included. */
  get nodes(): number {
    return this.names.tree.size
  }

  get negative(): Rrset {
    return this.#negative
  }

  /** The SOA as it is answered. */
  get soa(): Rrset {
    return this.#soa
  }

  /** Seconds that a secondary may keep answering without contact to the primary (RFC 7314). */
  get expireSeconds(): number {
    return this.#authority.soa.expire
  }

  /** A copy of the node of a key made by WireName.key, relative to the apex. */
  node(key: string): Node | undefined {
    return this.names.findKey(key) ? this.names.node() : undefined
  }

  /**
   * The given records at a name; without SOA and NS at the apex, which belong to the zone itself.
   *
   * @throws ZoneDataError: outside the zone
   */
  recordsAt(name: string): readonly ZoneRecord[] {
    const node = this.node(checkName(name, this.apex, this.zoneId))
    return node === undefined ? NO_RECORDS : recordsOf(node)
  }

  /** Calls `take` with the records of each name that has any. */
  eachName(take: (records: readonly ZoneRecord[]) => void): void {
    for (const [, node] of this.names.entries()) {
      const records = recordsOf(node)
      if (records.length > 0) take(records)
    }
  }

  /**
   * Applies a change set completely or not at all, some names at a time; the last step makes it visible. Nothing else
   * may change the zone meanwhile.
   *
   * @param begun for this change set: what has all of it need not be made again.
   * @throws ZoneDataError before anything has changed
   */
  *applying(delta: ZoneDelta, begun?: RecordsAhead): Chunked<void> {
    const revision = this.#revision
    const { follower } = this // one may come in between
    const rrsetSteps: RrsetChange[] = []
    const ahead = this.#takeAhead(delta, begun)
    const change = ahead ?? this.#changeRecords(this.names.change())
    const { names } = change
    try {
      // A step has each rrset once, so that the changes of a name must be known together.
      const isWhole = follower !== undefined || delta.removed.length + delta.added.length <= MAX_GROUPED
      const chunks = isWhole ? [delta] : chunksOfDelta(delta)
      if (ahead === undefined)
        yield* change.make(chunks, (key, before, after) => {
          if (follower !== undefined && key !== APEX) rrsetSteps.push(...rrsetChanges(key, before, after))
        })
      const { own, moreRecords } = change
      const authority = { ...this.#authority, soa: { ...this.#authority.soa, serial: delta.serial } }
      const rrsets = apexRrsets(authority, own, this.#signer?.signing)
      const negative = negativeSoa(authority.soa)
      putApex(names, rrsets)
      yield* names.orderDenials(this.#signer !== undefined)
      if (revision !== this.#revision)
        throw new Error(`zone ${this.zoneId} changed while its new version was built`)
      this.#list(names, { records: this.#records + moreRecords })
      const before = this.#stateBefore()
      // Nothing below this line can fail.
      names.commit()
      this.#revision += 1
      this.#authority = authority
      this.#own = own
      this.#soa = soaOf(rrsets)
      this.#negative = negative
      this.#records += moreRecords
      this.#shares.changed(this)
      this.#notifyFollower(before, rrsetSteps, follower === undefined)
    } finally {
      names.undo()
    }
  }

  /**
   * Begins to add the records of the next change set, before all of them are known; `applying` takes what was begun. Any other
   * change of the zone drops it. Undefined: the zone is being changed, or followed.
   */
  beginAhead(): RecordsAhead | undefined {
    if (this.#follower !== undefined || this.names.isChanging) return undefined
    const forget = (dropped: RecordsAhead): void => {
      if (this.#ahead === dropped) this.#setAhead(undefined)
    }
    const ahead = new RecordsAhead(forget, this.names.change(), this, this.#own)
    this.#setAhead(ahead)
    return ahead
  }

  /** What has been begun, if it has all of the change set. */
  #takeAhead(
    { removed, added, marks = [] }: ZoneDelta,
    begun: RecordsAhead | undefined,
  ): RecordsAhead | undefined {
    const ahead = this.#ahead
    const hasAll = ahead?.moreRecords === added.length && removed.length + marks.length === 0
    if (ahead === undefined || ahead !== begun || !hasAll) {
      ahead?.drop()
      return undefined
    }
    this.#setAhead(undefined)
    return ahead
  }

  /** The object of the zone is kept meanwhile. */
  #setAhead(ahead: RecordsAhead | undefined): void {
    this.#ahead = ahead
    this.#shares.changed(this)
  }

  /** Replaces SOA and name servers; records stay as they are. */
  reconfigure(given: ZoneAuthority): void {
    const authority = authorityOf(given)
    const rrsets = apexRrsets(authority, this.#own, this.#signer?.signing)
    const negative = negativeSoa(authority.soa)
    const before = this.#stateBefore()
    this.#changeNames((names) => {
      putApex(names, rrsets)
      this.#list(names, listedAuthority(authority))
    })
    this.#revision += 1
    this.#authority = authority
    this.#soa = soaOf(rrsets)
    this.#negative = negative
    this.#shares.changed(this)
    this.#notifyFollower(before)
  }

  /** Given records at the apex of types that the zone itself has there. */
  get own(): readonly ZoneRecord[] {
    return this.#own
  }

  /** Signs answers with DO; undefined if the zone is not signed. */
  get signer(): ZoneSigner | undefined {
    return this.#signer
  }

  protected sign(
    signer: ZoneSigner,
    rrset: Rrset,
    name: WireName,
    label: number,
    isThere: boolean,
  ): Pick<Signed, 'rrset'> {
    const signed = signer.sign(rrset, name, label)
    if (isThere) {
      this.#shares.writer.add(0, name.between(label, name.labels - this.apex.labels), signed)
      this.names.keepSignatures(this.#shares.writer.take())
    }
    return signed
  }

  /** Stores the signatures that a thread has made by these keys, if they are the current ones: see ZoneNames. */
  keepSignatures(signing: number, batch: Uint8Array, zone: number): boolean {
    return signing === this.#signing && this.names.keepSignatures(batch, zone)
  }

  /** Signs the zone with these keys from now on; `undefined` stops signing. All earlier signatures are discarded. */
  signWith(signing: ZoneSigning | undefined): void {
    const rrsets = apexRrsets(this.#authority, this.#own, signing)
    const before = this.#stateBefore()
    const { made, signings } = this.#shares
    const number = signing === undefined ? UNSIGNED : signings.add(signing)
    this.#changeNames((names) => {
      putApex(names, rrsets)
      names.forgetSignatures()
      this.#list(names, { signing: number })
    }, signing !== undefined)
    signings.remove(this.#signing)
    this.#signing = number
    this.#revision += 1
    this.#signer = signing && new ZoneSigner(this.apex, signing, made)
    this.#shares.changed(this)
    this.#notifyFollower(before)
  }

  /** Makes the zone visible to threads. @throws StoreFullError; then nothing has changed */
  list(): void {
    this.#isListed = true
    this.#changeNames((names) => this.#list(names, {}))
  }

  /** Its names and keys are not kept for threads any more. */
  unlist(): void {
    this.#ahead?.drop()
    this.#isListed = false
    this.names.unlist()
    this.#shares.signings.remove(this.#signing)
  }

  /** Lists the zone with these properties in place of those that it has. */
  #list(names: NamesChange, next: Partial<ListedZone>): void {
    if (!this.#isListed) return
    const now = names.listed ?? listedAuthority(this.#authority)
    const { nameServers = now.nameServers, nsTtl = now.nsTtl, tag = now.tag } = next
    const { isExpired = now.isExpired, isMultiProvider = now.isMultiProvider } = next
    const { zoneId = this.zoneId, signing = this.#signing, records = this.#records } = next
    names.list({ zoneId, signing, records, nameServers, nsTtl, tag, isExpired, isMultiProvider }) // not spread (ADR 151)
  }

  /** Captures the old apex for the follower. */
  #stateBefore(): StateBefore | undefined {
    if (this.follower === undefined) return undefined
    return { soa: this.soa, serial: this.serial, apex: withoutDigest(this.node(APEX), this.#authority) }
  }

  /** @param others changes of other nodes than the apex. */
  #notifyFollower(
    before: StateBefore | undefined,
    others: readonly RrsetChange[] = [],
    isIncomplete = false,
  ): void {
    if (before === undefined) return
    const own = rrsetChanges(APEX, before.apex, withoutDigest(this.node(APEX), this.#authority))
    const changes = others.length === 0 ? own : own.concat(others)
    const serials = { serialBefore: before.serial, serialAfter: this.serial }
    this.follower?.({ soaBefore: before.soa, soaAfter: this.soa, ...serials, changes, isIncomplete })
  }

  /** Answers this digest of the zone until the next change, if possible. Returns whether anything has changed. */
  publishDigest(digest: Rrset): boolean {
    const answered = this.node(APEX)?.rrsets.find(({ type }) => type === digest.type)
    if (this.names.isChanging || (answered !== undefined && isSameRrset(answered, digest))) return false
    try {
      this.#changeNames((names) => {
        putDigest(names, digest)
        this.#list(names, {})
      })
      return true
    } catch (error) {
      if (error instanceof StoreFullError) return false
      throw error
    }
  }

  #changeRecords(names: NamesChange): RecordsChange {
    return new RecordsChange(names, this, this.#own)
  }

  /** Changes the names at once. `isSigned`: whether the zone is signed here afterwards. */
  #changeNames<Result>(
    change: (names: NamesChange) => Result,
    isSigned = this.#signer !== undefined,
  ): Result {
    this.#ahead?.drop()
    const names = this.names.change()
    try {
      const result = change(names)
      runAtOnce(names.orderDenials(isSigned))
      names.commit()
      return result
    } finally {
      names.undo()
    }
  }
}

interface StateBefore {
  readonly soa: Rrset
  readonly serial: number
  readonly apex: Node
}

const recordsOf = ({ rrsets }: Node): readonly ZoneRecord[] => rrsets.flatMap(({ records }) => records)
