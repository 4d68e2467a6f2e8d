// zonereeve config show: every setting as the program would use it.
import { SETTINGS, type Config } from '@zonereeve/config'

export function showConfig(config: Config, withOrigin: boolean): void {
  for (const warning of config.warnings) process.stderr.write(`zonereeve: ${warning}\n`)
  const rows = Object.entries(SETTINGS).map(([key, { name, secret }]) => {
    const known = key as keyof typeof SETTINGS // a key of the table
    const text = config.strings[known]
    const value =
      text === undefined ? '(not set)' : secret === true ? '(secret)' : text === '' ? '(empty)' : text
    return { name, value, origin: config.origins[known] }
  })
  const nameWidth = Math.max(...rows.map(({ name }) => name.length))
  const valueWidth = Math.max(...rows.map(({ value }) => value.length))
  for (const { name, value, origin } of rows) {
    const rest = withOrigin ? `${value.padEnd(valueWidth)}  ${origin}` : value
    process.stdout.write(`${name.padEnd(nameWidth)}  ${rest}\n`)
  }
}
