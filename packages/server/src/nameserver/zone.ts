// One zone in memory (RFC 1034 §4.2, §4.3.1; empty non-terminals: RFC 4592 §2.2.2).
//
// Questions are answered synchronously, and JavaScript runs to completion: nothing can ask between the first and the last
// statement of apply(). All that can fail is done before the first node is replaced. So a question sees all of a change
// set or nothing of it, and needs no lock. Nodes are immutable; only the map from keys to nodes changes.
import { atOnce, type Sliced } from '../platform/slices.ts'
import { apexRrsets, isAuthorityType, negativeSoa } from './apex-rrsets.ts'
import { createNode, EMPTY_NODE, findRrset } from './node.ts'
import type { Node } from './node.ts'
import type { HashKey } from './octet-hash.ts'
import type { MadeNames } from './made-names.ts'
import type { PackedNames } from './packed-names.ts'
import { checkName, checkRecord, readName } from './record-check.ts'
import { buildRrset, isSameRrset, TYPE } from './rrset.ts'
import type { Rrset } from './rrset.ts'
import { WireName } from './wire-name.ts'
import { ZoneDataError } from './zone-data.ts'
import type { NameMark, ZoneAuthority, ZoneContents, ZoneDelta, ZoneRecord } from './zone-data.ts'
import { APEX, ZoneNames } from './zone-names.ts'
import { ZoneSigner } from './zone-signer.ts'
import type { ZoneSigning } from './zone-signing.ts'

/** Names or records that are worked at before others have a turn: some milliseconds. */
const NAMES_AT_ONCE = 500

/** What one rrset became; the SOA's own changes stand in the step. */
export interface RrsetChange {
  /** Of the owner, as WireName.key makes it. */
  readonly key: string
  readonly type: number
  readonly before: Rrset | undefined
  readonly after: Rrset | undefined
}

/** A zone's way from one state that could be asked for to the next. Serials are equal where only derived data moved. */
export interface ZoneStep {
  readonly soaBefore: Rrset
  readonly soaAfter: Rrset
  readonly serialBefore: number
  readonly serialAfter: number
  readonly changes: readonly RrsetChange[]
}

/** What all zones have in common. */
export interface ZoneShares {
  readonly hashKey: HashKey
  readonly made: MadeNames
}

interface NodeChange {
  readonly removed: ZoneRecord[]
  readonly added: ZoneRecord[]
  mark: NameMark | undefined
}

export class Zone {
  readonly zoneId: string
  /** The apex as text. */
  readonly name: string
  readonly apex: WireName
  #records = 0
  #authority: ZoneAuthority
  /** Records at the apex of types that the zone itself has there, served or not. */
  #own: readonly ZoneRecord[]
  #signer: ZoneSigner | undefined
  readonly #made: MadeNames
  #negative: Rrset
  /** The rrset of each type that was built last: the next one may be made of the same. */
  readonly #latest = new Map<number, Rrset>()
  /** Told of each step; undefined while nobody follows the zone, so that steps need not be worked out. */
  follower: ((step: ZoneStep) => void) | undefined
  #names: ZoneNames
  readonly #hashKey: HashKey
  /** Moved by every change. */
  #revision = 0

  /** @throws ZoneDataError for the first record that cannot be served */
  constructor(contents: ZoneContents, { hashKey, made }: ZoneShares) {
    this.zoneId = contents.zoneId
    this.name = contents.apex
    this.apex = readName(new WireName(), contents.apex, contents.zoneId)
    this.#hashKey = hashKey
    this.#names = new ZoneNames(this.apex, hashKey)
    this.#made = made
    const { soa, nameServers, nsTtl, multiProvider, isExpired } = contents
    this.#authority = { soa, nameServers, nsTtl, multiProvider, isExpired }
    this.#negative = negativeSoa(soa)
    const changes = atOnce(
      this.#group({ removed: NO_RECORDS, added: contents.records, marks: contents.marks }),
    )
    this.#own = this.#changedOwn(NO_RECORDS, changes.get(APEX))
    for (const [key, change] of changes) {
      this.#records += change.added.length
      this.#names.put(key, this.#changedNode(key, EMPTY_NODE, change))
    }
    this.#putApex(apexRrsets(this.#authority, this.#own, undefined))
  }

  /** The names as octets. */
  get packed(): PackedNames {
    return this.#names.packed
  }

  get serial(): number {
    return this.#authority.soa.serial
  }

  /** Whether the zone is there without being answered. */
  get isExpired(): boolean {
    return this.#authority.isExpired === true
  }

  /** Nodes where another zone is cut off; without any, answers need not look for cuts. */
  get cuts(): number {
    return this.#names.cuts
  }

  /** Nodes whose first label is `*`. */
  get wildcards(): number {
    return this.#names.wildcards
  }

  /** Records given, served or not. */
  get records(): number {
    return this.#records
  }

  /** Names that exist, empty non-terminals included. */
  get nodes(): number {
    return this.#names.size
  }

  /** The SOA of negative answers, its TTL the lower of the record's own and `minimum` (RFC 2308 §3, §5). */
  get negative(): Rrset {
    return this.#negative
  }

  /** The SOA as it is answered. */
  get soa(): Rrset {
    return findRrset(this.#names.get(APEX) ?? EMPTY_NODE, TYPE.SOA) ?? this.#negative
  }

  /** Seconds that a secondary may answer without having heard of us (RFC 7314). */
  get expireSeconds(): number {
    return this.#authority.soa.expire
  }

  /** All nodes by their keys, as they are now: later changes are not in it. */
  entries(): readonly (readonly [key: string, node: Node])[] {
    return [...this.#names.entries()]
  }

  /** The node of a key made by WireName.key, relative to the apex. */
  node(key: string): Node | undefined {
    return this.#names.get(key)
  }

  /**
   * The records given at a name; without SOA and NS at the apex, which are the zone's own affair.
   *
   * @throws ZoneDataError: outside the zone
   */
  recordsAt(name: string): readonly ZoneRecord[] {
    const node = this.#names.get(checkName(name, this.apex, this.zoneId))
    return node === undefined ? NO_RECORDS : recordsOf(node)
  }

  /** Calls `take` with the records of each name that has any. */
  eachName(take: (records: readonly ZoneRecord[]) => void): void {
    for (const [, node] of this.#names.entries()) {
      const records = recordsOf(node)
      if (records.length > 0) take(records)
    }
  }

  /** Applies a change set, all of it or nothing. @throws ZoneDataError before anything has changed */
  apply(delta: ZoneDelta): void {
    const changes = atOnce(this.#group(delta))
    const nodes: [key: string, node: Node][] = []
    for (const [key, change] of changes) {
      nodes.push([key, this.#changedNode(key, this.#names.get(key) ?? EMPTY_NODE, change)])
    }
    const apex = this.#changedApex(changes, delta.serial)
    // Nothing below this line can fail.
    const before = this.#stateBefore(nodes.map(([key]) => key))
    for (const [key, node] of nodes) this.#names.put(key, node)
    this.#become(apex, delta)
    this.#tell(before)
  }

  /**
   * As apply, for change sets that answers should not wait for: the zone as it will be is made aside, some names at a time,
   * and takes the place of the present one in one go. Nothing else may change the zone meanwhile.
   *
   * @throws ZoneDataError before anything has changed
   */
  *applyAside(delta: ZoneDelta): Sliced<void> {
    const revision = this.#revision
    const changes = yield* this.#group(delta)
    const names = new ZoneNames(this.apex, this.#hashKey)
    const told: RrsetChange[] = []
    let done = 0
    for (const [key, change] of changes) {
      const old = this.#names.get(key) ?? EMPTY_NODE
      const node = this.#changedNode(key, old, change)
      names.put(key, node)
      if (this.follower !== undefined && key !== APEX) told.push(...rrsetChanges(key, old, node))
      if ((done += 1) % NAMES_AT_ONCE === 0) yield
    }
    for (const [key, node] of this.#names.entries()) {
      if (!changes.has(key)) names.put(key, node)
      if ((done += 1) % NAMES_AT_ONCE === 0) yield
    }
    const apex = this.#changedApex(changes, delta.serial)
    if (revision !== this.#revision) throw new Error(`zone ${this.zoneId} was changed while it was made anew`)
    // Nothing below this line can fail.
    const before = this.#stateBefore([])
    this.#names = names
    this.#become(apex, delta)
    this.#tell(before, told)
  }

  /** Replaces SOA and name servers, and leaves the records as they are. */
  reconfigure({ soa, nameServers, nsTtl, multiProvider, isExpired }: ZoneAuthority): void {
    const authority = { soa, nameServers, nsTtl, multiProvider, isExpired } // without what else the argument may hold
    const rrsets = apexRrsets(authority, this.#own, this.#signer?.signing)
    const before = this.#stateBefore([])
    this.#revision += 1
    this.#authority = authority
    this.#negative = negativeSoa(soa)
    this.#putApex(rrsets)
    this.#tell(before)
  }

  /** Signs answers for those who ask for it; undefined where the zone is not signed. */
  get signer(): ZoneSigner | undefined {
    return this.#signer
  }

  /** Signs the zone with these keys from now on, or with `undefined` not at all. What was signed before is forgotten. */
  sign(signing: ZoneSigning | undefined): void {
    const rrsets = apexRrsets(this.#authority, this.#own, signing)
    const before = this.#stateBefore([])
    this.#revision += 1
    this.#signer = signing && new ZoneSigner(this.apex, signing, this.#made)
    this.#names.packed.forgetSignatures()
    this.#putApex(rrsets)
    this.#tell(before)
  }

  /** What the follower needs to know of before, of the nodes at these keys and of the apex. */
  #stateBefore(keys: readonly string[]): StateBefore | undefined {
    if (this.follower === undefined) return undefined
    const old = [...new Set([APEX, ...keys])].map((key) => [key, this.#names.get(key) ?? EMPTY_NODE] as const)
    return { soa: this.soa, serial: this.serial, nodes: old }
  }

  /** @param others changes of nodes that `before` does not have. */
  #tell(before: StateBefore | undefined, others: readonly RrsetChange[] = []): void {
    if (before === undefined) return
    const own = before.nodes.flatMap(([key, old]) =>
      rrsetChanges(key, old, this.#names.get(key) ?? EMPTY_NODE),
    )
    const changes = others.length === 0 ? own : others.concat(own)
    const serials = { serialBefore: before.serial, serialAfter: this.serial }
    this.follower?.({ soaBefore: before.soa, soaAfter: this.soa, ...serials, changes })
  }

  /** The apex as a change set makes it. */
  #changedApex(changes: ReadonlyMap<string, NodeChange>, serial: number): ChangedApex {
    const own = this.#changedOwn(this.#own, changes.get(APEX))
    const authority = { ...this.#authority, soa: { ...this.#authority.soa, serial } }
    const rrsets = apexRrsets(authority, own, this.#signer?.signing)
    return { own, authority, rrsets, negative: negativeSoa(authority.soa) }
  }

  /** The names are those of the change set: so is all else. */
  #become({ own, authority, rrsets, negative }: ChangedApex, delta: ZoneDelta): void {
    this.#revision += 1
    this.#authority = authority
    this.#own = own
    this.#negative = negative
    this.#records += delta.added.length - delta.removed.length
    this.#putApex(rrsets)
  }

  /** Checks every record and groups them by the node that they change. */
  *#group({ removed, added, marks = [] }: Changes): Sliced<Map<string, NodeChange>> {
    const changes = new Map<string, NodeChange>()
    const changeAt = (key: string): NodeChange => {
      let change = changes.get(key)
      if (change === undefined) changes.set(key, (change = { removed: [], added: [], mark: undefined }))
      return change
    }
    const changeOf = (record: ZoneRecord): NodeChange => changeAt(checkRecord(record, this.apex, this.zoneId))
    let done = 0
    for (const record of removed) {
      changeOf(record).removed.push(record)
      if ((done += 1) % NAMES_AT_ONCE === 0) yield
    }
    for (const record of added) {
      changeOf(record).added.push(record)
      if ((done += 1) % NAMES_AT_ONCE === 0) yield
    }
    for (const mark of marks) {
      changeAt(checkName(mark.name, this.apex, this.zoneId)).mark = mark
      if ((done += 1) % NAMES_AT_ONCE === 0) yield
    }
    return changes
  }

  /** The node after a change; rrsets of types that the change does not name are kept as they are. */
  #changedNode(key: string, node: Node, change: NodeChange | undefined): Node {
    if (change === undefined) return node
    const rrsets = new Map(node.rrsets.map((rrset) => [rrset.type, rrset]))
    const touched = new Map<number, ZoneRecord[]>()
    const recordsOf = (type: number): ZoneRecord[] => {
      let records = touched.get(type)
      if (records === undefined) touched.set(type, (records = [...(rrsets.get(type)?.records ?? [])]))
      return records
    }
    const isNodes = ({ type }: ZoneRecord): boolean => key !== APEX || !isAuthorityType(type)
    for (const record of change.removed) if (isNodes(record)) this.#remove(recordsOf(record.type), record)
    for (const record of change.added) if (isNodes(record)) this.#add(recordsOf(record.type), record)
    for (const [type, records] of touched) {
      if (records.length === 0) rrsets.delete(type)
      else {
        const rrset = buildRrset(records, this.#latest.get(type))
        this.#latest.set(type, rrset)
        rrsets.set(type, rrset)
      }
    }
    const state = change.mark === undefined ? node.state : change.mark.state
    return createNode([...rrsets.values()], key === APEX, state)
  }

  /** The records at the apex of types that the zone itself has there, after a change. */
  #changedOwn(records: readonly ZoneRecord[], change: NodeChange | undefined): readonly ZoneRecord[] {
    const isOwn = ({ type }: ZoneRecord): boolean => isAuthorityType(type)
    if (change === undefined || !(change.removed.some(isOwn) || change.added.some(isOwn))) return records
    const changed = [...records]
    for (const record of change.removed.filter(isOwn)) this.#remove(changed, record)
    for (const record of change.added.filter(isOwn)) this.#add(changed, record)
    return changed
  }

  #remove(records: ZoneRecord[], { id, type }: ZoneRecord): void {
    const at = records.findIndex((each) => each.id === id && each.type === type)
    if (at === -1) throw new ZoneDataError('record.missing', this.zoneId, id)
    records.splice(at, 1)
  }

  #add(records: ZoneRecord[], record: ZoneRecord): void {
    if (records.some(({ id, type }) => id === record.id && type === record.type)) {
      throw new ZoneDataError('record.exists', this.zoneId, record.id)
    }
    records.push(record)
  }

  /** Puts SOA and name servers at the apex, before its other rrsets. */
  #putApex(authority: readonly Rrset[]): void {
    const { rrsets, state } = this.#names.get(APEX) ?? EMPTY_NODE
    const others = rrsets.filter(({ type }) => !isAuthorityType(type))
    this.#names.set(APEX, createNode([...authority, ...others], true, state))
  }
}

interface ChangedApex {
  readonly own: readonly ZoneRecord[]
  readonly authority: ZoneAuthority
  readonly rrsets: readonly Rrset[]
  readonly negative: Rrset
}

interface StateBefore {
  readonly soa: Rrset
  readonly serial: number
  readonly nodes: readonly (readonly [key: string, node: Node])[]
}

/** Rrsets that are the same octets are the same, though the apex builds its own anew each time. */
function rrsetChanges(key: string, before: Node, after: Node): RrsetChange[] {
  const types = new Set([...before.rrsets, ...after.rrsets].map(({ type }) => type))
  return [...types].flatMap((type) => {
    const change = { key, type, before: findRrset(before, type), after: findRrset(after, type) }
    return type === TYPE.SOA || isSameRrset(change.before, change.after) ? [] : [change]
  })
}

interface Changes {
  readonly removed: Iterable<ZoneRecord>
  readonly added: Iterable<ZoneRecord>
  readonly marks?: Iterable<NameMark> | undefined
}

/** Most nodes have one rrset, whose own list serves. */
function recordsOf({ rrsets }: Node): readonly ZoneRecord[] {
  const [first] = rrsets
  if (rrsets.length === 1 && first !== undefined) return first.records
  return rrsets.flatMap(({ records }) => records)
}

const NO_RECORDS: readonly ZoneRecord[] = []
