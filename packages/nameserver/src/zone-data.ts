// The input of a zone: plain data, so that structuredClone can send it to a worker.
import type { Soa } from '@zonereeve/dns'

/** One record. Several at one name and of one type make an rrset. */
export interface ZoneRecord {
  /** Identifies the record in later deltas; unique among the records of its name and type. At most 255 octets. */
  readonly id: string
  /** A Name of @zonereeve/dns, at or below the apex. */
  readonly name: string
  /** Type number; not a pseudo or question type. */
  readonly type: number
  /** Seconds as served, 0..2^31-1 (RFC 2181 §8); an rrset is served with the lowest TTL of its records (§5.2). */
  readonly ttl: number
  /** Uncompressed, as encodeRdata writes it. */
  readonly rdata: Uint8Array
}

/** A zone's own data at its apex. SOA records among its records are not served. */
export interface ZoneAuthority {
  readonly soa: Soa & { readonly ttl: number }
  /** Canonical names. */
  readonly nameServers: readonly string[]
  readonly nsTtl: number
  /**
   * true: NS records at the apex are served in addition to the name servers. false: they are stored, but not served.
   */
  readonly multiProvider: boolean
  /** Transfers contain a digest of the zone (ZONEMD), which is answered too. Given ones at the apex are not served. */
  readonly hasDigest?: boolean | undefined
  /** The zone exists, but is not answered: its data is too old (RFC 1034 §4.3.5), or it has none. */
  readonly isExpired?: boolean | undefined
  /** A number that the table keeps with the zone; 0 if it is not given. */
  readonly tag?: number | undefined
}

/**
 * State of a name beyond its records: `empty` exists without any; `failing` has addresses that are currently unknown,
 * so an A or AAAA query that has no records is answered with SERVFAIL.
 */
export type NameState = 'empty' | 'failing'

/** Gives a name a state; `undefined` removes it. */
export interface NameMark {
  readonly name: string
  readonly state: NameState | undefined
}

/** Counts over the names of a zone. */
export interface NameCounts {
  /** Names that exist, empty non-terminals included. */
  readonly size: number
  /** Nodes with a delegation. */
  readonly cuts: number
  /** Nodes with a DNAME. */
  readonly dnames: number
  /** Nodes whose first label is `*`. */
  readonly wildcards: number
  /** Signatures of other epochs are invalid. */
  readonly epoch: number
}

/**
 * Blocks of the pages of a zone in their order; `undefined` is a place where other work may run. Returns the position
 * of the root.
 */
export type ImageBlocks = Generator<Uint8Array | undefined, number, void>

/** All names of a zone as a file stores them. For tables with the same hash key. */
export interface NamesImage {
  readonly counts: NameCounts
  readonly blocks: ImageBlocks
}

/** The names of a zone as Zone.image() made them, and what is not in them. */
export interface ZoneImage {
  readonly names: NamesImage
  /** Number of given records. */
  readonly records: number
  /** Given records at the apex of types that the zone itself has there. */
  readonly own: readonly ZoneRecord[]
}

/** A whole zone. */
export interface ZoneContents extends ZoneAuthority {
  /** If it is given, there are no `records` and no `marks` besides. */
  readonly image?: ZoneImage
  readonly zoneId: string
  readonly apex: string
  readonly records: Iterable<ZoneRecord>
  readonly marks?: Iterable<NameMark>
}

/** Records whose number is known before they are read. They can be read several times. */
export interface ZoneRecords extends Iterable<ZoneRecord> {
  readonly length: number
}

/** One change set. A changed record is removed in its old form and added in its new one, under the same ID. */
export interface ZoneDelta {
  readonly zoneId: string
  /** The zone's serial after the change. */
  readonly serial: number
  readonly removed: ZoneRecords
  readonly added: ZoneRecords
  readonly marks?: readonly NameMark[]
}

/** Why contents or a delta are refused. All of these are errors of the caller: nothing has been changed. */
export type ZoneDataReason =
  | 'zone.unknown'
  | 'zone.apex_taken'
  | 'record.bad_id'
  | 'record.bad_name'
  | 'record.outside_zone'
  | 'record.bad_type'
  | 'record.bad_ttl'
  | 'record.bad_rdata'
  | 'record.exists'
  | 'record.missing'

/** Contents or a delta that cannot be served as they are. */
export class ZoneDataError extends Error {
  override readonly name = 'ZoneDataError'
  readonly reason: ZoneDataReason
  readonly zoneId: string
  readonly recordId: string | undefined

  constructor(reason: ZoneDataReason, zoneId: string, recordId?: string) {
    super(`${reason}: zone ${zoneId}${recordId === undefined ? '' : `, record ${recordId}`}`)
    this.reason = reason
    this.zoneId = zoneId
    this.recordId = recordId
  }
}
