// Records between zone files and the API: reading a line, skipping it, and writing a record.
import {
  decodeRdata,
  recordTypeByName,
  type Name,
  type RecordAttributes,
  type ZoneFileError,
  type ZoneFileRecord,
  requireTypeCode,
} from '@zonereeve/dns'
import type { Issue, Notice } from '@zonereeve/platform'
import { MAX_TTL_SECONDS, shownRdata, type RecordInput, type StoredRow } from '../dns-records/index.ts'

/** Pointer to the line of an issue: the first line of its entry, from 1. */
export const linePointer = (line: number): string => `/file/${line}`

/** The issue for an entry that cannot be parsed. */
export function lineIssue({ line, message }: Pick<ZoneFileError, 'line' | 'message'>): Issue {
  return { reason: 'zone_file.line', pointer: linePointer(line), values: { problem: message } }
}

/** Maps items lazily on each iteration, so that a million results are never held in memory. */
export function mapLazily<Item, Other>(items: Iterable<Item>, map: (item: Item) => Other): Iterable<Other> {
  return {
    *[Symbol.iterator]() {
      for (const item of items) yield map(item)
    },
  }
}

/** Lowers TTLs above the maximum. Returns the records, and a notice for each that was lowered. */
export function withLowerTtls(records: Iterable<ZoneFileRecord>): {
  readonly records: Iterable<ZoneFileRecord>
  readonly notices: readonly Notice[]
} {
  const isHigh = ({ ttlSeconds }: ZoneFileRecord): boolean => ttlSeconds > MAX_TTL_SECONDS
  const notices: Notice[] = []
  for (const record of records) {
    const { line, name, ttlSeconds: ttl } = record
    const values = { line, name, ttl, maximum: MAX_TTL_SECONDS }
    if (isHigh(record)) notices.push({ notice: 'zone_file.ttl_lowered', values })
  }
  const lowered = mapLazily(records, (record) =>
    isHigh(record) ? { ...record, ttlSeconds: MAX_TTL_SECONDS } : record,
  )
  return { records: lowered, notices }
}

/** The input of a line; undefined where the line gives no value. */
export function inputOf({ name, ttlSeconds, type, rdata, attributes }: ZoneFileRecord): RecordInput {
  const { comment, tags, proxied } = attributes
  const shown = shownRdata(type, rdata)
  return {
    type: shown.type,
    // With a trailing dot: a name outside the zone is an error, not a name below it.
    name: `${name}.`,
    content: shown.content,
    priority: shown.priority,
    data: undefined,
    ttl: ttlSeconds,
    proxied,
    settings: settingsOf(attributes),
    comment: comment === '' ? undefined : comment,
    tags: tags.length === 0 ? undefined : tags,
    privateRouting: undefined,
    decoded: { name, rdata, value: shown.value },
  }
}

/** Options by their wire names, and their flags after records. */
const OPTIONS = [
  ['flatten_cname', 'flattenCname'],
  ['ipv4_only', 'ipv4Only'],
  ['ipv6_only', 'ipv6Only'],
] as const

function settingsOf(attributes: RecordAttributes): Readonly<Record<string, boolean>> | undefined {
  const setFlags = OPTIONS.filter(([, flag]) => attributes[flag] === true)
  return setFlags.length === 0 ? undefined : Object.fromEntries(setFlags.map(([option]) => [option, true]))
}

const SOA = recordTypeByName('SOA').code
const NS = recordTypeByName('NS').code

/** True for records that every zone has by itself: its SOA, and its own name servers. */
export function isOwn(record: ZoneFileRecord, apex: Name, nameServers: readonly string[]): boolean {
  if (record.name !== apex) return false
  if (record.type === SOA) return true
  return record.type === NS && nameServers.includes(decodeRdata('NS', record.rdata).target)
}

/** Types whose records can be proxied; a file states `proxied` only for these. */
const PROXIABLE = new Set(['A', 'AAAA', 'CNAME'])

/** Converts a stored record to its zone-file form. */
export function fileRecordOf(row: StoredRow): Omit<ZoneFileRecord, 'line'> {
  const { name, type, ttl, rdata, proxied, settings, comment } = row
  const flags = OPTIONS.filter(([option]) => settings[option] === true).map(([, flag]) => [flag, true])
  return {
    name,
    ttlSeconds: ttl,
    type: requireTypeCode(type),
    rdata,
    attributes: {
      comment: comment ?? '', // a line without a comment
      tags: row.hasTags ? tagsOf(row.body) : [],
      ...(PROXIABLE.has(type) ? { proxied } : {}),
      ...Object.fromEntries(flags),
    },
  }
}

/** Tags are stored only in the record's text. */
function tagsOf(body: string): readonly string[] {
  return (JSON.parse(body) as { readonly tags: readonly string[] }).tags // written with the record
}
