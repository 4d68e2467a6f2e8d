// Records from octets: what other nameservers say, as an input that a caller could have sent.
import { WireError, type Name } from '@zonereeve/dns'
import { AUTOMATIC_TTL, MAX_TTL_SECONDS, NOTHING_SAID, type RecordInput } from './dns-records.rules.ts'
import { recordTypeOf, wireTypeOf } from './types/registry.ts'

export interface RecordValue {
  readonly name: Name
  /** Type number. */
  readonly type: number
  readonly ttlSeconds: number
  readonly rdata: Uint8Array
}

/** TTLs below are raised to it: no plan allows less. */
const LOWEST_TTL_SECONDS = 60

/** @returns undefined for a type that no record can have, and for octets that are not of their type. */
export function inputOfValue({ name, type: code, ttlSeconds, rdata }: RecordValue): RecordInput | undefined {
  const type = recordTypeOf(code)
  if (type === undefined) return undefined
  const wireType = wireTypeOf(type)
  try {
    const { content, priority, data } = wireType.show(wireType.decode(rdata))
    return { ...NOTHING_SAID, type, name: `${name}.`, content, priority, data, ttl: ttlWithin(ttlSeconds) }
  } catch (error) {
    if (error instanceof WireError) return undefined
    throw error
  }
}

const ttlWithin = (seconds: number): number =>
  seconds === AUTOMATIC_TTL
    ? LOWEST_TTL_SECONDS
    : Math.min(Math.max(seconds, LOWEST_TTL_SECONDS), MAX_TTL_SECONDS)
