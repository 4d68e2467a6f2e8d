// Records of a primary, stored as received even where the API would not allow them. A record that cannot be answered
// correctly rejects the zone: without it the zone would have different content under the same serial.
import {
  compareOctets,
  hexFromOctets,
  signerText,
  typeText,
  uint16At,
  WireError,
  type Name,
} from '@zonereeve/dns'
import type { Chunked } from '@zonereeve/cooperate'
import { joinedStrings, type RecordFields } from './dns-records.rules.ts'
import type { RecordValue } from './record-value.rules.ts'
import { signerTypeOf } from './types/opaque.ts'
import { recordTypeOf, wireTypeOf } from './types/registry.ts'

/** The whole zone, or the differences from the stored state, in order. */
export type SecondaryContents =
  | { readonly kind: 'whole'; readonly records: readonly RecordValue[] }
  | { readonly kind: 'difference'; readonly steps: readonly SecondaryStep[] }

export interface SecondaryStep {
  readonly removed: readonly RecordValue[]
  readonly added: readonly RecordValue[]
}

/** Thrown when a transfer cannot become the zone. Nothing has been changed. */
export class UnusableZone extends Error {
  override readonly name = 'UnusableZone'
}

/** RFC 2181 §8: a TTL with the highest bit set counts as 0. */
const MAX_TTL_SECONDS = 0x7fff_ffff
const NS = 2
const CNAME = 5
const DNAME = 39
/** RRSIG and NSEC: a signed alias has them, too (RFC 4035 §2.5). */
const BESIDE_ALIASES: ReadonlySet<number> = new Set([46, 47])
const NSEC3PARAM = 51
/** More are not answered: names are hashed as often for each denial, and validators do not accept more (RFC 9276 §3.2). */
const MAX_ITERATIONS = 50

/** Key that identifies a record within a zone. */
export const valueKey = ({ name, type, rdata }: Pick<RecordValue, 'name' | 'type' | 'rdata'>): string =>
  `${type} ${name} ${hexFromOctets(rdata)}`

/**
 * The state that `contents` lead to from the stored one, for the whole zone or for the names that a difference
 * touches.
 */
export function* secondaryState(
  stored: ReadonlyMap<string, RecordValue>,
  contents: SecondaryContents,
): Chunked<ReadonlyMap<string, RecordValue>> {
  if (contents.kind === 'whole') {
    const whole = new Map<string, RecordValue>()
    for (const value of contents.records) {
      whole.set(valueKey(value), value)
      yield
    }
    return whole
  }
  const state = new Map(stored)
  for (const { removed, added } of contents.steps) {
    for (const value of removed)
      if (!state.delete(valueKey(value)))
        throw new UnusableZone(`the difference removes ${describeRecord(value)}, which is not there`)
    for (const value of added) {
      if (state.has(valueKey(value)))
        throw new UnusableZone(`the difference adds ${describeRecord(value)}, which is there`)
      state.set(valueKey(value), value)
    }
    yield
  }
  return state
}

/**
 * Checks that the records form a valid zone: NS records at the apex, nothing beside a CNAME (RFC 1034 §3.6.2), and at
 * most one DNAME per name (RFC 6672 §2.4). Records below a DNAME are kept: they are occluded, as on the primary.
 *
 * @param records all records of a zone, or those of the changed names and the apex. @throws UnusableZone
 */
export function* requirePossible(apex: Name, records: Iterable<RecordValue>): Chunked<void> {
  const aliases = new Set<Name>()
  const others = new Set<Name>()
  const redirected = new Set<Name>()
  let hasNameServers = false
  for (const { name, type, rdata } of records) {
    yield
    if (name === apex && type === CNAME) throw new UnusableZone('there is a CNAME at the apex')
    if (type === CNAME && aliases.has(name)) throw new UnusableZone(`there are two CNAME records at ${name}`)
    if (type === DNAME && redirected.has(name))
      throw new UnusableZone(`there are two DNAME records at ${name}`)
    if (type === DNAME) redirected.add(name)
    if (type === CNAME) aliases.add(name)
    else if (!BESIDE_ALIASES.has(type)) others.add(name)
    if (type === NSEC3PARAM && name === apex) requireFewIterations(rdata)
    hasNameServers ||= name === apex && type === NS
  }
  if (!hasNameServers) throw new UnusableZone('there is no NS record at the apex')
  for (const name of aliases)
    if (others.has(name)) throw new UnusableZone(`there are other records beside the CNAME at ${name}`)
}

function requireFewIterations(rdata: Uint8Array): void {
  const iterations = rdata.length < 5 ? 0 : uint16At(rdata, 2)
  if (iterations > MAX_ITERATIONS)
    throw new UnusableZone(
      `the zone is signed with ${iterations} iterations of NSEC3; at most ${MAX_ITERATIONS} are supported`,
    )
}

/** Refuses signatures and denials that no answer can use. @throws UnusableZone */
export function requireWellFormed(value: RecordValue): void {
  readShown(() => signerText(value.type, value.rdata), value)
}

/** The fields of a record as stored. @throws UnusableZone for a type that cannot be answered, or malformed RDATA. */
export function secondaryFields({ name, type: code, ttlSeconds, rdata }: RecordValue): RecordFields {
  const type = recordTypeOf(code) ?? signerTypeOf(code)
  if (type === undefined)
    throw new UnusableZone(`${typeText(code)} records, as at ${name}, are not supported`)
  const wireType = wireTypeOf(type)
  const shown = readShown(() => wireType.show(wireType.decode(rdata)), { name, type: code })
  return {
    name,
    type,
    content: shown.content,
    ...(shown.data === undefined ? {} : { data: shown.data }),
    ...(shown.priority === undefined ? {} : { priority: shown.priority }),
    rdata,
    text: type === 'TXT' ? joinedStrings(rdata).toString('utf8') : null,
    ttl: ttlSeconds > MAX_TTL_SECONDS ? 0 : ttlSeconds,
    proxied: false,
    proxiable: false,
    settings: type === 'CNAME' ? { flatten_cname: false } : {},
    comment: null,
    tags: [],
  }
}

/** Whether both are answered alike. */
export const isSameValue = (a: RecordValue, b: RecordValue): boolean =>
  a.ttlSeconds === b.ttlSeconds && compareOctets(a.rdata, b.rdata) === 0

function readShown<Shown>(read: () => Shown, about: Pick<RecordValue, 'name' | 'type'>): Shown {
  try {
    return read()
  } catch (error) {
    if (error instanceof WireError)
      throw new UnusableZone(`${describeRecord(about)} is malformed: ${error.message}`)
    throw error
  }
}

const describeRecord = ({ name, type }: Pick<RecordValue, 'name' | 'type'>): string =>
  `the ${typeText(type)} record at ${name}`
