// The keys and settings that a zone is signed with.
import type { Hash, SigningKey } from '@zonereeve/dns'

export interface ZoneSigning {
  /** What another thread makes the same from; it can be sent there. */
  readonly sealed?: unknown
  /** The keys of the DNSKEY records: entry points sign the DNSKEY rrset, the others everything else. */
  readonly keys: readonly SigningKey[]
  /**
   * These keys sign like the others, but are not among the DNSKEY records and do not sign those (RFC 6781 §4.1.4).
   */
  readonly unpublished: readonly SigningKey[]
  /** Rdata of the DNSKEY records at the apex. */
  readonly dnskeys: readonly Uint8Array[]
  readonly cds: readonly Uint8Array[]
  readonly cdnskeys: readonly Uint8Array[]
  /** Whether DNSKEY records given at the apex are served in addition: other providers sign with those (RFC 8901). */
  readonly multiSigner: boolean
  readonly denial: 'nsec' | 'nsec3'
  /** SHA-1, for NSEC3. */
  readonly sha1: Hash
  /** Milliseconds since 1970. */
  readonly now: () => number
  /** From 0 up to but not including 1. */
  readonly random: () => number
}
