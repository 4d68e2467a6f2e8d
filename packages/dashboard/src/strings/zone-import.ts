// Texts of the import of zone files.
import { numberText } from '../strings.ts'

const countText = (count: number, one: string, many: string): string =>
  `${numberText(count)} ${count === 1 ? one : many}`

export const importStrings = {
  title: 'Import zone files',
  note: 'Each file becomes a zone. Nothing is created before you have seen what is in it.',
  choose: 'Choose files',
  chooseMore: 'Choose more files',
  chooseNote: 'Zone files in UTF-8 (RFC\u00a01035).',
  zoneOf: (file: string) => `Zone of ${file}`,
  remove: 'Remove',
  removeOf: (file: string) => `Remove ${file}`,
  nameMissing: 'Which zone is it? Type its name.',
  nameWrong: 'Not a domain name.',
  reading: 'reading',
  taken: 'exists already',
  records: (count: number) => countText(count, 'record', 'records'),
  ofType: (count: number, type: string) => `${numberText(count)} ${type}`,
  wrongLines: (count: number) => `${countText(count, 'line is', 'lines are')} wrong`,
  line: (number: number) => `line ${numberText(number)}`,
  moreLines: (count: number) => `and ${countText(count, 'more line', 'more lines')}`,
  lowerTtls: 'Lower TTLs above one day to one day, instead of refusing the file',
  create: (count: number) => (count === 0 ? 'Create zones' : `Create ${countText(count, 'zone', 'zones')}`),
  waiting: 'waiting',
  running: 'is created',
  created: (records: number) => `created with ${countText(records, 'record', 'records')}`,
  open: 'Open',
  refused: 'not created',
  unread: 'cannot be read',
  unanswered: 'the answer is missing: check the zone',
  empty: 'created without records',
  openText: 'Edit as text',
  summary: (created: number, all: number) =>
    `${numberText(created)} of ${countText(all, 'zone', 'zones')} created.`,
} as const
