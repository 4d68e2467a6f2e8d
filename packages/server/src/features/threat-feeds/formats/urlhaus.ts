// URLhaus: the CSV exports (all quoted, the header in the last comment), and the plain text of one URL a line.
import type { ThreatCategory } from '../../page-shield/index.ts'
import { readCsvLine } from '../pieces.rules.ts'
import { columnsOf, type FeedFormat, type ReadPiece } from './format.ts'
import { categoriesOfTags } from './tag-categories.ts'

/** Dumps of before `last_online` was added have no such column; the header tells. */
const USUAL_HEADER = 'id,dateadded,url,url_status,last_online,threat,tags,urlhaus_link,reporter'.split(',')

export const urlhaus = {
  name: 'urlhaus',
  categories: 'of-entries',
  begin() {
    let columns = columnsOf(USUAL_HEADER)
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

const entry = (url: string, categories: readonly ThreatCategory[]): ReadPiece => [
  { kind: 'url', url, flagsHost: true, categories },
]
