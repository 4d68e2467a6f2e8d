// What a snapshot of the zones in memory contains, as frames of a file: a head; the IDs of some zones, and then for each
// of them its description, its special records, the blocks of its names, and the position of their root.
import type { HashKey, NameCounts, ZoneRecord } from '@zonereeve/nameserver'
import type { NameSettings } from './plan.ts'
import type { RecordOptions, StoredRecord } from './stored-record.ts'

/** Changes with anything below. The images have a number of their own. */
export const SNAPSHOT_FORMAT = 3

/** A place in the change log, and the change there: another database may have another change at that place. */
export interface LogPlace {
  readonly position: number
  readonly scopeId: string
  readonly number: number
  readonly at: string
}

export interface SnapshotHead {
  readonly format: number
  readonly imageFormat: number
  /** The program's version and its schema: others may publish the same rows differently. */
  readonly program: string
  /** The last change that the zones contain. */
  readonly place: LogPlace
  /** The names are found by its hashes. */
  readonly hashKey: HashKey
}

/** The zones that follow: the start reads their rows together. */
export interface UpcomingZones {
  readonly zoneIds: readonly string[]
}

/** Zones whose IDs are in one frame. */
export const ZONES_IN_A_FRAME = 500

export interface ZoneFrame {
  readonly zoneId: string
  readonly apex: string
  readonly settings: NameSettings
  readonly records: number
  readonly own: readonly RecordFrame[]
  /** Number of frames with special records. */
  readonly specialFrames: number
  readonly counts: NameCounts
}

export interface RootFrame {
  readonly root: number
}

/** Special records in a frame. */
export const RECORDS_IN_A_FRAME = 1_000

type RecordFrame = readonly [
  id: string,
  name: string,
  type: number,
  ttl: number,
  base64: string,
  options?: RecordOptions,
]

export function toRecordFrame({ id, name, type, ttl, rdata, options }: StoredRecord): RecordFrame {
  const base64 = Buffer.from(rdata).toString('base64')
  return options === undefined ? [id, name, type, ttl, base64] : [id, name, type, ttl, base64, options]
}

export function fromRecordFrame([id, name, type, ttl, base64, options]: RecordFrame): StoredRecord {
  const record: ZoneRecord = { id, name, type, ttl, rdata: new Uint8Array(Buffer.from(base64, 'base64')) }
  return options === undefined ? record : { ...record, options }
}

const NAME = /^zones-(\d+)\.snapshot$/

/** The name of the snapshot at a position of the change log. */
export const snapshotName = (position: number): string => `zones-${position}.snapshot`

/** The position in the name of a snapshot; undefined for other files. */
export function positionInName(name: string): number | undefined {
  const digits = NAME.exec(name)?.[1]
  return digits === undefined ? undefined : Number(digits)
}
