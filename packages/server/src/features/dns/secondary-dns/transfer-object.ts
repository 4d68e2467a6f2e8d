// An account's objects about other nameservers: keys, ACLs and peers.
import type { TsigAlgorithm } from '@zonereeve/dns'

export interface StoredTsig {
  readonly kind: 'tsig'
  readonly id: string
  readonly accountId: string
  /** Canonical. */
  readonly name: string
  /** As the client wrote it. */
  readonly displayName: string
  readonly algorithm: TsigAlgorithm
  /** As the client wrote it. */
  readonly displayAlgorithm: string
  /** Base64. */
  readonly secret: string
}

export interface StoredAcl {
  readonly kind: 'acl'
  readonly id: string
  readonly accountId: string
  readonly name: string
  readonly ipRange: string
}

export interface StoredPeer {
  readonly kind: 'peer'
  readonly id: string
  readonly accountId: string
  readonly name: string
  readonly ip: string | null
  readonly port: number
  readonly ixfrEnabled: boolean
  readonly tsigId: string | null
  /** Null: its zones are transferred from it over TCP. */
  readonly tls: PeerTls | null
}

/** How transfers from a peer are encrypted, and its certificate verified. */
export interface PeerTls {
  readonly port: number
  /** The name of its certificate, issued by a trusted authority; null: only the pins count. */
  readonly serverName: string | null
  /** SHA-256 in base64 of public keys; its certificate must have one of them. Empty: it may have any key. */
  readonly pins: readonly string[]
}

export type TransferObject = StoredTsig | StoredAcl | StoredPeer
export type TransferKind = TransferObject['kind']
export type ObjectOf<K extends TransferKind> = Extract<TransferObject, { readonly kind: K }>

/** Maximum number of each kind per account: transfers search all of them. */
export const MAX_TRANSFER_OBJECTS = 1_000
