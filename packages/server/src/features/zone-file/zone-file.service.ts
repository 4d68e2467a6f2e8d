// Zone files: their records added to a zone, put in the place of a zone's, and a zone written as one.
import type { Name, ZoneFileRecord } from '@zonereeve/dns'
import type { Actor } from '../../platform/actor.ts'
import type { Clock } from '../../platform/clock.ts'
import { DomainError, refuse, type Issue, type Notice } from '../../platform/domain-error.ts'
import type { Expected } from '../../platform/etag.ts'
import type { Storage } from '../../storage/index.ts'
import { MAX_TOLD_ISSUES, type Added, type DnsRecords, type Replaced } from '../dns-records/index.ts'
import { demandZone, servedNameServers, type Zone } from '../zones/index.ts'
import { readFile } from './read-file.ts'
import { inputOf, isOwn, lineIssue, linePointer } from './zone-file.rules.ts'
import { writeZone } from './write-zone.ts'

export interface ZoneFilesDeps {
  readonly storage: Storage
  readonly clock: Clock
  readonly records: Pick<DnsRecords, 'add' | 'replace'>
}

/** What came of an import. */
export interface Imported {
  /** Records in the file, whatever became of them. */
  readonly parsed: number
  /** How many of each type were added. */
  readonly counts: ReadonlyMap<string, number>
  /** What was not added, in the order of lines. */
  readonly refused: readonly Issue[]
  readonly notices: readonly Notice[]
}

/** Refusals of an import that are told one by one. */
export const MAX_TOLD_REFUSALS = 1_000
/** Other messages about one file. */
export const MAX_TOLD_NOTICES = 100
/** Records that one import can add: those of the longest $GENERATE, which is far more than 256 KiB of plain lines are. */
export const MAX_IMPORTED_RECORDS = 65_536
/** Records that a zone can be replaced by in one change. */
export const MAX_REPLACING_RECORDS = 1_000_000

export type ZoneFiles = ReturnType<typeof createZoneFiles>

export function createZoneFiles({ storage, clock, records }: ZoneFilesDeps) {
  return { add, replace, write: (zoneId: string) => writeZone(storage, clock, zoneId) }

  /**
   * Adds what can be added of a file.
   *
   * @param proxied whether records that can be proxied are, where the file does not say.
   * @throws DomainError: zone.unknown, zone_file.encoding, zone_file.records.
   */
  async function add(zoneId: string, file: Uint8Array, proxied: boolean, actor: Actor): Promise<Imported> {
    const zone = await demandZone(storage, zoneId)
    const limits = { maxRecords: MAX_IMPORTED_RECORDS, maxErrors: MAX_TOLD_REFUSALS }
    const read = await readFile(file, zone.name, limits)
    const wanted = foreign(read.records, zone)
    const additions = mapped(wanted, (record) => ({ input: inputOf(record), proxiedIfPossible: proxied }))
    const added = await records.add(zoneId, additions, actor)
    const refused = [...read.errors.map(lineIssue), ...refusalsOf(added, wanted)]
    refused.sort((a, b) => lineOf(a) - lineOf(b))
    const more = refused.length + read.errorCount - read.errors.length - MAX_TOLD_REFUSALS
    return {
      parsed: read.records.length,
      counts: added.counts,
      refused: refused.slice(0, MAX_TOLD_REFUSALS),
      notices: [
        ...(more > 0 ? [{ notice: 'zone_file.more_refused', values: { count: more } } as const] : []),
        ...bounded(added.notices),
      ],
    }
  }

  /**
   * Makes the zone's records those of a file.
   *
   * @throws DomainError: all that is wrong with the file, up to a hundred; zone_file.empty and zone_file.unsafe, unless
   * it is forced; zone.unknown, zone_file.encoding, zone_file.records, request.precondition.
   */
  async function replace(
    zoneId: string,
    file: Uint8Array,
    actor: Actor,
    options: { readonly force: boolean; readonly expected: Expected },
  ): Promise<Replaced> {
    const zone = await demandZone(storage, zoneId)
    const limits = { maxRecords: MAX_REPLACING_RECORDS, maxErrors: MAX_TOLD_ISSUES }
    const read = await readFile(file, zone.name, limits)
    refuse(read.errors.map(lineIssue))
    const wanted = foreign(read.records, zone)
    if (wanted.length === 0 && zone.recordCount > 0 && !options.force)
      throw new DomainError({ reason: 'zone_file.empty', pointer: '/file' })
    const inputs = mapped(wanted, (record) => ({ input: inputOf(record), pointer: linePointer(record.line) }))
    const replaced = await records.replace(zoneId, inputs, actor, options)
    return { ...replaced, notices: bounded(replaced.notices) }
  }
}

/** Without what the zone has of itself. */
function foreign(records: readonly ZoneFileRecord[], zone: Zone): readonly ZoneFileRecord[] {
  const nameServers = servedNameServers(zone)
  return records.filter((record) => !isOwn(record, zone.name, nameServers))
}

/** Each item as another, made when its turn comes, every time: of a million not all are held. */
function mapped<Item, Other>(items: readonly Item[], map: (item: Item) => Other): Iterable<Other> {
  return {
    *[Symbol.iterator]() {
      for (const item of items) yield map(item)
    },
  }
}

function refusalsOf({ refused }: Added, records: readonly ZoneFileRecord[]): Issue[] {
  return refused.flatMap(({ index, error }) => {
    const { name, line } = records[index] ?? { name: '' as Name, line: 0 } // there is one for each index
    return error.issues.map((issue): Issue => ({
      ...issue,
      subject: name,
      pointer: `${linePointer(line)}${issue.pointer ?? ''}`,
    }))
  })
}

const lineOf = ({ pointer = '' }: Issue): number => Number(pointer.split('/')[2])

function bounded(notices: readonly Notice[]): readonly Notice[] {
  const more = notices.length - MAX_TOLD_NOTICES
  if (more <= 0) return notices
  return [
    ...notices.slice(0, MAX_TOLD_NOTICES),
    { notice: 'zone_file.more_notices', values: { count: more } },
  ]
}
