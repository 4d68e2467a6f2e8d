// Zone files: importing their records into a zone, replacing a zone's records, and exporting a zone.
import type { Name, ZoneFileRecord } from '@zonereeve/dns'
import {
  type Actor,
  type Clock,
  DomainError,
  type Expected,
  type Issue,
  issueBelow,
  type Notice,
  throwIfIssues,
} from '@zonereeve/platform'
import type { Storage } from '@zonereeve/storage'
import type { Added, DnsRecords, Replaced } from '../dns-records/index.ts'
import { requireZone } from '../../zones/index.ts'
import { fitting, foreign, readDesired, type ReadOptions } from './desired-records.ts'
import { createFileThreads, type FileThreadOptions } from './file-thread.store.ts'
import { readFile } from './read-file.ts'
import { inputOf, lineIssue, linePointer, mapLazily } from './zone-file.rules.ts'
import { writeZone } from './write-zone.ts'

export interface ZoneFilesDeps extends FileThreadOptions {
  readonly storage: Storage
  readonly clock: Clock
  readonly records: Pick<DnsRecords, 'add' | 'replace'>
}

/** Result of an import. */
export interface Imported {
  /** Records in the file, added or not. */
  readonly parsed: number
  /** Number of added records by type. */
  readonly counts: ReadonlyMap<string, number>
  /** Rejected records and lines, in the order of lines. */
  readonly refused: readonly Issue[]
  readonly notices: readonly Notice[]
}

/** Its signal is ignored once records are stored. */
interface ReplaceOptions extends ReadOptions {
  readonly force: boolean
  readonly expected: Expected
}

/** Rejections of an import that are reported one by one. */
export const MAX_REPORTED_REFUSALS = 1_000
/** Other messages about one file. */
export const MAX_REPORTED_NOTICES = 100
/**
 * Maximum number of records in one import: those of the longest $GENERATE, which is far more than 256 KiB of plain
 * lines.
 */
export const MAX_IMPORTED_RECORDS = 65_536

export type ZoneFiles = ReturnType<typeof createZoneFiles>

export function createZoneFiles({ storage, clock, records, ...options }: ZoneFilesDeps) {
  const threads = createFileThreads(options)
  return { add, replace, write }

  /** The zone as a file, in chunks. @throws DomainError: zone.unknown. */
  function write(zoneId: string, signal: AbortSignal): Promise<Iterable<string>> {
    return writeZone(storage, clock, zoneId, signal)
  }

  /**
   * Adds each valid record of a file.
   *
   * @param options proxied: the default for records that can be proxied; clampTtl: lower TTLs above the maximum
   * instead of rejecting them.
   * @param signal aborts the reading of the file; ignored once records are stored.
   * @throws DomainError: zone.unknown, zone_file.encoding, zone_file.records.
   */
  async function add(
    zoneId: string,
    file: Uint8Array,
    { proxied, clampTtl }: { readonly proxied: boolean; readonly clampTtl: boolean },
    actor: Actor,
    signal: AbortSignal,
  ): Promise<Imported> {
    const zone = await requireZone(storage, zoneId)
    const limits = { maxRecords: MAX_IMPORTED_RECORDS, maxErrors: MAX_REPORTED_REFUSALS, signal }
    const read = await readFile(file, zone.name, limits)
    const { records: fitted, notices } = fitting(foreign(read.records, zone), clampTtl)
    const desired = [...fitted]
    const additions = mapLazily(desired, (record) => ({ input: inputOf(record), proxiedIfPossible: proxied }))
    const added = await records.add(zoneId, additions, actor)
    const refused = [...read.errors.map(lineIssue), ...refusalsOf(added, desired)]
    refused.sort((a, b) => lineOf(a) - lineOf(b))
    const more = refused.length + read.errorCount - read.errors.length - MAX_REPORTED_REFUSALS
    return {
      parsed: read.records.length,
      counts: added.counts,
      refused: refused.slice(0, MAX_REPORTED_REFUSALS),
      notices: [
        ...(more > 0 ? [{ notice: 'zone_file.more_refused', values: { count: more } } as const] : []),
        ...limitNotices([...notices, ...added.notices]),
      ],
    }
  }

  /**
   * Replaces the zone's records by those of a file.
   *
   * @throws DomainError: every error in the file, up to a hundred; zone_file.empty and zone_file.unsafe, unless it is
   * forced; zone.unknown, zone_file.encoding, zone_file.records, request.precondition.
   */
  async function replace(
    zoneId: string,
    file: Uint8Array,
    actor: Actor,
    options: ReplaceOptions,
  ): Promise<Replaced> {
    const zone = await requireZone(storage, zoneId)
    const read = storage.engine === 'sqlite' && threads.takes(file) ? threads.read : readDesired
    const { errors, isEmpty, notices, records: desired, close } = await read(file, zone, options)
    try {
      throwIfIssues(errors.map(lineIssue))
      if (isEmpty && zone.recordCount > 0 && !options.force)
        throw new DomainError({ reason: 'zone_file.empty', pointer: '/file' })
      const replaced = await records.replace(zoneId, desired, actor, options)
      return { ...replaced, notices: limitNotices([...notices, ...replaced.notices]) }
    } finally {
      close()
    }
  }
}

function refusalsOf({ refused }: Added, records: readonly ZoneFileRecord[]): Issue[] {
  return refused.flatMap(({ index, error }) => {
    const { name, line } = records[index] ?? { name: '' as Name, line: 0 } // there is one for each index
    return error.issues.map((issue) => ({ ...issueBelow(linePointer(line), issue), subject: name }))
  })
}

const lineOf = ({ pointer = '' }: Issue): number => Number(pointer.split('/')[2])

function limitNotices(notices: readonly Notice[]): readonly Notice[] {
  const more = notices.length - MAX_REPORTED_NOTICES
  if (more <= 0) return notices
  return [
    ...notices.slice(0, MAX_REPORTED_NOTICES),
    { notice: 'zone_file.more_notices', values: { count: more } },
  ]
}
