// Writes snapshots of the zones in memory beside the database, in the background, so that a start need not read all
// records. A snapshot stands at a place of the change log; later changes are replayed from there.
import { rm, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { chunksOf, createYieldIfDue } from '@zonereeve/cooperate'
import { IMAGE_FORMAT, type SnapshotWriter, writeSnapshotFile, type ZoneTable } from '@zonereeve/nameserver'
import { countOpsAfter, lastLogged } from '../../changes/index.ts'
import type { Clock, Log } from '@zonereeve/platform'
import type { Storage } from '@zonereeve/storage'
import type { Publication } from './publication.ts'
import type { CapturedZone } from './saved-zone.ts'
import {
  type LogPlace,
  positionInName,
  RECORDS_IN_A_FRAME,
  SNAPSHOT_FORMAT,
  type SnapshotHead,
  snapshotName,
  toRecordFrame,
  type UpcomingZones,
  ZONES_IN_A_FRAME,
} from './snapshot-format.ts'

/** When a snapshot is worth writing, and how long the one before the end may take. */
export interface SnapshotThresholds {
  /** Records of all zones. With fewer a start is as fast without a snapshot. */
  readonly minRecords: number
  /** Changed records. With more, a start would take longer to replay them than to read a snapshot. */
  readonly maxOps: number
  /** Aborts the one that is written before the program ends. Default: after 15 s. */
  readonly endSignal?: () => AbortSignal
}

export const DEFAULT_SNAPSHOT_THRESHOLDS: SnapshotThresholds = { minRecords: 20_000, maxOps: 10_000 }
/** After fewer changes a snapshot is written at this interval. */
const INTERVAL_MILLIS = 10 * 60_000
/**
 * The time between snapshots is at least this many times the time that the last one took: with many zones, 10,000
 * changes are made in less time than a snapshot takes.
 */
const MIN_PAUSES = 20
/** A service manager that waits for the end kills the program after 30 s, and requests may have taken 10 s of them. */
const MAX_END_MILLIS = 15_000

export interface ZoneSnapshotsDeps extends SnapshotThresholds {
  readonly folder: string
  /** The program's version and its schema. */
  readonly program: string
  readonly storage: Storage
  readonly table: Pick<ZoneTable, 'statistics' | 'hashKey' | 'hold'>
  readonly publication: Pick<Publication, 'capture'>
  /** Zones about which memory does not contain all that was stored. */
  readonly incomplete: () => ReadonlySet<string>
  readonly clock: Pick<Clock, 'now'>
  readonly log: Log
  /** Where the snapshot stands that this start has read. */
  readonly read: LogPlace | undefined
}

interface Captured {
  readonly place: LogPlace
  readonly zones: Iterable<CapturedZone>
  /** Zones that are left out. */
  readonly left: ReadonlySet<string>
}

export function createZoneSnapshots(deps: ZoneSnapshotsDeps) {
  const { folder, minRecords, maxOps, storage, table, publication, incomplete, clock, log } = deps
  const { endSignal = () => AbortSignal.timeout(MAX_END_MILLIS) } = deps
  let newest = deps.read?.position
  let triedAtMillis = newest === undefined ? -Infinity : clock.now()
  let tookMillis = 0
  return { writeIfDue, writeAtEnd }

  /** Writes a snapshot if many changes are not in the newest one, or some for long. Never throws. */
  async function writeIfDue(signal?: AbortSignal): Promise<void> {
    const sinceMillis = clock.now() - triedAtMillis
    if (sinceMillis < tookMillis * MIN_PAUSES) return
    if (await isWorthIt(sinceMillis < INTERVAL_MILLIS)) await write(signal)
  }

  /**
   * Writes a snapshot before the program ends if its next start would take longer without it. With very many zones
   * there is not enough time: then an older one stays, if there is one.
   */
  async function writeAtEnd(): Promise<void> {
    if (await isWorthIt(true)) await write(endSignal())
  }

  async function isWorthIt(isOnlyIfMany: boolean): Promise<boolean> {
    const last = await lastLogged(storage)
    if (last === undefined || last.position === newest) return false
    if (table.statistics().records < minRecords) return false
    if (newest === undefined || !isOnlyIfMany) return true
    return (await countOpsAfter(storage, newest, maxOps)) >= maxOps
  }

  async function write(signal?: AbortSignal): Promise<void> {
    triedAtMillis = clock.now()
    const release = table.hold()
    try {
      const captured = await capture()
      if (captured === undefined) return
      const { place } = captured
      const zones = await writeFile(captured, signal)
      newest = place.position
      await removeOthers(snapshotName(place.position))
      log.info({ position: place.position, zones }, 'snapshot written')
    } catch (failure) {
      if (signal !== undefined && failure === signal.reason)
        log.info({ folder }, 'snapshot not finished before the end')
      else log.warn({ err: failure, folder }, 'snapshot not written')
    } finally {
      release()
      tookMillis = clock.now() - triedAtMillis
    }
  }

  /** All zones at one place of the log: in a commit hook, memory contains the changes before it, and no others. */
  async function capture(): Promise<Captured | undefined> {
    let zones: Iterable<CapturedZone> = []
    let left: ReadonlySet<string> = new Set()
    const place = await storage.write(async (tx) => {
      tx.onCommit(() => {
        zones = publication.capture()
        left = incomplete()
      })
      return lastLogged(tx)
    })
    return place && { place, zones, left }
  }

  /** Returns how many zones were written. */
  async function writeFile(
    { place, zones, left }: Captured,
    signal: AbortSignal | undefined,
  ): Promise<number> {
    const writer = await writeSnapshotFile(join(folder, snapshotName(place.position)))
    const yieldIfDue = createYieldIfDue()
    const pause = async (): Promise<void> => {
      await yieldIfDue()
      signal?.throwIfAborted()
    }
    try {
      const { hashKey } = table
      const { program } = deps
      const head = { format: SNAPSHOT_FORMAT, imageFormat: IMAGE_FORMAT, program, place, hashKey }
      await writer.json(head satisfies SnapshotHead)
      let written = 0
      for (const some of chunksOf(zones, ZONES_IN_A_FRAME)) {
        const whole = some.filter(({ zoneId }) => !left.has(zoneId))
        await writer.json({ zoneIds: whole.map(({ zoneId }) => zoneId) } satisfies UpcomingZones)
        for (const zone of whole) await writeZone(writer, zone, pause)
        written += whole.length
      }
      signal?.throwIfAborted()
      await writer.finish()
      return written
    } finally {
      await writer.abandon()
    }
  }

  async function removeOthers(newestName: string): Promise<void> {
    for (const name of await readdir(folder))
      if (name !== newestName && positionInName(name) !== undefined)
        await rm(join(folder, name), { force: true })
  }
}

async function writeZone(
  writer: SnapshotWriter,
  { zoneId, apex, settings, special, image }: CapturedZone,
  pause: () => Promise<void>,
): Promise<void> {
  const { names, records, own } = image()
  const { counts, blocks } = names
  const specialFrames = Math.ceil(special.length / RECORDS_IN_A_FRAME)
  const about = { zoneId, apex, settings, records, own: own.map(toRecordFrame), specialFrames, counts }
  await writer.json(about)
  for (const chunk of chunksOf(special, RECORDS_IN_A_FRAME)) {
    await writer.json(chunk.map(toRecordFrame))
    await pause()
  }
  for (;;) {
    const step = blocks.next()
    if (step.done === true) return writer.json({ root: step.value })
    if (step.value !== undefined) await writer.octets(step.value)
    await pause()
  }
}
