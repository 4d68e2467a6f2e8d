// The JSON of a record, how it is stored, and its checksum.
import type { DnsRecord } from './dns-record.ts'
import { shownTime } from './record-time.ts'
import { checksum, type Database, textChecksum, throwDamagedRow } from '@zonereeve/storage'

/** Members of every record that has neither a comment nor tags, as the schema has them. */
const META =
  ',"meta":{"auto_added":false,"managed_by_apps":false,"managed_by_service_tunnel":false,"source":"primary"},"comment":null,"tags":[]'

/**
 * The part of a record's JSON that its columns do not have: `RECORD_JSON` makes the JSON of both.
 * The whole JSON if it has an unusual form. @param settings as JSON
 */
export function shortBody(record: DnsRecord, settings: string, body: string): string {
  const { id, zoneName, name, type, content, proxied, ttl } = record
  const isInZone = name.endsWith(zoneName)
  if (isInZone && hasNoExtras(record, settings, body)) return record.proxiable ? 'p' : 'n'
  const start = `{"id":"${id}${placeOf(record)}${name}","type":"${type}","content":`
  const end = endOf(record)
  if (!isInZone || !body.startsWith(start) || !body.endsWith(end)) return body
  const middle = body.slice(start.length, body.length - end.length)
  const value = `"${content.replaceAll('"', '\\"')}"`
  const options = `,"proxied":${proxied},"ttl":${ttl},"locked":false,"settings":${settings}`
  for (const [mark, proxiable] of PROXIABLE_MARKS) {
    const rest = `,"proxiable":${proxiable}${options}`
    if (middle.startsWith(value) && middle.endsWith(rest) && middle.length >= value.length + rest.length)
      return `${mark}${middle.slice(value.length, middle.length - rest.length)}`
  }
  return `m${middle}`
}

/**
 * Whether the JSON of the record has nothing besides what all records have. Most are: the text is not made again for
 * them, because then what is left to differ is its length, where a character is escaped.
 */
function hasNoExtras(record: DnsRecord, settings: string, body: string): boolean {
  const { id, name, type, content, comment, tags, data, priority } = record
  if (comment !== null || tags.length > 0 || data !== undefined || priority !== undefined) return false
  if (type === 'OPENPGPKEY') return false // its comment is "", not null
  const own = id.length + name.length + type.length + content.length
  return body.length === PLAIN_OCTETS + own + placeOf(record).length + restOf(record, settings).length
}

/** Of the text of such a record, besides its members, its place and its rest. */
const PLAIN_OCTETS = '{"id":"'.length + '","type":"'.length + '","content":"'.length + '"'.length

// The records of one change have the same zone and times, and mostly the same options: joining a string of many parts
// takes longer than looking for it here.
let lastPlace = { zoneId: '', zoneName: '', text: '' }
let lastEnd = { createdOn: '', modifiedOn: '', text: '' }
const NO_REST = { proxied: false, ttl: -1, settings: '', end: '', text: '' }
/** Of records that can be proxied, and of others. */
const lastRests = { p: NO_REST, n: NO_REST }

function placeOf({ zoneId, zoneName }: Pick<DnsRecord, 'zoneId' | 'zoneName'>): string {
  if (zoneId !== lastPlace.zoneId || zoneName !== lastPlace.zoneName)
    lastPlace = { zoneId, zoneName, text: `","zone_id":"${zoneId}","zone_name":"${zoneName}","name":"` }
  return lastPlace.text
}

function endOf({ createdOn, modifiedOn }: Pick<DnsRecord, 'createdOn' | 'modifiedOn'>): string {
  if (createdOn !== lastEnd.createdOn || modifiedOn !== lastEnd.modifiedOn) {
    const text = `${META},"created_on":"${shownTime(createdOn)}","modified_on":"${shownTime(modifiedOn)}"}`
    lastEnd = { createdOn, modifiedOn, text }
  }
  return lastEnd.text
}

/** What comes after the content of a record with nothing besides. */
function restOf(record: DnsRecord, settings: string): string {
  const { proxiable, proxied, ttl } = record
  const end = endOf(record)
  const mark = proxiable ? 'p' : 'n'
  const last = lastRests[mark]
  if (last.proxied === proxied && last.ttl === ttl && last.settings === settings && last.end === end)
    return last.text
  const options = `"proxiable":${proxiable},"proxied":${proxied},"ttl":${ttl},"locked":false`
  const text = `,${options},"settings":${settings}${end}`
  lastRests[mark] = { proxied, ttl, settings, end, text }
  return text
}

const PROXIABLE_MARKS = [
  ['p', true],
  ['n', false],
] as const

/** A row, and the JSON that was made of it when it was read. */
export type RecordRow = Database['dns_records'] & { readonly body: string }

type BodyRow = Pick<RecordRow, 'id' | 'body' | 'body_checksum'>

/** Whether the body is as written. A row without a checksum was written by hand; its body must be JSON. */
export const isWholeBody = ({ id, body, body_checksum: sum }: BodyRow): boolean =>
  sum === null ? isObject(body) : sum === checksum(id, body)

/** {@link isWholeBody} for a body in UTF-8: several times as fast, without a call from the database for each row. */
export const isWholeText = (id: string, body: Uint8Array, sum: number | null): boolean =>
  sum === null ? isObject(Buffer.from(body).toString()) : sum === textChecksum(id, body)

/** @throws DomainError: storage.damaged. */
export function requireWholeBody(row: BodyRow): void {
  if (!isWholeBody(row)) throwDamagedRecord(row.id)
}

export function throwDamagedRecord(id: string): never {
  throwDamagedRow(`record ${id}`, 'overwrite or delete the record')
}

/** Whether the text is a JSON object. */
export function isObject(text: string): boolean {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null
  } catch {
    return false
  }
}
