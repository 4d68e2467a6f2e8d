// Structured logs: one JSON object a line on stderr, so that stdout keeps to what the operator asked for.
import { pino } from 'pino'
import type { Log } from '../platform/log.ts'

/** Members that never leave, wherever somebody puts them. */
const SECRETS = ['token', 'value', 'key', 'authorization', 'headers.authorization', 'headers["x-auth-key"]']

export function createLog(level: string): Log & { flush(): void } {
  const destination = pino.destination({ dest: 2, sync: false })
  return pino(
    {
      level,
      base: null,
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: { level: (label) => ({ level: label }) },
      redact: { paths: SECRETS, censor: '[secret]' },
    },
    destination,
  )
}
