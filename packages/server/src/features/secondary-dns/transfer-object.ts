// What an account knows of other nameservers: keys, ACLs and peers.
import type { TsigAlgorithm } from '@zonereeve/dns'

export interface StoredTsig {
  readonly kind: 'tsig'
  readonly id: string
  readonly accountId: string
  /** Canonical. */
  readonly name: string
  /** As its owner wrote it. */
  readonly displayName: string
  readonly algorithm: TsigAlgorithm
  /** As its owner wrote it. */
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
}

export type TransferObject = StoredTsig | StoredAcl | StoredPeer
export type TransferKind = TransferObject['kind']
export type ObjectOf<K extends TransferKind> = Extract<TransferObject, { readonly kind: K }>

/** The most of a kind that an account may have: transfers look through all of them. */
export const MAX_TRANSFER_OBJECTS = 1_000
