// What a zone is signed with.
import type { Hash, SigningKey } from '@zonereeve/dns'

export interface ZoneSigning {
  /** Those of the DNSKEY records: entry points sign the keys, the others all else. */
  readonly keys: readonly SigningKey[]
  /** These sign the same, but not the DNSKEY records, among which they are not (RFC 6781 §4.1.4). */
  readonly unpublished: readonly SigningKey[]
  /** Rdata of what stands at the apex. */
  readonly dnskeys: readonly Uint8Array[]
  readonly cds: readonly Uint8Array[]
  readonly cdnskeys: readonly Uint8Array[]
  /** Whether DNSKEY records given at the apex are served beside these: other providers sign with those (RFC 8901). */
  readonly multiSigner: boolean
  readonly denial: 'nsec' | 'nsec3'
  /** SHA-1, which NSEC3 needs. */
  readonly sha1: Hash
  /** Milliseconds since 1970. */
  readonly now: () => number
  /** From 0 up to but not 1. */
  readonly random: () => number
}
