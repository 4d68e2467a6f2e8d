// A clock that a run moves, for programs that preload libfaketime. Only the time of day is moved: what waits for a second
// waits for a second.
import { renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { FAKETIME } from '../../scripts/requirements.ts'

export interface MovedTime {
  /** For programs whose clock it is. */
  readonly environment: Readonly<Record<string, string>>
  /** Moves it on. */
  readonly advance: (seconds: number) => void
  /** Hours since the start. */
  readonly hours: () => number
}

export function createMovedTime(folder: string): MovedTime {
  const file = join(folder, 'moved-time')
  let seconds = 0
  write()
  return {
    environment: {
      LD_PRELOAD: FAKETIME,
      FAKETIME_TIMESTAMP_FILE: file,
      FAKETIME_NO_CACHE: '1',
      FAKETIME_DONT_FAKE_MONOTONIC: '1',
    },
    advance(by) {
      seconds += by
      write()
    },
    hours: () => seconds / 3600,
  }

  /** A whole file in the place of a whole file: programs read it at any moment. */
  function write(): void {
    writeFileSync(`${file}.new`, `+${seconds}s\n`)
    renameSync(`${file}.new`, file)
  }
}
