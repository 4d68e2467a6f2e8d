// An entry of the audit log, and the hash that links it to the entry before.

export interface AuditEntry {
  /** From 1, without gaps. */
  readonly number: number
  /** RFC 3339, UTC. */
  readonly at: string
  /** The account it belongs to; null for users, sign-ins and the server itself. */
  readonly accountId: string | null
  readonly zoneId: string | null
  readonly zoneName: string | null
  readonly actorKind: string
  readonly actorId: string
  /** Name of the token, or e-mail address of the user. */
  readonly actorName: string
  /** Address of the client; null for work of the server. */
  readonly address: string | null
  /** What was done, such as `dns_record.create`. */
  readonly action: string
  readonly resourceType: string
  readonly resourceId: string
  readonly succeeded: boolean
  /** Empty for work of the server. */
  readonly requestId: string
  /** JSON text of an object. */
  readonly detail: string
}

export interface LinkedEntry extends AuditEntry {
  /** SHA-256 of the entry and of the hash before it, in hexadecimal. */
  readonly hash: string
}

/** SHA-256 of the string's UTF-8 bytes, in hexadecimal. */
export type Sha256 = (text: string) => string

/** Stands for the hash before the first entry. */
export const CHAIN_START = '0'.repeat(64)

/** The hashed members, in this order: adding one needs a new kind of hash, because old entries keep theirs. */
const HASHED = [
  'number',
  'at',
  'accountId',
  'zoneId',
  'zoneName',
  'actorKind',
  'actorId',
  'actorName',
  'address',
  'action',
  'resourceType',
  'resourceId',
  'succeeded',
  'requestId',
  'detail',
] as const satisfies readonly (keyof AuditEntry)[]

/**
 * The hash of an entry: SHA-256 of the previous hash, a line feed, and the values as a JSON array.
 *
 * @param previous hash of the entry before it, or {@link CHAIN_START}.
 */
export const linkHash = (sha256: Sha256, previous: string, entry: AuditEntry): string =>
  sha256(`${previous}\n${JSON.stringify(HASHED.map((name) => entry[name]))}`)
