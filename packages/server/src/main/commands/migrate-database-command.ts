// zonereeve migrate-database: copies everything between SQLite and PostgreSQL, and compares it.
import { copyDatabase, type CopyPlace } from '@zonereeve/storage'
import { type Config, SETTINGS, withPassword } from '@zonereeve/config'
import type { VerbOptions } from './backup-verbs.ts'

const REPORT_MILLIS = 1_000

/** @throws Error: a server uses one of them, the target has rows, or the copy differs. */
export async function migrateDatabaseCommand(config: Config, options: VerbOptions): Promise<void> {
  const stopping = new AbortController()
  for (const signal of ['SIGTERM', 'SIGINT'] as const)
    process.once(signal, () =>
      stopping.abort(new Error('interrupted: the same command continues where it stopped')),
    )
  let reportedAt = 0
  const copied = await copyDatabase({
    from: placeOf(config, options, 'from'),
    to: placeOf(config, options, 'to'),
    signal: stopping.signal,
    report({ table, rows, total }) {
      if (performance.now() - reportedAt < REPORT_MILLIS) return
      reportedAt = performance.now()
      process.stderr.write(`${table}: ${rows} of ${total} rows\n`)
    },
  })
  for (const { table, rows, checksum } of copied) process.stdout.write(`${table}\t${rows}\t${checksum}\n`)
  const rows = copied.reduce((sum, table) => sum + table.rows, 0)
  process.stdout.write(`copied ${rows} rows of ${copied.length} tables; both sides are equal\n`)
}

function placeOf(config: Config, options: VerbOptions, name: 'from' | 'to'): CopyPlace {
  const text = options[name] ?? '' // both are required
  let parsed: string | undefined
  try {
    parsed = SETTINGS.database.parse(text)
  } catch (error) {
    throw new Error(`--${name} ${error instanceof Error ? error.message : String(error)}`, { cause: error })
  }
  if (parsed === undefined) throw new Error(`--${name} must be sqlite:FILE or postgres://USER@HOST/DATABASE`)
  return parsed.startsWith('postgres') && URL.canParse(parsed)
    ? { postgres: withPassword(parsed, config) }
    : { sqlite: parsed }
}
