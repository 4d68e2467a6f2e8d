// Brings to the disk what a long transaction has written to the log already, so that its commit has little left to wait for.
import { open } from 'node:fs/promises'

export interface LogFlush {
  /** Begins, unless it is under way. */
  begin(): void
  /** Resolves when what has been written to the log is on the disk, as far as that can be told. */
  finish(): Promise<void>
}

/** @param path of the database, whose log lies beside it. */
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
      // The commit itself brings all of it to the disk, or fails: this only spares it the time.
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
