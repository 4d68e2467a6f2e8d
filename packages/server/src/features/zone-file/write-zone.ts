// A zone as a zone file: in one state, however long the reading takes, and without holding up anybody.
import {
  compareSections,
  encodeRdata,
  recordLine,
  recordTypeByName,
  sectionHead,
  zoneFileHeader,
  type Name,
  type ZoneFileRecord,
} from '@zonereeve/dns'
import type { Clock } from '../../platform/clock.ts'
import { pause } from '../../platform/pause.ts'
import type { Reader, Storage } from '../../storage/index.ts'
import { pageOfType, typesOf, type StoredRow } from '../dns-records/index.ts'
import { servingSettingsOf } from '../dns-settings/index.ts'
import { apexOf, demandZone, type Zone } from '../zones/index.ts'
import { fileRecordOf } from './zone-file.rules.ts'

/** Records in one piece of text. */
const ROWS_AT_ONCE = 1_000
/** How often a zone that changes meanwhile is read anew before its writers have to wait. */
const MAX_ATTEMPTS = 3

/**
 * The pieces of the file, each let go when it is taken.
 *
 * @throws DomainError: zone.unknown.
 */
export async function writeZone(storage: Storage, clock: Clock, zoneId: string): Promise<Iterable<string>> {
  for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt += 1) {
    const zone = await demandZone(storage, zoneId)
    const pieces = await piecesOf(storage, zone, clock)
    if ((await demandZone(storage, zoneId)).serial === zone.serial) return taken(pieces)
  }
  return taken(await storage.write(async (tx) => piecesOf(tx, await demandZone(tx, zoneId), clock)))
}

async function piecesOf(db: Reader, zone: Zone, clock: Clock): Promise<string[]> {
  const exportedAt = clock.timestamp().slice(0, 19).replace('T', ' ')
  const own = await apexRecords(db, zone)
  const pieces = [textOf(zoneFileHeader({ domain: zone.name, exportedAt }))]
  const stored = await typesOf(db, zone.id)
  for (const type of [...new Set(['SOA', 'NS', ...stored])].toSorted(compareSections)) {
    pieces.push(textOf([...sectionHead(type), ...(own.get(type) ?? []).map(recordLine)]))
    let page: StoredRow[] = []
    do {
      page = await pageOfType(db, zone.id, type, page.at(-1), ROWS_AT_ONCE)
      pieces.push(textOf(page.map((row) => recordLine(fileRecordOf(row)))))
      await pause()
    } while (page.length === ROWS_AT_ONCE)
  }
  return pieces
}

const textOf = (lines: readonly string[]): string => lines.map((line) => `${line}\n`).join('')

/** What the zone has of itself, by type. */
async function apexRecords(
  db: Reader,
  zone: Zone,
): Promise<ReadonlyMap<string, readonly Omit<ZoneFileRecord, 'line'>[]>> {
  const { soa, soaTtlSeconds, nameServers, nsTtlSeconds } = apexOf(zone, await servingSettingsOf(db, zone))
  const record = (type: 'SOA' | 'NS', ttlSeconds: number, rdata: Uint8Array) => ({
    name: zone.name,
    ttlSeconds,
    type: recordTypeByName(type).code,
    rdata,
    attributes: { comment: '', tags: [] },
  })
  const targets = nameServers.map((target) => encodeRdata('NS', { target: target as Name })) // checked host names
  return new Map([
    ['SOA', [record('SOA', soaTtlSeconds, encodeRdata('SOA', soa))]],
    ['NS', targets.map((rdata) => record('NS', nsTtlSeconds, rdata))],
  ])
}

function* taken(pieces: string[]): Generator<string> {
  pieces.reverse()
  for (let piece = pieces.pop(); piece !== undefined; piece = pieces.pop()) if (piece !== '') yield piece
}
