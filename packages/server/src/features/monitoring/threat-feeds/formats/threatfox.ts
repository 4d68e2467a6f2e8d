// ThreatFox: the CSV exports. Columns were added over time, so they are found by their header names.
import type { ThreatCategory } from '../../page-shield/index.ts'
import { readCsvLine } from '../splitter.rules.ts'
import { columnsOf, type FeedFormat, type ChunkReading } from './format.ts'
import { categoriesOfTags } from './tag-categories.ts'

const DEFAULT_HEADER =
  'first_seen_utc,ioc_id,ioc_value,ioc_type,threat_type,fk_malware,malware_alias,malware_printable,last_seen_utc,confidence_level,reference,tags,anonymous,reporter'.split(
    ',',
  )

/** Percent; entries with lower confidence flag nothing. */
const LEAST_CONFIDENCE = 50

const THREATS: Readonly<Record<string, ThreatCategory>> = {
  botnet_cc: 'Command-and-Control (C2) & Botnet',
  cc_skimming: 'Malware',
  payload: 'Malware',
  payload_delivery: 'Malware',
}
const MINERS = /xmrig|coinminer|cryptominer/i

export const threatfox = {
  name: 'threatfox',
  categories: 'of-entries',
  begin() {
    let columns = columnsOf(DEFAULT_HEADER)
    return (line) => {
      const text = line.trim()
      if (text === '') return 'nothing'
      if (text.startsWith('#')) {
        const header = readCsvLine(text.replace(/^#+\s*/, ''))
        if (header?.includes('ioc_value') === true) columns = columnsOf(header)
        return 'nothing'
      }
      const fields = readCsvLine(text)
      if (fields === undefined) return 'unreadable'
      return readIndicator((name) => columns(name, fields))
    }
  },
} as const satisfies FeedFormat

function readIndicator(column: (name: string) => string): ChunkReading {
  const value = column('ioc_value')
  const type = column('ioc_type')
  if (value === '' || type === '') return 'unreadable'
  if (Number(column('confidence_level')) < LEAST_CONFIDENCE) return 'passed-over'
  const isMiner = MINERS.test(column('malware_printable'))
  const threat = THREATS[column('threat_type')] ?? 'Security threats'
  const categories = [threat, ...categoriesOfTags(column('tags'))]
  if (isMiner) categories.push('Crypto mining')
  // A compromised site of a third party: the planted content is malicious, the site is not.
  const isCompromised = /^(?:1|true|yes)$/i.test(column('is_compromised'))
  switch (type) {
    case 'url':
      return [{ kind: 'url', url: value, flagsHost: !isCompromised, categories }]
    case 'domain':
      return isCompromised ? 'passed-over' : [{ kind: 'domain', host: value, categories }]
    case 'ip:port':
      return [{ kind: 'domain', host: value.replace(/:\d+$/, ''), categories }]
    default:
      return 'passed-over' // hashes of files
  }
}
