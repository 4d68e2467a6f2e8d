// A change of a zone's records, made in a change of its names, a few records at a time.
import { CHUNK_SIZE, type Chunked, runAtOnce } from '@zonereeve/cooperate'
import { isAuthorityType } from './apex-rrsets.ts'
import { type Changes, chunksOfDelta } from './delta-chunks.ts'
import { APEX } from './names-view.ts'
import { createNode, EMPTY_NODE, type Node } from './node.ts'
import { checkName, checkRecord } from './record-check.ts'
import { buildRrset, NO_RECORDS } from './rrset.ts'
import type { WireName } from './wire-name.ts'
import { type NameMark, ZoneDataError, type ZoneRecord } from './zone-data.ts'
import type { NamesChange } from './zone-names.ts'

interface NodeChange {
  readonly removed: ZoneRecord[]
  readonly added: ZoneRecord[]
  mark: NameMark | undefined
}

interface ChangedZone {
  readonly zoneId: string
  readonly apex: WireName
}

export class RecordsChange {
  readonly names: NamesChange
  readonly #zoneId: string
  readonly #apex: WireName
  #own: readonly ZoneRecord[]
  #moreRecords = 0

  /** @param own as of the zone */
  constructor(names: NamesChange, { zoneId, apex }: ChangedZone, own: readonly ZoneRecord[]) {
    this.names = names
    this.#zoneId = zoneId
    this.#apex = apex
    this.#own = own
  }

  /** The given records of the zone's own types at the apex, after the change. */
  get own(): readonly ZoneRecord[] {
    return this.#own
  }

  /** How many records there are more than before. */
  get moreRecords(): number {
    return this.#moreRecords
  }

  /** Changes names, some at a time. @throws ZoneDataError, StoreFullError; then the change must be undone */
  *make(
    chunks: Iterable<Changes>,
    note: (key: string, before: Node, after: Node) => void = () => {},
  ): Chunked<void> {
    let done = 0
    for (const chunk of chunks) {
      const changes = yield* this.#group(chunk)
      for (const [key, change] of changes) {
        const before = this.names.node(key) ?? EMPTY_NODE
        const after = this.#changedNode(key, before, change)
        this.names.put(key, after)
        note(key, before, after)
        this.#moreRecords += change.added.length - change.removed.length
        if ((done += 1) % CHUNK_SIZE === 0) yield
      }
      this.#changeOwn(changes.get(APEX))
    }
  }

  /** Checks every record and groups them by the node that they change. */
  *#group({ removed, added, marks = [] }: Changes): Chunked<Map<string, NodeChange>> {
    const changes = new Map<string, NodeChange>()
    const changeAt = (key: string): NodeChange => {
      let change = changes.get(key)
      if (change === undefined) changes.set(key, (change = { removed: [], added: [], mark: undefined }))
      return change
    }
    const changeOf = (record: ZoneRecord): NodeChange =>
      changeAt(checkRecord(record, this.#apex, this.#zoneId))
    let done = 0
    for (const record of removed) {
      changeOf(record).removed.push(record)
      if ((done += 1) % CHUNK_SIZE === 0) yield
    }
    for (const record of added) {
      changeOf(record).added.push(record)
      if ((done += 1) % CHUNK_SIZE === 0) yield
    }
    for (const mark of marks) {
      changeAt(checkName(mark.name, this.#apex, this.#zoneId)).mark = mark
      if ((done += 1) % CHUNK_SIZE === 0) yield
    }
    return changes
  }

  /** The node after a change; rrsets of types that are not in the change are reused. */
  #changedNode(key: string, node: Node, change: NodeChange): Node {
    const { added, removed, mark } = change
    // A zone file has a great many names with one record.
    if (node === EMPTY_NODE && added.length === 1 && removed.length === 0 && key !== APEX)
      return createNode([buildRrset(added)], false, mark?.state)
    const rrsets = new Map(node.rrsets.map((rrset) => [rrset.type, rrset]))
    const touched = new Map<number, ZoneRecord[]>()
    const recordsOf = (type: number): ZoneRecord[] => {
      let records = touched.get(type)
      // A new rrset starts without records.
      if (records === undefined) touched.set(type, (records = [...(rrsets.get(type)?.records ?? [])]))
      return records
    }
    const isNodes = ({ type }: ZoneRecord): boolean => key !== APEX || !isAuthorityType(type)
    for (const record of removed) if (isNodes(record)) this.#remove(recordsOf(record.type), record)
    for (const record of added) if (isNodes(record)) this.#add(recordsOf(record.type), record)
    for (const [type, records] of touched) {
      if (records.length === 0) rrsets.delete(type)
      else rrsets.set(type, buildRrset(records))
    }
    const state = mark === undefined ? node.state : mark.state
    return createNode([...rrsets.values()], key === APEX, state)
  }

  #changeOwn(change: NodeChange | undefined): void {
    const isOwn = ({ type }: ZoneRecord): boolean => isAuthorityType(type)
    if (change === undefined || !(change.removed.some(isOwn) || change.added.some(isOwn))) return
    const changed = [...this.#own]
    for (const record of change.removed.filter(isOwn)) this.#remove(changed, record)
    // Kept as long as the zone: their octets may be part of many.
    for (const record of change.added.filter(isOwn))
      this.#add(changed, { ...record, rdata: new Uint8Array(record.rdata) })
    this.#own = changed
  }

  #remove(records: ZoneRecord[], { id, type }: ZoneRecord): void {
    const at = records.findIndex((each) => each.id === id && each.type === type)
    if (at === -1) throw new ZoneDataError('record.missing', this.#zoneId, id)
    records.splice(at, 1)
  }

  #add(records: ZoneRecord[], record: ZoneRecord): void {
    if (records.some(({ id, type }) => id === record.id && type === record.type)) {
      throw new ZoneDataError('record.exists', this.#zoneId, record.id)
    }
    records.push(record)
  }
}

/** The records of a change set that is not complete. No query sees them before it is applied. */
export class RecordsAhead extends RecordsChange {
  #isOpen = true
  readonly #dropped: (ahead: RecordsAhead) => void

  /** @param dropped called when it has been dropped */
  constructor(
    dropped: (ahead: RecordsAhead) => void,
    ...change: ConstructorParameters<typeof RecordsChange>
  ) {
    super(...change)
    this.#dropped = dropped
  }

  /** Whether it has all records that were given to it. */
  get isOpen(): boolean {
    return this.#isOpen
  }

  /** Adds records. If one cannot be served, all are dropped: the change set itself is refused later. */
  add(records: Iterable<ZoneRecord>): void {
    if (!this.#isOpen) return
    try {
      runAtOnce(this.make(chunksOfDelta({ removed: NO_RECORDS, added: records })))
    } catch {
      this.drop()
    }
  }

  /** Frees everything, unless the change set has been applied. */
  drop(): void {
    if (!this.#isOpen) return
    this.#isOpen = false
    this.names.undo()
    this.#dropped(this)
  }
}
