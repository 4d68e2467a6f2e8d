// Output of client commands: a table for people; JSON, JSON lines or CSV for programs.
export const FORMATS = ['table', 'json', 'ndjson', 'csv'] as const
export type Format = (typeof FORMATS)[number]

export type OutputRow = Readonly<Record<string, unknown>>

/** A table on a terminal, otherwise JSON. */
export const defaultFormat = (isTerminal: boolean): Format => (isTerminal ? 'table' : 'json')

/** `columns` are the members that a table or CSV shows; JSON shows everything. */
export function formatRows(rows: readonly OutputRow[], columns: readonly string[], format: Format): string {
  switch (format) {
    case 'json':
      return `${JSON.stringify(rows, undefined, 2)}\n`
    case 'ndjson':
      return rows.map((row) => `${JSON.stringify(row)}\n`).join('')
    case 'csv':
      return [columns, ...rows.map((row) => columns.map((column) => cell(row[column])))]
        .map((cells) => `${cells.map(csvCell).join(',')}\n`)
        .join('')
    case 'table':
      return table([
        columns.map((column) => column.toUpperCase()),
        ...rows.map((row) => columns.map((column) => cell(row[column]))),
      ])
  }
}

function cell(value: unknown): string {
  if (value === null || value === undefined) return ''
  const text = typeof value === 'string' ? value : JSON.stringify(value)
  // Control characters in record content must not reach the terminal.
  return text.replace(/\p{Cc}/gu, '?')
}

function table(rows: readonly (readonly string[])[]): string {
  const widths: number[] = []
  for (const row of rows)
    for (const [column, { length }] of row.entries())
      widths[column] = Math.max(length, widths[column] ?? length)
  const line = (row: readonly string[]) =>
    row.map((text, column) => text.padEnd(widths[column] ?? text.length)).join('  ')
  return rows.map((row) => `${line(row).trimEnd()}\n`).join('')
}

/** Quoted where needed (RFC 4180); a leading `=` and the like would be a formula to a spreadsheet. */
function csvCell(text: string): string {
  const safe = /^[=+\-@\t\r]/.test(text) ? `'${text}` : text
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}
