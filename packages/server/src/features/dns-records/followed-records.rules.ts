// Records as a primary has them: kept as they are, whatever a user could write. What cannot be answered rightly refuses
// the zone, because a part of it would be another zone under the same serial.
import { compareOctets, hexFromOctets, typeText, WireError, type Name } from '@zonereeve/dns'
import type { Sliced } from '../../platform/slices.ts'
import { joinedStrings, type RecordFields } from './dns-records.rules.ts'
import type { RecordValue } from './record-value.rules.ts'
import { recordTypeOf, wireTypeOf } from './types/registry.ts'

/** The whole zone, or the way from the state that is stored, step by step. */
export type FollowedContents =
  | { readonly kind: 'whole'; readonly records: readonly RecordValue[] }
  | { readonly kind: 'difference'; readonly steps: readonly FollowedStep[] }

export interface FollowedStep {
  readonly removed: readonly RecordValue[]
  readonly added: readonly RecordValue[]
}

/** Why what a primary sent cannot become the zone. Nothing has been changed. */
export class UnusableZone extends Error {
  override readonly name = 'UnusableZone'
}

/** RFC 2181 §8: a TTL with the highest bit set is none. */
const MAX_TTL_SECONDS = 0x7fff_ffff
const NS = 2
const CNAME = 5
/** RRSIG, NSEC, NSEC3, NSEC3PARAM: a signed zone that is answered without them is bogus to whoever validates. */
const SIGNED_TYPES: ReadonlySet<number> = new Set([46, 47, 50, 51])

/** Records that are looked at before others have a turn: some milliseconds. */
const VALUES_AT_ONCE = 2_000

/** What tells one record of a zone from another. */
export const valueKey = ({ name, type, rdata }: Pick<RecordValue, 'name' | 'type' | 'rdata'>): string =>
  `${type} ${name} ${hexFromOctets(rdata)}`

/** The state that contents lead to, from the stored one: of the whole zone or of the names that a difference is about. */
export function* followedState(
  stored: ReadonlyMap<string, RecordValue>,
  contents: FollowedContents,
): Sliced<ReadonlyMap<string, RecordValue>> {
  if (contents.kind === 'whole') {
    const whole = new Map<string, RecordValue>()
    for (const [index, value] of contents.records.entries()) {
      whole.set(valueKey(value), value)
      if (index % VALUES_AT_ONCE === VALUES_AT_ONCE - 1) yield
    }
    return whole
  }
  const state = new Map(stored)
  for (const { removed, added } of contents.steps) {
    for (const value of removed)
      if (!state.delete(valueKey(value)))
        throw new UnusableZone(`the difference removes ${told(value)}, which is not there`)
    for (const value of added) {
      if (state.has(valueKey(value)))
        throw new UnusableZone(`the difference adds ${told(value)}, which is there`)
      state.set(valueKey(value), value)
    }
    yield
  }
  return state
}

/**
 * Holds records against what a zone can be: name servers at its apex, and nothing beside a CNAME (RFC 1034 §3.6.2).
 *
 * @param records all of a zone, or of the names that have changed, and of the apex. @throws UnusableZone
 */
export function* demandPossible(apex: Name, records: Iterable<RecordValue>): Sliced<void> {
  const aliases = new Set<Name>()
  const others = new Set<Name>()
  let hasNameServers = false
  let looked = 0
  for (const { name, type } of records) {
    if ((looked += 1) % VALUES_AT_ONCE === 0) yield
    if (name === apex && type === CNAME) throw new UnusableZone('a CNAME stands at the apex')
    if (type === CNAME && aliases.has(name)) throw new UnusableZone(`two CNAME records stand at ${name}`)
    if (type === CNAME) aliases.add(name)
    else others.add(name)
    hasNameServers ||= name === apex && type === NS
  }
  if (!hasNameServers) throw new UnusableZone('no NS record stands at the apex')
  for (const name of aliases)
    if (others.has(name)) throw new UnusableZone(`other records stand beside the CNAME at ${name}`)
}

/** The fields of a record as it is stored. @throws UnusableZone for a type that is not answered, or octets not of it. */
export function followedFields({ name, type: code, ttlSeconds, rdata }: RecordValue): RecordFields {
  const type = recordTypeOf(code)
  if (SIGNED_TYPES.has(code))
    throw new UnusableZone(`the zone is signed (${typeText(code)} at ${name}), and is not answered so here`)
  if (type === undefined)
    throw new UnusableZone(`${typeText(code)} records, as at ${name}, are not answered here`)
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
    if (error instanceof WireError) throw new UnusableZone(`${told(about)} is malformed: ${error.message}`)
    throw error
  }
}

const told = ({ name, type }: Pick<RecordValue, 'name' | 'type'>): string =>
  `the ${typeText(type)} record at ${name}`
