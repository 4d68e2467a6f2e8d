// Writes a zone as a zone file: a consistent read, however long it takes, without blocking anyone.
import {
  compareSections,
  encodeRdata,
  recordLine,
  recordTypeByName,
  sectionHead,
  typeText,
  zoneFileHeader,
  type Name,
  type ZoneFileRecord,
  requireTypeCode,
} from '@zonereeve/dns'
import type { Clock } from '@zonereeve/platform'
import { CHUNK_SIZE, yieldNow } from '@zonereeve/cooperate'
import type { Reader, Storage } from '@zonereeve/storage'
import {
  pageOfType,
  rowsAt,
  servedTtlSeconds,
  SIGNER_TYPES,
  typesOf,
  type StoredRow,
} from '../dns-records/index.ts'
import { publicationSettingsOf } from '../dns-settings/index.ts'
import { apexOf, requireZone, type Zone } from '../../zones/index.ts'
import { fileRecordOf } from './zone-file.rules.ts'

type FileRecord = Omit<ZoneFileRecord, 'line'>

const NS = 2
/** How often a zone that changes meanwhile is read again before its writers have to wait. */
const MAX_ATTEMPTS = 3

/**
 * Yields the chunks of the file; each is released after it is taken.
 *
 * @throws DomainError: zone.unknown.
 */
export async function writeZone(
  storage: Storage,
  clock: Clock,
  zoneId: string,
  signal: AbortSignal,
): Promise<Iterable<string>> {
  for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt += 1) {
    const zone = await requireZone(storage, zoneId)
    const chunks = await zoneChunks(storage, zone, clock, signal)
    if ((await requireZone(storage, zoneId)).serial === zone.serial) return drain(chunks)
  }
  return drain(
    await storage.write(async (tx) => zoneChunks(tx, await requireZone(tx, zoneId), clock, signal)),
  )
}

async function zoneChunks(db: Reader, zone: Zone, clock: Clock, signal: AbortSignal): Promise<string[]> {
  const exportedAt = clock.timestamp().slice(0, 19).replace('T', ' ')
  const apex = await apexRecords(db, zone)
  const nsTtl = await apexNsTtl(db, zone, apex.nsTtlSeconds)
  const chunks = [textOf(zoneFileHeader({ domain: zone.name, exportedAt }))]
  const stored = (await typesOf(db, zone.id)).filter((type) => !SIGNER_TYPES.includes(type))
  // The zone's own name servers and stored NS records are one rrset, which has one TTL (RFC 2181 §5.2).
  const lineOf = (record: FileRecord) =>
    recordLine(record.name === zone.name && record.type === NS ? { ...record, ttlSeconds: nsTtl } : record)
  const byMnemonic = (a: string, b: string) => compareSections(mnemonicOf(a), mnemonicOf(b))
  for (const type of [...new Set(['SOA', 'NS', ...stored])].toSorted(byMnemonic)) {
    const own = type === 'SOA' || type === 'NS' ? apex[type] : []
    chunks.push(textOf([...sectionHead(mnemonicOf(type)), ...own.map(lineOf)]))
    let page: StoredRow[] = []
    do {
      page = await pageOfType(db, zone.id, type, page.at(-1), CHUNK_SIZE)
      chunks.push(textOf(page.map((row) => lineOf(fileRecordOf(row)))))
      await yieldNow()
      signal.throwIfAborted()
    } while (page.length === CHUNK_SIZE)
  }
  return chunks
}

/** The lowest TTL of the name servers at the apex, as published; automatic if that is a stored record's. */
async function apexNsTtl(db: Reader, zone: Zone, ownTtlSeconds: number): Promise<number> {
  const stored = (await rowsAt(db, zone.id, [zone.name])).filter(({ type }) => type === 'NS')
  return stored.reduce((a, { ttl: b }) => (servedTtlSeconds(b) < servedTtlSeconds(a) ? b : a), ownTtlSeconds)
}

/** The mnemonic of a type in zone files; the API may not have one. */
const mnemonicOf = (type: string): string => typeText(requireTypeCode(type))

const textOf = (lines: readonly string[]): string => lines.map((line) => `${line}\n`).join('')

interface ApexRecords {
  readonly SOA: readonly FileRecord[]
  readonly NS: readonly FileRecord[]
  readonly nsTtlSeconds: number
}

/** The records that every zone has by itself, by type. */
async function apexRecords(db: Reader, zone: Zone): Promise<ApexRecords> {
  const { soa, soaTtlSeconds, nameServers, nsTtlSeconds } = apexOf(
    zone,
    await publicationSettingsOf(db, zone),
  )
  const record = (type: 'SOA' | 'NS', ttlSeconds: number, rdata: Uint8Array) => ({
    name: zone.name,
    ttlSeconds,
    type: recordTypeByName(type).code,
    rdata,
    attributes: { comment: '', tags: [] },
  })
  const targets = nameServers.map((target) => encodeRdata('NS', { target: target as Name })) // checked host names
  return {
    SOA: [record('SOA', soaTtlSeconds, encodeRdata('SOA', soa))],
    NS: targets.map((rdata) => record('NS', nsTtlSeconds, rdata)),
    nsTtlSeconds,
  }
}

function* drain(chunks: string[]): Generator<string> {
  chunks.reverse()
  for (let chunk = chunks.pop(); chunk !== undefined; chunk = chunks.pop()) if (chunk !== '') yield chunk
}
