// PhishTank: online-valid as CSV or JSON. Only the URL is used.
import { readCsvLine } from '../splitter.rules.ts'
import { columnsOf, type FeedFormat, type ChunkReading } from './format.ts'

const DEFAULT_HEADER =
  'phish_id,url,phish_detail_url,submission_time,verified,verification_time,online,target'.split(',')

export const phishtank = {
  name: 'phishtank',
  categories: 'of-entries',
  isJsonToo: true,
  begin() {
    let columns = columnsOf(DEFAULT_HEADER)
    return (chunk) => {
      const text = chunk.trim()
      if (text === '' || text.startsWith('#')) return 'nothing'
      if (text.startsWith('{')) return readObject(text)
      const fields = readCsvLine(text)
      if (fields === undefined) return 'unreadable'
      if (fields[0] === 'phish_id') {
        columns = columnsOf(fields)
        return 'nothing'
      }
      return entry(columns('url', fields))
    }
  },
} as const satisfies FeedFormat

function readObject(text: string): ChunkReading {
  try {
    const object: unknown = JSON.parse(text)
    return typeof object === 'object' && object !== null && 'url' in object ? entry(object.url) : 'unreadable'
  } catch {
    return 'unreadable' // a truncated object
  }
}

const entry = (url: unknown): ChunkReading =>
  typeof url === 'string' && url.includes('://')
    ? [{ kind: 'url', url, flagsHost: true, categories: ['Phishing'] }]
    : 'unreadable'
