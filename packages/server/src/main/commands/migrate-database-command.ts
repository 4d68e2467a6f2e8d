// zonereeve migrate-database: copies everything between SQLite and PostgreSQL, and compares it; or cancels that.
import { cancelMove, copyDatabase, type CopyPlace } from '@zonereeve/storage'
import { type Config, databaseAt } from '@zonereeve/config'
import type { VerbOptions } from './backup-verbs.ts'
import { stopSignal } from './stop-signal.ts'

const REPORT_MILLIS = 1_000

/** @throws Error: a server uses the target, the target has rows, or the copy differs; the options do not fit together. */
export async function migrateDatabaseCommand(config: Config, options: VerbOptions): Promise<void> {
  const from = placeOf(config, options, 'from')
  if (options['cancel'] !== undefined) return cancel(from, options)
  const stopping = new AbortController()
  void stopSignal().then(() => stopping.abort(new Error('interrupted')))
  let reportedAt = 0
  const copied = await copyDatabase({
    from,
    to: placeOf(config, options, 'to'),
    signal: stopping.signal,
    report({ table, rows, total }) {
      if (performance.now() - reportedAt < REPORT_MILLIS) return
      reportedAt = performance.now()
      process.stderr.write(`${table}: ${rows} of ${total} rows\n`)
    },
  })
  for (const { table, rows, checksum } of copied) process.stdout.write(`${table}\t${rows}\t${checksum}\n`)
  process.stdout.write(`both are equal: stop the servers, and start them with --database ${options['to']}\n`)
}

async function cancel(from: CopyPlace, { from: name, to }: VerbOptions): Promise<void> {
  if (to !== undefined) throw new Error('--cancel needs no --to')
  const move = await cancelMove(from)
  if (move === undefined) throw new Error(`${name} is not being moved`)
  const other = move.isComplete ? 'can be written, too: use only one of them' : 'is of no use any more'
  process.stdout.write(`${name} can be written again; the copy in ${move.to} ${other}\n`)
}

function placeOf(config: Config, options: VerbOptions, name: 'from' | 'to'): CopyPlace {
  try {
    return databaseAt(options[name] ?? '', config) // then it names what is valid
  } catch (error) {
    throw new Error(`--${name} ${error instanceof Error ? error.message : String(error)}`, { cause: error })
  }
}
