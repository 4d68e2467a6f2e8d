// URLhaus: the CSV exports (all quoted, the header in the last comment), and the plain text export with one
// URL per line.
import type { ThreatCategory } from '../../page-shield/index.ts'
import { readCsvLine } from '../splitter.rules.ts'
import { columnsOf, type FeedFormat, type ChunkReading } from './format.ts'
import { categoriesOfTags } from './tag-categories.ts'

/** Exports from before `last_online` was added lack that column; the header shows it. */
const DEFAULT_HEADER = 'id,dateadded,url,url_status,last_online,threat,tags,urlhaus_link,reporter'.split(',')

export const urlhaus = {
  name: 'urlhaus',
  categories: 'of-entries',
  begin() {
    let columns = columnsOf(DEFAULT_HEADER)
    return (line) => {
      const text = line.trim()
      if (text === '') return 'nothing'
      if (text.startsWith('#')) {
        const header = text.replace(/^#+\s*/, '')
        if (header.startsWith('id,')) columns = columnsOf(header.split(','))
        return 'nothing'
      }
      if (/^https?:\/\//i.test(text)) return entry(text, ['Malware'])
      const fields = readCsvLine(text)
      if (fields === undefined || fields.length < 3) return 'unreadable'
      const url = columns('url', fields)
      return url.includes('://')
        ? entry(url, ['Malware', ...categoriesOfTags(columns('tags', fields))])
        : 'unreadable'
    }
  },
} as const satisfies FeedFormat

const entry = (url: string, categories: readonly ThreatCategory[]): ChunkReading => [
  { kind: 'url', url, flagsHost: true, categories },
]
