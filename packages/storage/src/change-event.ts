// Change events for subscribers of the change log: one per topic that a change set touches.
import type { Name } from '@zonereeve/dns'

export type Topic =
  | 'zone'
  | 'records'
  | 'settings'
  | 'signing'
  | 'transfers'
  | 'monitoring'
  | 'firewall'
  | 'access'

/** A record as the nameserver publishes it. */
export interface ServedRecord {
  readonly id: string
  readonly name: Name
  readonly type: string
  readonly ttlSeconds: number
  readonly rdata: Uint8Array
  readonly proxied: boolean
  /** Options by their names in the API. */
  readonly settings: Readonly<Record<string, boolean>>
}

/** Records of which there may be very many: they can be read several times. */
export interface ServedRecords extends Iterable<ServedRecord> {
  readonly length: number
}

/** The publication of records that are being stored, which no query sees before their change set is committed. */
export interface PublicationAhead {
  /** Takes the next added records, some at a time. */
  add(records: ServedRecords): Iterable<void>
  /** Frees everything, unless the change set has been published. */
  drop(): void
}

export interface RecordsDelta {
  readonly removed: ServedRecords
  readonly added: ServedRecords
  /** A damaged row was replaced or removed: the previously served records are unknown. */
  readonly isRepair: boolean
  /** Whether no added record has options or is an alias at the apex; undefined: unknown. */
  readonly arePlain?: boolean
  /** The publication of `added` that has begun. */
  readonly begun?: PublicationAhead | undefined
}

/** One operation of a change set: the change of one object, with its state before and after. */
export interface ChangeOp {
  /** Kind of change, such as `dns_record.create`. */
  readonly kind: string
  readonly objectId: string
  /** JSON text of the object before and after; null if it did not exist. */
  readonly before: string | null
  readonly after: string | null
}

interface Change {
  /** A zone, an account or a user. */
  readonly scopeId: string
  /** Number of the change set in its scope. Undefined if nothing was logged: the event is for this node only. */
  readonly number: number | undefined
  /** The zone's serial after the change set; null if it is unchanged or the scope is not a zone. */
  readonly serial: number | null
  /** Kinds of the topic's operations. */
  readonly kinds: readonly string[]
  /** Read from the log, because another node wrote it. */
  readonly isOfOtherNode?: boolean
}

export interface RecordsEvent extends Change {
  readonly topic: 'records'
  readonly number: number
  readonly serial: number
  /** Undefined if it must be made from `ops` or the log, because another node wrote the records. */
  readonly delta: RecordsDelta | undefined
  /** All operations on records, if they were read from the log with those of other change sets. */
  readonly ops?: readonly ChangeOp[] | undefined
  /** Change sets that it stands for, if these are several: the last has its number and serial. */
  readonly changeSets?: number
}

export type ChangeEvent = RecordsEvent | (Change & { readonly topic: Exclude<Topic, 'records'> })
