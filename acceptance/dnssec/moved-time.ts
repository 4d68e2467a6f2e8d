// A clock that tests move forward, for programs that preload libfaketime. Only the wall clock moves: a timer of one
// second still takes one second.
import { renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { FAKETIME } from '../../scripts/requirements.ts'

export interface MovedTime {
  /** Environment of programs that use this clock. */
  readonly environment: Readonly<Record<string, string>>
  /** Moves the clock forward. */
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

  /** Replaces the file atomically, because programs may read it at any time. */
  function write(): void {
    writeFileSync(`${file}.new`, `+${seconds}s\n`)
    renameSync(`${file}.new`, file)
  }
}
