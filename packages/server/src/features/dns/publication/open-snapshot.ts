// Reads a snapshot of the zones in memory at the start. What is not in it, or not as it was written, is read from the
// database.
import { readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import {
  type Frame,
  type HashKey,
  IMAGE_FORMAT,
  type ImageBlocks,
  SnapshotDamagedError,
  SnapshotReader,
  UNFINISHED,
} from '@zonereeve/nameserver'
import { loggedAt } from '../../changes/index.ts'
import type { Log } from '@zonereeve/platform'
import type { Reader } from '@zonereeve/storage'
import type { SavedZone } from './saved-zone.ts'
import {
  fromRecordFrame,
  type LogPlace,
  positionInName,
  type RootFrame,
  SNAPSHOT_FORMAT,
  type SnapshotHead,
  type UpcomingZones,
  type ZoneFrame,
} from './snapshot-format.ts'

export interface ZoneSnapshot {
  readonly place: LogPlace
  readonly hashKey: HashKey
  /** Its zones, each to be used before the next one; before some of them their IDs. Ends early at damage. */
  zones(): Generator<SavedZone | UpcomingZones, void, void>
  /** Whether damage was found so far. */
  readonly isDamaged: boolean
  close(): void
}

export interface OpenSnapshotDeps {
  readonly folder: string
  readonly program: string
  readonly storage: Reader
  readonly log: Log
}

/** Opens the newest snapshot of this database, and removes files that were not finished. */
export async function openZoneSnapshot({
  folder,
  program,
  storage,
  log,
}: OpenSnapshotDeps): Promise<ZoneSnapshot | undefined> {
  for (const file of snapshotFiles(folder, log)) {
    let reader: SnapshotReader | undefined
    try {
      reader = new SnapshotReader(join(folder, file))
      const head = jsonOf(reader.next()) as Partial<SnapshotHead> // its checksum says that this program has written it
      const { place, hashKey } = head
      const isSameProgram = head.format === SNAPSHOT_FORMAT && head.program === program
      const isReadable = isSameProgram && head.imageFormat === IMAGE_FORMAT
      if (isReadable && place !== undefined && hashKey !== undefined && (await isOf(storage, place)))
        return snapshotOf(reader, { place, hashKey, file, log })
      log.info({ file }, 'snapshot of another version or database not used')
    } catch (failure) {
      log.warn({ err: failure, file }, 'snapshot not used')
    }
    reader?.close()
  }
  return undefined
}

/** The newest first. */
function snapshotFiles(folder: string, log: Log): readonly string[] {
  try {
    const names = readdirSync(folder)
    for (const name of names)
      if (name.endsWith(UNFINISHED) && positionInName(name.slice(0, -UNFINISHED.length)) !== undefined)
        removeUnfinished(join(folder, name))
    return names
      .flatMap((name) => {
        const position = positionInName(name)
        return position === undefined ? [] : [{ name, position }]
      })
      .toSorted((a, b) => b.position - a.position)
      .map(({ name }) => name)
  } catch (failure) {
    log.warn({ err: failure, folder }, 'snapshots not listed')
    return []
  }
}

function removeUnfinished(path: string): void {
  try {
    rmSync(path, { force: true })
  } catch {
    // On a disk that cannot be written to it does no harm.
  }
}

/** Whether the log has this change at this place. */
async function isOf(storage: Reader, { position, scopeId, number, at }: LogPlace): Promise<boolean> {
  const logged = await loggedAt(storage, position)
  return logged?.scopeId === scopeId && logged.number === number && logged.at === at
}

interface Opened {
  readonly place: LogPlace
  readonly hashKey: HashKey
  readonly file: string
  readonly log: Log
}

function snapshotOf(reader: SnapshotReader, { place, hashKey, file, log }: Opened): ZoneSnapshot {
  /** Whether the root of the zone that was begun last has been read. */
  let isWhole = true
  let isDamaged = false
  return {
    place,
    hashKey,
    zones,
    get isDamaged() {
      return isDamaged
    },
    close: () => reader.close(),
  }

  function* zones(): Generator<SavedZone | UpcomingZones, void, void> {
    try {
      for (let frame = next(); frame !== undefined; frame = next()) {
        const about = jsonOf(frame) as ZoneFrame | UpcomingZones // as written
        yield 'zoneIds' in about ? about : readZone(about)
        while (!isWhole && !isDamaged) isWhole = 'json' in requireFrame(next())
        if (isDamaged) return
      }
    } catch (failure) {
      if (!(failure instanceof SnapshotDamagedError)) throw failure
    }
  }

  function next(): Frame | undefined {
    try {
      return reader.next()
    } catch (failure) {
      isDamaged = true
      log.warn({ err: failure, file }, 'snapshot damaged: the other zones are read from the database')
      throw failure
    }
  }

  function readZone({ zoneId, apex, settings, records, own, specialFrames, counts }: ZoneFrame): SavedZone {
    isWhole = false
    const special = Array.from({ length: specialFrames }, () => jsonOf(next()) as ZoneFrame['own']) // as written
    return {
      zoneId,
      apex,
      settings,
      special: special.flat().map(fromRecordFrame),
      image: { names: { counts, blocks: blocks() }, records, own: own.map(fromRecordFrame) },
    }
  }

  function* blocks(): ImageBlocks {
    for (;;) {
      const frame = requireFrame(next())
      if ('octets' in frame) yield frame.octets
      else {
        isWhole = true
        return (frame.json as RootFrame).root // as written
      }
    }
  }
}

function requireFrame(frame: Frame | undefined): Frame {
  if (frame === undefined) throw new SnapshotDamagedError('the file ends within a zone')
  return frame
}

function jsonOf(frame: Frame | undefined): unknown {
  const whole = requireFrame(frame)
  if (!('json' in whole)) throw new SnapshotDamagedError('a frame is not JSON')
  return whole.json
}
