// Flushes a long transaction's WAL writes to disk early, so that its commit has little left to flush.
import { open } from 'node:fs/promises'

export interface LogFlush {
  /** Starts a flush unless one is running. */
  begin(): void
  /** Resolves when everything written to the WAL so far is flushed; errors are ignored. */
  finish(): Promise<void>
}

/** @param path of the database; the WAL is next to it. */
export function createLogFlush(path: string): LogFlush {
  let underway: Promise<void> | undefined
  const flush = async (): Promise<void> => {
    try {
      const log = await open(`${path}-wal`, 'r')
      try {
        await log.datasync()
      } finally {
        await log.close()
      }
    } catch {
      // The commit itself syncs everything, or fails: the early flush only saves time.
    }
  }
  const begin = (): Promise<void> =>
    (underway ??= flush().finally(() => {
      underway = undefined
    }))
  return {
    begin: () => void begin(),
    async finish() {
      await underway
      await begin()
    },
  }
}
