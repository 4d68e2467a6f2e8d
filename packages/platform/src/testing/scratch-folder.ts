// A temporary folder of a test, deleted after the test.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'

/** @returns the path of a new, empty folder that is deleted after the test. */
export function scratchFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'zonereeve-test-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}
