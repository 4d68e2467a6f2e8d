// The records that a zone is to have according to a zone file.
import type { ZoneFileError, ZoneFileRecord } from '@zonereeve/dns'
import { createSingleKeys, type Notice } from '@zonereeve/platform'
import { MAX_REPORTED_ISSUES, type DesiredList, type ReplaceRecords } from '../dns-records/index.ts'
import { servedNameServers, type Zone } from '../../zones/index.ts'
import { type FileRecords, readFile } from './read-file.ts'
import { inputOf, isOwn, linePointer, mapLazily, withLowerTtls } from './zone-file.rules.ts'

/** Maximum number of records for replacing a zone in one change. */
export const MAX_REPLACING_RECORDS = 1_000_000

/** At least 16 for each record, if its line has 32 octets or more. */
const NAME_BITS_PER_OCTET = 0.5

export interface ReadOptions {
  readonly clampTtl: boolean
  /** Aborts the reading. */
  readonly signal: AbortSignal
}

export interface FileContents {
  /** If there are any, the rest counts for nothing. */
  readonly errors: readonly Pick<ZoneFileError, 'line' | 'message'>[]
  readonly isEmpty: boolean
  readonly notices: readonly Notice[]
}

/** The contents of a file, and its records as what replaces those of a zone. */
export interface ReadContents extends FileContents {
  readonly records: DesiredList | ReplaceRecords
  /** Ends what holds the records. */
  close(): void
}

/** @throws DomainError: zone_file.encoding, zone_file.records. */
export async function readDesired(
  file: Uint8Array,
  zone: Zone,
  { clampTtl, signal }: ReadOptions,
): Promise<ReadContents & { readonly records: DesiredList } & Pick<FileRecords, 'releaseWhenRead'>> {
  const names = createSingleKeys(file.length * NAME_BITS_PER_OCTET)
  const limits = { maxRecords: MAX_REPLACING_RECORDS, maxErrors: MAX_REPORTED_ISSUES, signal }
  const read = await readFile(file, zone.name, { ...limits, noteName: names.add })
  const { records, notices } = fitting(foreign(read.records, zone), clampTtl && read.errors.length === 0)
  return {
    errors: read.errors,
    isEmpty: isEmpty(records),
    notices,
    records: Object.assign(
      mapLazily(records, (record) => ({ input: inputOf(record), pointer: linePointer(record.line) })),
      { hasOne: names.hasOne },
    ),
    releaseWhenRead: () => read.records.releaseWhenRead(),
    close: () => {},
  }
}

/** Without the records that every zone has by itself. */
export function foreign(records: Iterable<ZoneFileRecord>, zone: Zone): Iterable<ZoneFileRecord> {
  const nameServers = servedNameServers(zone)
  return {
    *[Symbol.iterator]() {
      for (const record of records) if (!isOwn(record, zone.name, nameServers)) yield record
    },
  }
}

/** With TTLs that fit, if they are to be lowered. */
export const fitting = (records: Iterable<ZoneFileRecord>, clampTtl: boolean) =>
  clampTtl ? withLowerTtls(records) : { records, notices: [] }

function isEmpty(items: Iterable<unknown>): boolean {
  for (const _ of items) return false
  return true
}
