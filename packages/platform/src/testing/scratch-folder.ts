// A temporary folder of a test, deleted after the test.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, onTestFinished } from 'vitest'

/** Has a function called when what was made or started is to end. */
export type AtEnd = (end: () => void) => void

/** For what several tests share: to be called in the file or the `describe` whose end it is. */
export function endOfSuite(): AtEnd {
  const ends: (() => void)[] = []
  afterAll(() => {
    for (const end of ends) end()
  })
  return (end) => void ends.push(end)
}

/** @returns the path of a new, empty folder that is deleted after the test, or at another end. */
export function scratchFolder(atEnd: AtEnd = onTestFinished): string {
  const folder = mkdtempSync(join(tmpdir(), 'zonereeve-test-'))
  atEnd(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}
