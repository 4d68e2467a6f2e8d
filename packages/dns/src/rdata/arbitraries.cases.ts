// Random parts of record values for property tests.
import * as fc from 'fast-check'
import { nameFromWire, parseName } from '../name.ts'
import { latin1FromOctets } from '../octets.ts'

export const u8 = fc.nat(0xff)
export const u16 = fc.nat(0xffff)
export const u32 = fc.nat(0xffff_ffff)

/** Names of letters, digits, hyphens and underscores, because the oracle supports no escapes. */
export const plainName = fc
  .array(fc.stringMatching(/^[a-z0-9_-]{1,12}$/), { minLength: 1, maxLength: 5 })
  .map((labels) => parseName(labels.join('.')))

/** Names with arbitrary octets. */
export const anyName = fc
  .array(fc.uint8Array({ minLength: 1, maxLength: 12 }), { maxLength: 5 })
  .map((labels) => nameFromWire(Uint8Array.from([...labels.flatMap((l) => [l.length, ...l]), 0])))

/** Printable ASCII, which the oracle reads as text without changing it. */
export const ascii = fc.stringMatching(/^[ -~]{0,40}$/)

/** A character string of any octets, one code unit each. */
export const anyString = fc.uint8Array({ maxLength: 255 }).map(latin1FromOctets)

/** Octets without their own length limit. */
export const anyOctets = fc.uint8Array({ maxLength: 300 })

/** At least one octet: a key, a digest, a certificate. */
export const someOctets = fc.uint8Array({ minLength: 1, maxLength: 300 })

/** A digest type, and a digest of its length. */
export const digest = (octetsOf: Readonly<Record<number, number>>) =>
  fc
    .constantFrom(...Object.entries(octetsOf))
    .chain(([type, length]) =>
      fc.tuple(fc.constant(Number(type)), fc.uint8Array({ minLength: length, maxLength: length })),
    )
