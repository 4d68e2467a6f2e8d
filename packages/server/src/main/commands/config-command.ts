// zonereeve config show: every setting as the program would use it.
import { SETTINGS, type Config } from '../../config/index.ts'

export function showConfig(config: Config, withOrigin: boolean): void {
  for (const warning of config.warnings) process.stderr.write(`zonereeve: ${warning}\n`)
  const rows = Object.entries(SETTINGS).map(([key, { name, secret }]) => {
    const known = key as keyof typeof SETTINGS // a key of the table
    const text = config.strings[known]
    const value =
      text === undefined ? '(not set)' : secret === true ? '(secret)' : text === '' ? '(empty)' : text
    return withOrigin ? [name, value, config.origins[known]] : [name, value]
  })
  const widths = [0, 1].map((column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)))
  for (const row of rows) {
    const padded = row.map((cell, column) =>
      column < row.length - 1 ? cell.padEnd(widths[column] ?? 0) : cell,
    )
    process.stdout.write(`${padded.join('  ')}\n`)
  }
}
