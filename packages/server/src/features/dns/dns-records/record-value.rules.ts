// Records from RDATA: what other nameservers answer, converted to an input as a client would send it.
import { WireError, type Name } from '@zonereeve/dns'
import { AUTOMATIC_TTL, MAX_TTL_SECONDS, NO_INPUT, type RecordInput } from './dns-records.rules.ts'
import { recordTypeOf, wireTypeOf } from './types/registry.ts'

export interface RecordValue {
  readonly name: Name
  /** Type number. */
  readonly type: number
  readonly ttlSeconds: number
  readonly rdata: Uint8Array
}

/** Lower TTLs are raised to this: no plan allows less. */
const LOWEST_TTL_SECONDS = 60

/** @returns undefined for a type that the API does not have, and for malformed RDATA. */
export function inputOfValue({ name, type: code, ttlSeconds, rdata }: RecordValue): RecordInput | undefined {
  const type = recordTypeOf(code)
  if (type === undefined) return undefined
  const wireType = wireTypeOf(type)
  try {
    const { content, priority, data } = wireType.show(wireType.decode(rdata))
    return { ...NO_INPUT, type, name: `${name}.`, content, priority, data, ttl: ttlWithin(ttlSeconds) }
  } catch (error) {
    if (error instanceof WireError) return undefined
    throw error
  }
}

const ttlWithin = (seconds: number): number =>
  seconds === AUTOMATIC_TTL
    ? LOWEST_TTL_SECONDS
    : Math.min(Math.max(seconds, LOWEST_TTL_SECONDS), MAX_TTL_SECONDS)
