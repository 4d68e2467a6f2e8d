// The chain of NSEC (RFC 4034 §4) or NSEC3 (RFC 5155 §7.1) records over the names of a zone, updated as names are
// added and removed: a change touches only the records of the changed names and of their predecessors.
import {
  base32Hex,
  NSEC,
  NSEC3,
  nsec3Hash,
  nsec3Rdata,
  nsecRdata,
  RRSIG,
  DEFAULT_NSEC3,
  type Hash,
} from '@zonereeve/dns'
import { synthesiseRrset, type Rrset } from '../rrset.ts'
import { OrderedList, type Ordered } from './ordered-list.ts'
import { SignedRrset, type SignedChange } from './signed-rrset.ts'

/** A name of the chain and its types. */
export interface DeniedName {
  /** Key of the name, from WireName.key. */
  readonly key: string
  /** The types at the name, sorted; empty for an empty non-terminal. */
  readonly types: readonly number[]
  /** Whether one of them is signed. */
  readonly hasSignature: boolean
}

export interface ChainSettings {
  /** In wire form. */
  readonly apex: Uint8Array
  readonly ttl: number
  readonly denial: 'nsec' | 'nsec3'
  /** SHA-1. */
  readonly sha1: Hash
}

interface Link extends Ordered {
  /** Key of the record's owner. */
  readonly key: string
  readonly types: readonly number[]
  /** Undefined only while its neighbors are being inserted. */
  readonly denial: SignedRrset | undefined
}

/**
 * Sort key for RFC 4034 §6.1 canonical order: label by label from the last, a shorter label before those it is a
 * prefix of.
 */
export function canonicalOrder(key: string): string {
  let order = ''
  for (let at = 0; at < key.length;) {
    const end = at + 1 + key.charCodeAt(at)
    order = `${escapedLabel(key.slice(at + 1, end))}\0${order}`
    at = end
  }
  return order
}

/** Escapes the octet that ends labels here: 0 and 1 become two octets, which still sort before 2. */
const escapedLabel = (label: string): string =>
  label.replaceAll('\u0001', '\u0001\u0002').replaceAll('\0', '\u0001\u0001')

export class DenialChain {
  readonly #settings: ChainSettings
  readonly #links = new OrderedList<Link>()
  /** Most names share few sets of types: each set is stored once. */
  readonly #typeSets = new Map<string, readonly number[]>()

  constructor(settings: ChainSettings) {
    this.#settings = settings
  }

  get length(): number {
    return this.#links.length
  }

  /** A snapshot of the records: later changes do not affect it. */
  denials(): readonly SignedRrset[] {
    return this.#links.all().flatMap(({ denial }) => denial ?? []) // not made yet
  }

  /** Adds names to the chain, or removes those that are `undefined`. @returns the changes of its records */
  update(names: ReadonlyMap<string, DeniedName | undefined>): SignedChange[] {
    const [changed, removed] = this.#changed(names)
    const before = new Map([...changed.keys()].map((order) => [order, this.#links.get(order)?.denial]))
    const moved = [...changed.keys()].filter((order) => before.get(order) === undefined || removed.has(order))
    this.#links.update(changed)
    // The predecessors of an added or removed name have a new next name.
    const touched = new Set([...changed.keys()].filter((order) => !removed.has(order)))
    for (const order of moved) touched.add(this.#orderBefore(order))
    const fresh = new Map<string, Link | undefined>()
    const changes = [...removed].flatMap((order) => changesOf(before.get(order), undefined))
    for (const order of touched) {
      const link = this.#links.get(order)
      if (link === undefined) continue
      const old = before.has(order) ? before.get(order) : link.denial
      const made = { ...link, denial: this.#denialOf(link) }
      fresh.set(order, made)
      changes.push(...changesOf(old, made.denial))
    }
    this.#links.update(fresh)
    return changes
  }

  /** Replaces records by equivalent ones. */
  replace(changes: readonly SignedChange[]): void {
    const byKey = new Map(changes.map(({ key, after }) => [key, after]))
    const fresh = this.#links.all().flatMap((link) => {
      const denial = byKey.get(link.key)
      return denial === undefined ? [] : [[link.order, { ...link, denial }] as const]
    })
    this.#links.update(new Map(fresh))
  }

  /** The changed links by their order, without their records, and the removed ones. */
  #changed(names: ReadonlyMap<string, DeniedName | undefined>) {
    const changed = new Map<string, Link | undefined>()
    const removed = new Set<string>()
    for (const [key, name] of names) {
      const [order, owner] = this.#placeOf(key)
      const old = this.#links.get(order)
      if (name === undefined) {
        if (old === undefined) continue
        changed.set(order, undefined)
        removed.add(order)
        continue
      }
      const types = this.#typesOf(name)
      if (old?.types === types) continue
      changed.set(order, { order, key: owner, types, denial: old?.denial })
    }
    return [changed, removed] as const
  }

  /** The position of a name in the chain, and the owner of its record. */
  #placeOf(key: string): readonly [order: string, owner: string] {
    const { apex, denial, sha1 } = this.#settings
    if (denial === 'nsec') return [canonicalOrder(key), key]
    const hash = nsec3Hash(Buffer.concat([Buffer.from(key, 'latin1'), apex]), DEFAULT_NSEC3, sha1)
    const label = base32Hex(hash)
    return [Buffer.from(hash).toString('latin1'), `${String.fromCharCode(label.length)}${label}`]
  }

  #typesOf({ types, hasSignature }: DeniedName): readonly number[] {
    const isNsec = this.#settings.denial === 'nsec'
    const all = isNsec ? [...types, RRSIG, NSEC] : hasSignature ? [...types, RRSIG] : types
    const text = all.join()
    let known = this.#typeSets.get(text)
    if (known === undefined) this.#typeSets.set(text, (known = [...all]))
    return known
  }

  /** The order of the link before this position, cyclically. */
  #orderBefore(order: string): string {
    const index = this.#links.indexFrom(order) - 1
    return this.#links.at(index === -1 ? this.#links.length - 1 : index)?.order ?? order
  }

  #denialOf({ order, key, types }: Link): SignedRrset {
    const { apex, ttl, denial } = this.#settings
    const link = this.#links.at(this.#links.indexFrom(order) + 1) ?? this.#links.at(0)
    if (link === undefined) throw new Error('a chain without links has no records')
    const next = denial === 'nsec' ? link.key : link.order
    const type = denial === 'nsec' ? NSEC : NSEC3
    // Built when it is first used: of many names changed at once, only some may ever be sent.
    const make = (): Rrset => {
      const octets = Buffer.from(next, 'latin1')
      const rdata =
        denial === 'nsec'
          ? nsecRdata(Buffer.concat([octets, apex]), types)
          : nsec3Rdata(DEFAULT_NSEC3, octets, types)
      return synthesiseRrset(type, ttl, [rdata])
    }
    return new SignedRrset(key, type, make, true)
  }
}

function changesOf(before: SignedRrset | undefined, after: SignedRrset | undefined): SignedChange[] {
  const record = after ?? before
  return record === undefined ? [] : [{ key: record.key, type: record.type, before, after }]
}
