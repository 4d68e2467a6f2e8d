// PhishTank: online-valid as CSV, or as JSON. Nothing but the URL is of use.
import { readCsvLine } from '../pieces.rules.ts'
import { columnsOf, type FeedFormat, type ReadPiece } from './format.ts'

const USUAL_HEADER =
  'phish_id,url,phish_detail_url,submission_time,verified,verification_time,online,target'.split(',')

export const phishtank = {
  name: 'phishtank',
  categories: 'of-entries',
  isJsonToo: true,
  begin() {
    let columns = columnsOf(USUAL_HEADER)
    return (piece) => {
      const text = piece.trim()
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

function readObject(text: string): ReadPiece {
  try {
    const object: unknown = JSON.parse(text)
    return typeof object === 'object' && object !== null && 'url' in object ? entry(object.url) : 'unreadable'
  } catch {
    return 'unreadable' // an object that the feed broke off
  }
}

const entry = (url: unknown): ReadPiece =>
  typeof url === 'string' && url.includes('://')
    ? [{ kind: 'url', url, flagsHost: true, categories: ['Phishing'] }]
    : 'unreadable'
