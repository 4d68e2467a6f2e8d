// Writes zone files: grouped by type, separated by tabs, every name complete, attributes after each record.

import { ROOT } from '../name.ts'
import type { Name } from '../name.ts'
import { rdataTextByCode } from '../rdata.ts'
import { typeText } from '../type-code.ts'
import { attributesText } from './attributes.ts'
import type { ZoneFileRecord } from './read-zone-file.ts'

/** The header above the records. */
export interface ZoneFileHeader {
  readonly domain: Name
  /** `YYYY-MM-DD hh:mm:ss`. */
  readonly exportedAt: string
}

/** SOA and NS first, then by name of the type. */
const FIRST_TYPES = ['SOA', 'NS']

/** The lines of the file, without line ends. Only references to the records are kept. */
export function* writeZoneFile(
  records: Iterable<Omit<ZoneFileRecord, 'line'>>,
  header: ZoneFileHeader,
): Generator<string> {
  yield* zoneFileHeader(header)
  const byType = new Map<string, Omit<ZoneFileRecord, 'line'>[]>()
  for (const record of records) {
    const type = typeText(record.type)
    const group = byType.get(type)
    if (group === undefined) byType.set(type, [record])
    else group.push(record)
  }
  for (const [type, group] of [...byType].toSorted(([a], [b]) => compareSections(a, b))) {
    yield* sectionHead(type)
    for (const record of group) yield recordLine(record)
  }
}

/** One record, without a line end. */
export function recordLine({
  name,
  ttlSeconds,
  type,
  rdata,
  attributes,
}: Omit<ZoneFileRecord, 'line'>): string {
  const owner = name === ROOT ? name : `${name}.`
  const comment = attributesText(attributes).replaceAll(/[\r\n]/g, ' ')
  const record = [owner, ttlSeconds, 'IN', typeText(type), rdataTextByCode(type, rdata)].join('\t')
  return comment === '' ? record : `${record} ;${comment}`
}

/** The lines above the first section. */
export function zoneFileHeader({ domain, exportedAt }: ZoneFileHeader): readonly string[] {
  return [
    ';;',
    `;; Domain:     ${domain === ROOT ? domain : `${domain}.`}`,
    `;; Exported:   ${exportedAt}`,
    ';;',
    ';; A TTL of 1 means automatic. Comments behind records hold their comment and tags.',
    ';;',
  ]
}

/** The lines above the records of one type, by its mnemonic. */
export const sectionHead = (type: string): readonly string[] => ['', `;; ${type} Records`]

/** The order of sections: SOA, NS, then by mnemonic. */
export function compareSections(a: string, b: string): number {
  const rank = (type: string) => (FIRST_TYPES.includes(type) ? FIRST_TYPES.indexOf(type) : FIRST_TYPES.length)
  return rank(a) - rank(b) || (a < b ? -1 : 1)
}
