// Structured logs on stderr, so that stdout contains only requested output: one JSON object per line for programs, text
// on a terminal.
import { pino } from 'pino'
import { formatTextLine, type Log, openStandardError } from '@zonereeve/platform'

/** Members that are never logged, at any nesting level. */
const SECRETS = ['token', 'value', 'key', 'authorization', 'headers.authorization', 'headers["x-auth-key"]']
/** Maximum time that the shutdown waits for a slow log. */
const MAX_FLUSH_MILLIS = 2_000

export interface ProgramLog extends Log {
  flush(): Promise<void>
  /** Number of lines lost because stderr was full or too slow. */
  readonly droppedLines: number
}

/** `auto`: text on a terminal, otherwise JSON. */
export type LogFormat = 'auto' | 'text' | 'json'

export function createLog(level: string, format: LogFormat = 'auto'): ProgramLog {
  const isText = format === 'text' || (format === 'auto' && process.stderr.isTTY)
  const destination = openStandardError(isText ? (lines) => formatTextLine(dropNotice(lines)) : dropNotice)
  const log = pino(
    {
      level,
      base: null,
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: { level: (label) => ({ level: label }) },
      redact: { paths: SECRETS, censor: '[secret]' },
    },
    isText ? { write: (line: string) => destination.write(formatTextLine(line)) } : destination,
  )
  return {
    debug: (fields, event) => log.debug(fields, event),
    info: (fields, event) => log.info(fields, event),
    warn: (fields, event) => log.warn(fields, event),
    error: (fields, event) => log.error(fields, event),
    flush: () => destination.flush(MAX_FLUSH_MILLIS),
    get droppedLines() {
      return destination.droppedLines
    },
  }
}

const dropNotice = (lines: number): string =>
  `${JSON.stringify({ level: 'warn', time: new Date().toISOString(), lines, msg: 'log lines dropped' })}\n`
