// One zone in memory (RFC 1034 §4.2, §4.3.1; empty non-terminals: RFC 4592 §2.2.2).
//
// Questions are answered synchronously, and JavaScript runs to completion: nothing can ask between the first and the last
// statement of apply(). All that can fail is done before the first node is replaced. So a question sees all of a change
// set or nothing of it, and needs no lock. Nodes are immutable; only the map from keys to nodes changes.
import { encodeRdata } from '@zonereeve/dns'
import type { Name, Soa } from '@zonereeve/dns'
import { createNode, EMPTY_NODE } from './node.ts'
import type { Node } from './node.ts'
import { checkName, checkRecord, readName } from './record-check.ts'
import { buildRrset, synthesiseRrset, TYPE } from './rrset.ts'
import type { Rrset } from './rrset.ts'
import { parentKey, WireName } from './wire-name.ts'
import { ZoneDataError } from './zone-data.ts'
import type { NameMark, ZoneContents, ZoneDelta, ZoneHead, ZoneRecord } from './zone-data.ts'

/** Key of the apex: keys are names relative to it. */
const APEX = ''

interface NodeChange {
  readonly removed: ZoneRecord[]
  readonly added: ZoneRecord[]
  mark: NameMark | undefined
}

export class Zone {
  readonly zoneId: string
  readonly apex: WireName
  #cuts = 0
  #wildcards = 0
  #records = 0
  #soa: Soa & { readonly ttl: number }
  #negative: Rrset
  /** The rrset of each type that was built last: the next one may be made of the same. */
  readonly #latest = new Map<number, Rrset>()
  readonly #nodes = new Map<string, Node>()
  /** How many children each node has, for nodes that have any. */
  readonly #children = new Map<string, number>()

  /** @throws ZoneDataError for the first record that cannot be served */
  constructor(contents: ZoneContents) {
    this.zoneId = contents.zoneId
    this.apex = readName(new WireName(), contents.apex, contents.zoneId)
    this.#soa = contents.soa
    this.#negative = negativeSoa(contents.soa)
    const changes = this.#group({ removed: [], added: contents.records, marks: contents.marks })
    const apexChange = changes.get(APEX)
    changes.delete(APEX)
    const apexNode = this.#changedNode(APEX, synthesiseApex(contents), apexChange)
    this.#nodes.set(APEX, apexNode)
    this.#records = apexChange?.added.length ?? 0
    for (const [key, change] of changes) {
      this.#records += change.added.length
      this.#put(key, this.#changedNode(key, EMPTY_NODE, change))
    }
  }

  get serial(): number {
    return this.#soa.serial
  }

  /** Nodes where another zone is cut off; without any, answers need not look for cuts. */
  get cuts(): number {
    return this.#cuts
  }

  /** Nodes whose first label is `*`. */
  get wildcards(): number {
    return this.#wildcards
  }

  /** Records given, served or not. */
  get records(): number {
    return this.#records
  }

  /** Names that exist, empty non-terminals included. */
  get nodes(): number {
    return this.#nodes.size
  }

  /** The SOA of negative answers, its TTL the lower of the record's own and `minimum` (RFC 2308 §3, §5). */
  get negative(): Rrset {
    return this.#negative
  }

  /** The node of a key made by WireName.key, relative to the apex. */
  node(key: string): Node | undefined {
    return this.#nodes.get(key)
  }

  /** The records given at a name, those that the zone makes itself not among them. @throws ZoneDataError: outside */
  recordsAt(name: string): readonly ZoneRecord[] {
    const node = this.#nodes.get(checkName(name, this.apex, this.zoneId))
    return node === undefined ? [] : recordsOf(node)
  }

  /** Calls `take` with the records of each name that has any. */
  eachName(take: (records: readonly ZoneRecord[]) => void): void {
    for (const node of this.#nodes.values()) {
      const records = recordsOf(node)
      if (records.length > 0) take(records)
    }
  }

  /** Applies a change set, all of it or nothing. @throws ZoneDataError before anything has changed */
  apply(delta: ZoneDelta): void {
    const nodes: [key: string, node: Node][] = []
    for (const [key, change] of this.#group(delta)) {
      nodes.push([key, this.#changedNode(key, this.#nodes.get(key) ?? EMPTY_NODE, change)])
    }
    const soa = { ...(delta.head?.soa ?? this.#soa), serial: delta.serial }
    const head = delta.head === undefined ? [soaRrset(soa)] : headRrsets({ ...delta.head, soa })
    const negative = negativeSoa(soa)
    // Nothing below this line can fail.
    this.#soa = soa
    this.#negative = negative
    this.#records += delta.added.length - delta.removed.length
    for (const [key, node] of nodes) this.#put(key, node)
    const apex = this.#nodes.get(APEX) ?? EMPTY_NODE
    const replaced = delta.head === undefined ? [TYPE.SOA] : [TYPE.SOA, TYPE.NS]
    const others = apex.rrsets.filter((rrset) => !replaced.some((type) => type === rrset.type))
    this.#nodes.set(APEX, createNode([...head, ...others], true, apex.state))
  }

  /** Checks every record and groups them by the node that they change. */
  #group({ removed, added, marks = [] }: Changes): Map<string, NodeChange> {
    const changes = new Map<string, NodeChange>()
    const changeAt = (key: string): NodeChange => {
      let change = changes.get(key)
      if (change === undefined) changes.set(key, (change = { removed: [], added: [], mark: undefined }))
      return change
    }
    const changeOf = (record: ZoneRecord): NodeChange => changeAt(checkRecord(record, this.apex, this.zoneId))
    for (const record of removed) changeOf(record).removed.push(record)
    for (const record of added) changeOf(record).added.push(record)
    for (const mark of marks) changeAt(checkName(mark.name, this.apex, this.zoneId)).mark = mark
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
    const isServed = (record: ZoneRecord): boolean =>
      key !== APEX || (record.type !== TYPE.NS && record.type !== TYPE.SOA)
    for (const record of change.removed.filter(isServed)) {
      const records = recordsOf(record.type)
      const at = records.findIndex((each) => each.id === record.id)
      if (at === -1) throw new ZoneDataError('record.missing', this.zoneId, record.id)
      records.splice(at, 1)
    }
    for (const record of change.added.filter(isServed)) {
      const records = recordsOf(record.type)
      if (records.some((each) => each.id === record.id)) {
        throw new ZoneDataError('record.exists', this.zoneId, record.id)
      }
      records.push(record)
    }
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

  /** Puts a node in place and keeps the counts and the empty non-terminals above it true. Never for the apex's removal. */
  #put(key: string, node: Node): void {
    const old = this.#nodes.get(key)
    this.#cuts += Number(node.delegation !== undefined) - Number(old?.delegation !== undefined)
    if (node !== EMPTY_NODE) {
      this.#nodes.set(key, node)
      if (old === undefined) this.#link(key)
    } else if (old !== undefined) {
      if (key === APEX || this.#children.has(key)) this.#nodes.set(key, EMPTY_NODE)
      else {
        this.#nodes.delete(key)
        this.#unlink(key)
      }
    }
  }

  /** A node has come into being: so have the names above it that did not exist. */
  #link(child: string): void {
    for (let key = child; key !== APEX;) {
      if (isWildcardKey(key)) this.#wildcards += 1
      key = parentKey(key)
      this.#children.set(key, (this.#children.get(key) ?? 0) + 1)
      if (this.#nodes.has(key)) return
      this.#nodes.set(key, EMPTY_NODE)
    }
  }

  /** A node is gone: so are the names above it that existed only for its sake. */
  #unlink(child: string): void {
    for (let key = child; key !== APEX;) {
      if (isWildcardKey(key)) this.#wildcards -= 1
      key = parentKey(key)
      const left = (this.#children.get(key) ?? 0) - 1
      if (left > 0) {
        this.#children.set(key, left)
        return
      }
      this.#children.delete(key)
      if (key === APEX || this.#nodes.get(key) !== EMPTY_NODE) return
      this.#nodes.delete(key)
    }
  }
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

const synthesiseApex = (head: ZoneHead): Node => createNode(headRrsets(head), true)

function headRrsets({ soa, nameServers, nsTtl }: ZoneHead): Rrset[] {
  if (nameServers.length === 0) return [soaRrset(soa)]
  const targets = nameServers.map((target) => encodeRdata('NS', { target: target as Name })) // see ZoneHead
  return [soaRrset(soa), synthesiseRrset(TYPE.NS, nsTtl, targets)]
}

function soaRrset(soa: Soa & { readonly ttl: number }): Rrset {
  return synthesiseRrset(TYPE.SOA, soa.ttl, [encodeRdata('SOA', soa)])
}

function negativeSoa(soa: Soa & { readonly ttl: number }): Rrset {
  return synthesiseRrset(TYPE.SOA, Math.min(soa.ttl, soa.minimum), [encodeRdata('SOA', soa)])
}

function isWildcardKey(key: string): boolean {
  return key.startsWith('\u0001*')
}
