// Records between zone files and the API: what a line asks for, what is passed over, and how a record is written.
import {
  decodeRdata,
  recordTypeByName,
  typeCode,
  type Name,
  type RecordAttributes,
  type ZoneFileError,
  type ZoneFileRecord,
} from '@zonereeve/dns'
import type { Issue } from '../../platform/domain-error.ts'
import { shownRdata, type RecordInput, type StoredRow } from '../dns-records/index.ts'

/** Where the line is that an issue is about: the first of its entry, from 1. */
export const linePointer = (line: number): string => `/file/${line}`

/** What cannot be read in a file. */
export function lineIssue({ line, message }: ZoneFileError): Issue {
  return { reason: 'zone_file.line', pointer: linePointer(line), values: { problem: message } }
}

/** The record that a line asks for; what it does not say is undefined. */
export function inputOf({ name, ttlSeconds, type, rdata, attributes }: ZoneFileRecord): RecordInput {
  const { comment, tags, proxied } = attributes
  const shown = shownRdata(type, rdata)
  return {
    type: shown.type,
    // With a dot: a name outside the zone is a mistake, not a name below it.
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
  }
}

/** Options by their wire names, and the flags that stand for them behind records. */
const OPTIONS = [
  ['flatten_cname', 'flattenCname'],
  ['ipv4_only', 'ipv4Only'],
  ['ipv6_only', 'ipv6Only'],
] as const

function settingsOf(attributes: RecordAttributes): Readonly<Record<string, boolean>> | undefined {
  const said = OPTIONS.filter(([, flag]) => attributes[flag] === true)
  return said.length === 0 ? undefined : Object.fromEntries(said.map(([option]) => [option, true]))
}

const SOA = recordTypeByName('SOA').code
const NS = recordTypeByName('NS').code

/** True of what the zone has of itself: its SOA, and its own name servers. */
export function isOwn(record: ZoneFileRecord, apex: Name, nameServers: readonly string[]): boolean {
  if (record.name !== apex) return false
  if (record.type === SOA) return true
  return record.type === NS && nameServers.includes(decodeRdata('NS', record.rdata).target)
}

/** The types whose records can be proxied: of these, a file says whether they are. */
const PROXIABLE = new Set(['A', 'AAAA', 'CNAME'])

/** A stored record as a zone file has it. */
export function fileRecordOf(row: StoredRow): Omit<ZoneFileRecord, 'line'> {
  const { name, type, ttl, rdata, proxied, settings, comment } = row
  const flags = OPTIONS.filter(([option]) => settings[option] === true).map(([, flag]) => [flag, true])
  return {
    name,
    ttlSeconds: ttl,
    type: typeCode(type) ?? 0,
    rdata,
    attributes: {
      comment: comment ?? '',
      tags: row.hasTags ? tagsOf(row.body) : [],
      ...(PROXIABLE.has(type) ? { proxied } : {}),
      ...Object.fromEntries(flags),
    },
  }
}

/** Tags are stored in the record's text alone. */
function tagsOf(body: string): readonly string[] {
  return (JSON.parse(body) as { readonly tags: readonly string[] }).tags // written with the record
}
