// Temporary files of a backup or a restore. Their names carry the process that writes them, so that those of a process
// that was killed can be removed.
import { readdirSync, rmSync } from 'node:fs'
import { dirname, join } from 'node:path'

/** With the files that SQLite writes beside a database. */
const FORM = /\.partial-(\d{1,10})(-journal|-wal|-shm)?$/

/** A name beside `path` that no reader takes for the file itself. */
export const temporaryPath = (path: string): string => `${path}.partial-${process.pid}`

/** Removes temporary files beside `path` whose process has ended. */
export function removeLeftovers(path: string): void {
  const folder = dirname(path)
  for (const name of readdirSync(folder)) {
    const [, pid] = FORM.exec(name) ?? []
    if (pid !== undefined && !isRunning(Number(pid))) rmSync(join(folder, name), { force: true })
  }
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    // EPERM: it runs as another user.
    return error instanceof Error && 'code' in error && error.code === 'EPERM'
  }
}
