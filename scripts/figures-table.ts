// README's table of comparisons, from the tables of docs/performance.md.

/** A cell: the first header cell of its table, the first cell of its row, and its column. */
type Place = readonly [table: string, row: string, column: string]

const CREATES = 'creates/s'
const LISTS = 'reading a zone of 10000 records'
const ROWS: readonly {
  readonly what: string
  readonly beside: string
  readonly places: readonly Place[]
  readonly note?: string
}[] = [
  {
    what: 'durable creates, 16 and 64 clients at once',
    beside: 'PowerDNS, SQLite, HTTP API',
    places: [
      [CREATES, '16 at a time', 'ratio'],
      [CREATES, '64 at a time', 'ratio'],
    ],
    note: ' (most of its requests fail then)',
  },
  { what: 'durable creates, one client', beside: 'the same', places: [[CREATES, '1 at a time', 'ratio']] },
  {
    what: 'list of 10,000 records: all, first 100',
    beside: 'the same',
    places: [
      [LISTS, 'all records, ms', 'ratio'],
      [LISTS, 'the first 100, ms', 'ratio'],
    ],
  },
  {
    what: 'a write until DNS answers it',
    beside: 'the same',
    places: [['a write until DNS answers it, ms (p50 / p99)', 'from sending the request', 'ratio at p50']],
  },
  {
    what: 'DNS answers for each second of CPU',
    beside: 'Knot, NSD, BIND, PowerDNS',
    places: ['Knot', 'NSD', 'BIND', 'PowerDNS'].map((server) => ['server', server, 'ours : theirs'] as const),
  },
]

const HEAD = '| | beside | ratio |\n|---|---|--:|\n'

export function comparisonTable(performance: string): string {
  const lines = ROWS.map(({ what, beside, places, note = '' }) => {
    const ratios = places.map((place) => ratioAt(performance, place)).join(', ')
    return `| ${what} | ${beside} | ${ratios}${note} |\n`
  })
  return HEAD + lines.join('')
}

/** @throws Error if the table, the row or the column is missing. */
function ratioAt(performance: string, [table, row, column]: Place): string {
  const lines = performance.split('\n').map(cellsOf)
  const start = lines.findIndex(([first]) => first === table)
  const length = lines.slice(start).findIndex((cells) => cells.length === 0)
  const rows = start === -1 ? [] : lines.slice(start, length === -1 ? undefined : start + length)
  const index = rows[0]?.indexOf(column) ?? -1
  const ratio = /\d+(?:\.\d+)?x/.exec(rows.find(([first]) => first === row)?.[index] ?? '')?.[0]
  if (ratio === undefined)
    throw new Error(`docs/performance.md has no ratio at "${table}", "${row}", "${column}"`)
  return ratio
}

/** Cells of a table line; empty for any other line. */
const cellsOf = (line: string): string[] =>
  line.startsWith('|')
    ? line
        .slice(1, -1)
        .split('|')
        .map((cell) => cell.trim())
    : []

/** @throws Error if README has no such table. */
export function replaceTable(readme: string, table: string): string {
  const start = readme.indexOf(HEAD)
  if (start === -1) throw new Error('README.md has no table of comparisons')
  const end = readme.indexOf('\n\n', start)
  return readme.slice(0, start) + table + readme.slice(end + 1)
}
