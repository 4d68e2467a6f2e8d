// The names of a zone that an update speaks of: prerequisites are held against them, steps change them, and what has become
// other is what is to be written (RFC 2136 §3.2, §3.4.2).
import { encodeRdata, RCODE, typeText, type Name } from '@zonereeve/dns'
import {
  identityOf,
  inputOfValue,
  NOTHING_SAID,
  servedTtlSeconds,
  type RecordStep,
} from '../dns-records/index.ts'
import { UpdateRefusal } from './update-refusal.ts'
import type { Prerequisite, UpdateRecord, UpdateStep } from './update-message.rules.ts'

const CNAME = 5
const SOA = 6
const NS = 2

/** A record that the zone has. */
export interface ImageRow {
  readonly id: string
  readonly name: Name
  readonly type: string
  readonly identity: string
  readonly ttl: number
}

export interface ImageOptions {
  readonly apex: Name
  /** Served at the apex without being records. */
  readonly nameServers: readonly string[]
  /** All records at the names that the update speaks of. */
  readonly rows: readonly ImageRow[]
}

/** A record as it is to be: stored, with the TTL that it is to have, or new. */
interface Entry {
  readonly type: string
  readonly identity: string
  readonly ttlSeconds: number
  readonly row: ImageRow | undefined
  readonly added: UpdateRecord | undefined
}

export function createZoneImage({ apex, nameServers, rows }: ImageOptions) {
  const names = new Map<Name, Entry[]>()
  for (const row of rows) {
    const { type, identity } = row
    entriesAt(row.name).push({
      type,
      identity,
      row,
      ttlSeconds: servedTtlSeconds(row.ttl),
      added: undefined,
    })
  }
  return { demand, apply, steps }

  /** @throws UpdateRefusal: NXDOMAIN, YXDOMAIN, NXRRSET, YXRRSET for the first that does not hold */
  function demand(prerequisites: readonly Prerequisite[]): void {
    const wanted = new Map<string, UpdateRecord[]>()
    for (const prerequisite of prerequisites) {
      if (prerequisite.kind === 'rrset_equals') {
        const key = `${prerequisite.name} ${prerequisite.type}`
        wanted.set(key, [...(wanted.get(key) ?? []), prerequisite])
      } else demandOne(prerequisite)
    }
    for (const [key, records] of wanted) demandRrset(key, records)
  }

  function demandOne(prerequisite: Exclude<Prerequisite, { kind: 'rrset_equals' }>): void {
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

  function demandRrset(key: string, [first, ...others]: readonly UpdateRecord[]): void {
    if (first === undefined) return
    const { name, type } = first
    if (name === apex && type === SOA) throw new UpdateRefusal(RCODE.REFUSED, 'the SOA is not compared')
    const present =
      name === apex && type === NS
        ? nameServers
            .map((target) => ({ type, rdata: encodeRdata('NS', { target: target as Name }) })) // stored as Names
            .map(({ rdata }) => identityOf({ type: 'NS', rdata }))
        : entriesAt(name).flatMap((entry) => (entry.type === typeText(type) ? [entry.identity] : []))
    const wanted = [first, ...others].map(identityOfRecord)
    if (new Set(wanted).size !== new Set(present).size || wanted.some((each) => !present.includes(each)))
      throw new UpdateRefusal(RCODE.NXRRSET, `${key} is another rrset`)
  }

  /** Applies the steps in their order. @throws UpdateRefusal: REFUSED for what cannot be written here */
  function apply(steps: readonly UpdateStep[]): void {
    for (const step of steps) applyOne(step)
  }

  function applyOne(step: UpdateStep): void {
    const { name } = step
    switch (step.kind) {
      case 'add':
        return add(step)
      case 'delete_name':
        // SOA and name servers of the zone itself outlive it (RFC 2136 §3.4.2.3).
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
    // An alias stands alone: what would stand beside it is passed over (RFC 2136 §3.4.2.2).
    if (
      isAlias ? entries.some((entry) => entry.type !== type) : entries.some((entry) => entry.type === 'CNAME')
    )
      return
    const identity = identityOfRecord(record)
    const ttlSeconds = inputOf(record).ttl ?? record.ttlSeconds
    const same = entries.findIndex((entry) => entry.type === type && entry.identity === identity)
    const stored = rows.find((row) => row.name === name && row.type === type && row.identity === identity)
    const entry: Entry = { type, identity, ttlSeconds, row: stored, added: record }
    if (isAlias) names.set(name, [entry])
    else if (same === -1) entries.push(entry)
    else entries[same] = entry
  }

  /**
   * What is to be written: what goes, what has another TTL, what comes. A record that comes where one of its type goes is
   * that one with another value: it stays proxied, and keeps its comment and tags.
   */
  function steps(): RecordStep[] {
    const entries = [...names].flatMap(([name, at]) => at.map((entry) => ({ name, entry })))
    const kept = new Map(
      entries.flatMap(({ entry }) => (entry.row === undefined ? [] : [[entry.row.id, entry]])),
    )
    const gone = rows.filter(({ id }) => !kept.has(id))
    const written = entries.flatMap(({ name, entry: { row, type, added } }): RecordStep[] => {
      if (row !== undefined || added === undefined) return []
      const at = gone.findIndex((each) => each.name === name && each.type === type)
      const [replaced] = at === -1 ? [] : gone.splice(at, 1)
      const input = inputOf(added)
      return replaced === undefined
        ? [{ kind: 'create', input }]
        : [{ kind: 'edit', id: replaced.id, edit: input }]
    })
    const removed = gone.map(({ id }): RecordStep => ({ kind: 'remove', id }))
    const edited = [...kept.values()].flatMap(({ row, ttlSeconds }): RecordStep[] =>
      row === undefined || servedTtlSeconds(row.ttl) === ttlSeconds
        ? []
        : [{ kind: 'edit', id: row.id, edit: { ...NOTHING_SAID, type: undefined, ttl: ttlSeconds } }],
    )
    return [...removed, ...edited, ...written]
  }

  function entriesAt(name: Name): Entry[] {
    const known = names.get(name) ?? []
    names.set(name, known)
    return known
  }

  function keep(name: Name, isKept: (entry: Entry) => boolean): void {
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
  return identityOf({ type: typeText(type), rdata } as Parameters<typeof identityOf>[0]) // of other types there are no rows
}

function inputOf(record: UpdateRecord) {
  const input = inputOfValue(record)
  if (input !== undefined) return input
  throw new UpdateRefusal(RCODE.REFUSED, `${typeText(record.type)} cannot be written here`)
}
