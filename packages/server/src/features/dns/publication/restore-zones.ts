// Zones from a snapshot at the start, with the changes since then replayed from the log.
import { changesAfter, countRange, historyFloor } from '../../changes/index.ts'
import { fromRecordText, readLoggedDelta } from '../dns-records/index.ts'
import { findZone, findZones, type PublicationSettings, type Zone } from '../../zones/index.ts'
import { createYieldIfDue } from '@zonereeve/cooperate'
import type { Log } from '@zonereeve/platform'
import type { Reader, RecordsDelta } from '@zonereeve/storage'
import type { ServedZone } from './live-zone.ts'
import type { ZoneSnapshot } from './open-snapshot.ts'
import type { Publication } from './publication.ts'
import { isSameRules, type SavedZone } from './saved-zone.ts'

/** Of one zone: with more, reading its records takes less time. */
const MAX_REPLAYED_OPS = 50_000
/** Of one zone. */
const MAX_REPLAYED_CHANGES = 5_000
/** Of all zones. */
const MAX_CHANGES = 100_000
const CHUNK = 1_000

export interface RestoreZonesDeps {
  readonly snapshot: ZoneSnapshot
  readonly publication: Pick<Publication, 'loading'>
  readonly isPublished: (zoneId: string) => boolean
  readonly storage: Reader
  readonly log: Log
  readonly toPublished: (zone: Zone, settings: PublicationSettings) => ServedZone
  readonly settingsOf: (zone: Zone) => PublicationSettings
  readonly replay: (zone: Zone, delta: RecordsDelta) => void | Promise<void>
}

/** Publishes zones. Returns the IDs of those that are not as stored: these must be read, as all that are not published. */
export async function restoreZones(deps: RestoreZonesDeps): Promise<ReadonlySet<string>> {
  const { snapshot, publication, storage, log } = deps
  const lost = new Set<string>()
  const changed = await changesSince(storage, snapshot.place.position)
  if (changed === undefined) return lost
  const loads = publication.loading()
  let restored = 0
  let known: ReadonlyMap<string, Zone> = new Map()
  // Objects of zones that were let go are only collected between turns: without one, all of them stay.
  const yieldIfDue = createYieldIfDue()
  for (const saved of snapshot.zones()) {
    await yieldIfDue()
    if ('zoneIds' in saved) {
      known = await findZones(storage, saved.zoneIds)
      continue
    }
    const zone = await usableZone(saved, known.get(saved.zoneId), changed.get(saved.zoneId), deps)
    if (zone === undefined) continue
    restored += 1
    loads.load([{ zone, records: [], saved }], (_, failure) => {
      lost.add(saved.zoneId) // perhaps loaded in part
      log.warn({ err: failure, zoneId: saved.zoneId }, 'zone not restored from the snapshot')
    })
  }
  loads.end()
  for (const [zoneId, changes] of changed) {
    const zone = deps.isPublished(zoneId) ? await findZone(storage, zoneId) : undefined
    if (zone === undefined) continue
    try {
      for (const { number } of changes) await replayChange(zone, number, deps)
    } catch (failure) {
      lost.add(zoneId)
      log.warn({ err: failure, zoneId }, 'changes since the snapshot not replayed')
    }
  }
  restored -= lost.size
  log.info({ position: snapshot.place.position, zones: restored }, 'zones restored from a snapshot')
  return lost
}

/** The zone as it is to be served with the saved names; undefined if they cannot be used. */
async function usableZone(
  { apex, settings }: SavedZone,
  zone: Zone | undefined,
  changes: readonly LaterChange[] | undefined,
  deps: RestoreZonesDeps,
): Promise<ServedZone | undefined> {
  if (zone === undefined || !(await isReplayable(deps.storage, changes))) return undefined
  const served = servedAs(zone, deps)
  return served?.apex === apex && isSameRules(served.settings, settings) ? served : undefined
}

/** Undefined if its settings cannot be read. */
function servedAs(zone: Zone, { toPublished, settingsOf }: RestoreZonesDeps): ServedZone | undefined {
  try {
    return toPublished(zone, settingsOf(zone))
  } catch {
    return undefined // reading the zone will report it
  }
}

type LaterChange = Awaited<ReturnType<typeof changesAfter>>[number]

/** Change sets after a position of the log, by scope, oldest first; undefined if there are too many. */
async function changesSince(
  storage: Reader,
  position: number,
): Promise<ReadonlyMap<string, readonly LaterChange[]> | undefined> {
  const changes = new Map<string, LaterChange[]>()
  let reached = position
  for (let read = 0; read < MAX_CHANGES; read += CHUNK) {
    const chunk = await changesAfter(storage, reached, CHUNK)
    for (const change of chunk) {
      const own = changes.get(change.scopeId)
      if (own === undefined) changes.set(change.scopeId, [change])
      else own.push(change)
      reached = change.position
    }
    if (chunk.length < CHUNK) return changes
  }
  return undefined
}

/** Whether the log still has all operations of these changes, and not too many. */
async function isReplayable(storage: Reader, changes: readonly LaterChange[] | undefined): Promise<boolean> {
  const first = changes?.[0]
  const last = changes?.at(-1)
  if (changes === undefined || first === undefined || last === undefined) return true
  if (changes.length > MAX_REPLAYED_CHANGES) return false
  const floor = await historyFloor(storage, first.scopeId)
  if (floor > first.number) return false
  const range = { scopeId: first.scopeId, after: first.number - 1, last: last.number }
  return (await countRange(storage, range, MAX_REPLAYED_OPS)).operations < MAX_REPLAYED_OPS
}

async function replayChange(
  zone: Zone,
  number: number,
  { storage, replay }: RestoreZonesDeps,
): Promise<void> {
  const delta = await readLoggedDelta(storage, zone, { number }, fromRecordText)
  if (delta.isRepair) throw new Error(`change ${number} repaired a damaged record`)
  await replay(zone, delta)
}
