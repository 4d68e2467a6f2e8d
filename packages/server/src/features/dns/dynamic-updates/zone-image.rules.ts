// The names of a zone that an update mentions: prerequisites are checked against them, steps change them, and the
// differences are written (RFC 2136 §3.2, §3.4.2).
import { encodeRdata, RCODE, typeText, type Name, requireTypeCode } from '@zonereeve/dns'
import {
  identityOf,
  inputOfValue,
  NO_INPUT,
  servedTtlSeconds,
  type RecordStep,
} from '../dns-records/index.ts'
import { UpdateRefusal } from './update-refusal.ts'
import type { Prerequisite, UpdateRecord, UpdateStep } from './update-message.rules.ts'

const CNAME = 5
const DNAME = 39
const SOA = 6
const NS = 2

/** An existing record of the zone. */
export interface ImageRow {
  readonly id: string
  readonly name: Name
  readonly type: string
  readonly identity: string
  readonly ttl: number
}

export interface ImageOptions {
  readonly apex: Name
  /** Published at the apex without being records. */
  readonly nameServers: readonly string[]
  /** All records at the names that the update mentions. */
  readonly rows: readonly ImageRow[]
}

/** A target record: a stored one with its new TTL, or a new one. */
interface ImageRecord {
  readonly type: string
  readonly identity: string
  readonly ttlSeconds: number
  readonly row: ImageRow | undefined
  readonly added: UpdateRecord | undefined
}

export function createZoneImage({ apex, nameServers, rows: stored }: ImageOptions) {
  // The API has no mnemonic for some types that updates use.
  const rows = stored.map((row) => ({ ...row, type: typeText(requireTypeCode(row.type)) }))
  const names = new Map<Name, ImageRecord[]>()
  for (const row of rows) {
    const { type, identity } = row
    entriesAt(row.name).push({ type, identity, row, ttlSeconds: servedTtlSeconds(row.ttl), added: undefined })
  }
  return { checkPrerequisites, apply, steps }

  /** @throws UpdateRefusal: NXDOMAIN, YXDOMAIN, NXRRSET, YXRRSET for the first prerequisite that fails */
  function checkPrerequisites(prerequisites: readonly Prerequisite[]): void {
    const desired = new Map<string, UpdateRecord[]>()
    for (const prerequisite of prerequisites) {
      if (prerequisite.kind === 'rrset_equals') {
        const key = `${prerequisite.name} ${prerequisite.type}`
        desired.set(key, [...(desired.get(key) ?? []), prerequisite])
      } else requireOne(prerequisite)
    }
    for (const [key, records] of desired) requireRrset(key, records)
  }

  function requireOne(prerequisite: Exclude<Prerequisite, { kind: 'rrset_equals' }>): void {
    const { kind, name } = prerequisite
    switch (kind) {
      case 'name_in_use':
        if (!isInUse(name)) throw new UpdateRefusal(RCODE.NXDOMAIN, `${name} is not in use`)
        return
      case 'name_not_in_use':
        if (isInUse(name)) throw new UpdateRefusal(RCODE.YXDOMAIN, `${name} is in use`)
        return
      case 'rrset_exists':
        if (!hasRrset(name, prerequisite.type)) throw noRrset(name, prerequisite.type)
        return
      case 'rrset_does_not_exist':
        if (hasRrset(name, prerequisite.type))
          throw new UpdateRefusal(RCODE.YXRRSET, `${name} has ${typeText(prerequisite.type)}`)
        return
    }
  }

  function requireRrset(key: string, [first, ...others]: readonly UpdateRecord[]): void {
    if (first === undefined) return
    const { name, type } = first
    if (name === apex && type === SOA) throw new UpdateRefusal(RCODE.REFUSED, 'the SOA is not compared')
    const present =
      name === apex && type === NS
        ? nameServers
            .map((target) => ({ type, rdata: encodeRdata('NS', { target: target as Name }) })) // stored as Names
            .map(({ rdata }) => identityOf({ type: 'NS', rdata }))
        : entriesAt(name).flatMap((entry) => (entry.type === typeText(type) ? [entry.identity] : []))
    const desired = [first, ...others].map(identityOfRecord)
    if (new Set(desired).size !== new Set(present).size || desired.some((each) => !present.includes(each)))
      throw new UpdateRefusal(RCODE.NXRRSET, `${key} is another rrset`)
  }

  /** Applies the steps in order. @throws UpdateRefusal: REFUSED for records that cannot be stored */
  function apply(steps: readonly UpdateStep[]): void {
    for (const step of steps) applyOne(step)
  }

  function applyOne(step: UpdateStep): void {
    const { name } = step
    switch (step.kind) {
      case 'add':
        return add(step)
      case 'delete_name':
        // The zone's own SOA and name servers cannot be deleted (RFC 2136 §3.4.2.3).
        return keep(name, ({ type }) => name === apex && type === 'NS')
      case 'delete_rrset':
        if (name === apex && (step.type === SOA || step.type === NS)) return
        return keep(name, ({ type }) => type !== typeText(step.type))
      case 'delete_record':
        return keep(
          name,
          ({ type, identity }) => type !== typeText(step.type) || identity !== identityOfRecord(step),
        )
    }
  }

  function add(record: UpdateRecord): void {
    const { name, type: code } = record
    if (code === SOA)
      throw new UpdateRefusal(RCODE.REFUSED, 'the SOA is set through the DNS settings of the zone')
    const type = typeText(code)
    const entries = entriesAt(name)
    const isAlias = code === CNAME
    // A CNAME must be alone: data beside it is ignored (RFC 2136 §3.4.2.2).
    if (
      isAlias ? entries.some((entry) => entry.type !== type) : entries.some((entry) => entry.type === 'CNAME')
    )
      return
    const identity = identityOfRecord(record)
    const ttlSeconds = inputOf(record).ttl ?? record.ttlSeconds
    const same = entries.findIndex((entry) => entry.type === type && entry.identity === identity)
    const row = rows.find((each) => each.name === name && each.type === type && each.identity === identity)
    const entry: ImageRecord = { type, identity, ttlSeconds, row, added: record }
    if (isAlias) names.set(name, [entry])
    // Another DNAME replaces the first (RFC 6672 §5.2).
    else if (code === DNAME) names.set(name, [...entries.filter((each) => each.type !== type), entry])
    else if (same === -1) entries.push(entry)
    else entries[same] = entry
  }

  /**
   * The changes to write: deletions, TTL changes, additions. An added record takes over a deleted one of its type as
   * a new value: it stays proxied, and keeps its comment and tags.
   */
  function steps(): RecordStep[] {
    const entries = [...names].flatMap(([name, at]) => at.map((entry) => ({ name, entry })))
    const remaining = new Map(
      entries.flatMap(({ entry }) => (entry.row === undefined ? [] : [[entry.row.id, entry]])),
    )
    const removedRows = rows.filter(({ id }) => !remaining.has(id))
    const written = entries.flatMap(({ name, entry: { row, type, added } }): RecordStep[] => {
      if (row !== undefined || added === undefined) return []
      const at = removedRows.findIndex((each) => each.name === name && each.type === type)
      const [replaced] = at === -1 ? [] : removedRows.splice(at, 1)
      const input = inputOf(added)
      return replaced === undefined
        ? [{ kind: 'create', input }]
        : [{ kind: 'edit', id: replaced.id, edit: input }]
    })
    const removed = removedRows.map(({ id }): RecordStep => ({ kind: 'remove', id }))
    const edited = [...remaining.values()].flatMap(({ row, ttlSeconds }): RecordStep[] =>
      row === undefined || servedTtlSeconds(row.ttl) === ttlSeconds
        ? []
        : [{ kind: 'edit', id: row.id, edit: { ...NO_INPUT, type: undefined, ttl: ttlSeconds } }],
    )
    return [...removed, ...edited, ...written]
  }

  function entriesAt(name: Name): ImageRecord[] {
    const known = names.get(name)
    if (known !== undefined) return known
    const entries: ImageRecord[] = []
    names.set(name, entries)
    return entries
  }

  function keep(name: Name, isKept: (entry: ImageRecord) => boolean): void {
    names.set(name, entriesAt(name).filter(isKept))
  }

  function isInUse(name: Name): boolean {
    return name === apex || entriesAt(name).length > 0
  }

  function hasRrset(name: Name, code: number): boolean {
    if (name === apex && (code === SOA || code === NS)) return true
    return entriesAt(name).some(({ type }) => type === typeText(code))
  }
}

function noRrset(name: Name, type: number): UpdateRefusal {
  return new UpdateRefusal(RCODE.NXRRSET, `${name} has no ${typeText(type)}`)
}

function identityOfRecord({ type, rdata }: UpdateRecord): string {
  return identityOf({ type: typeText(type), rdata } as Parameters<typeof identityOf>[0]) // there are no rows of other types
}

function inputOf(record: UpdateRecord) {
  const input = inputOfValue(record)
  if (input !== undefined) return input
  throw new UpdateRefusal(RCODE.REFUSED, `${typeText(record.type)} cannot be stored`)
}
