import { existsSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { scratchFolder } from '@zonereeve/platform/testing/scratch-folder.ts'
import { makeFolder } from './make-folder.ts'

describe('a folder', () => {
  test('is created with its parents, for this user only, and stays unchanged afterwards', () => {
    const path = join(scratchFolder(), 'a/b/c')
    makeFolder(path)
    makeFolder(path)
    expect(['..', '.'].map((above) => statSync(join(path, above)).mode & 0o777)).toEqual([0o700, 0o700])
  })

  test.each([
    ['where the system allows none', () => '/proc/nope', /\/proc\/nope cannot be used: ENOENT/],
    ['far below there', () => '/proc/nope/a/b', /\/proc\/nope\/a\/b cannot be used: ENOENT/],
    ['that is a file', () => aFile(), /file cannot be used: it is not a folder/],
    ['below a file', () => join(aFile(), 'a'), /file\/a cannot be used: ENOTDIR/],
  ])('%s is rejected by name', (_, path, problem) => {
    const expected = path()
    expect(() => makeFolder(expected)).toThrow(problem)
    expect(existsSync(join(expected, '..', 'a'))).toBe(false)
  })
})

function aFile(): string {
  const file = join(scratchFolder(), 'file')
  writeFileSync(file, '')
  return file
}
