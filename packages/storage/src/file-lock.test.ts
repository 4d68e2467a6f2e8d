// The lock between processes: one holder at a time; it ends with its holder, however that ends.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { scratchFolder } from '@zonereeve/platform/testing/scratch-folder.ts'
import { tryLock } from './file-lock.ts'

/** Starts another process that takes the lock like file-lock.ts, reports it, and then only waits. */
async function otherProcessHolding(path: string): Promise<() => Promise<unknown>> {
  const program = `
    const { DatabaseSync } = await import(Number(process.versions.node.split('.')[0]) >= 24 ? 'node:sqlite' : '@photostructure/sqlite')
    globalThis.held = new DatabaseSync(process.argv[1]) // otherwise it is garbage-collected, which releases the lock
    held.exec('BEGIN EXCLUSIVE')
    process.stdout.write('locked')
    setInterval(() => {}, 1000)`
  const child = spawn(process.execPath, ['--input-type=module', '--eval', program, path], {
    cwd: import.meta.dirname,
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  onTestFinished(() => void child.kill('SIGKILL'))
  const [given] = await once(child.stdout, 'data')
  expect(String(given)).toBe('locked')
  return () => {
    const ended = once(child, 'exit')
    child.kill('SIGKILL')
    return ended
  }
}

describe('tryLock', () => {
  test('gives the lock to one holder, and to the next after its release', async () => {
    const path = join(scratchFolder(), 'lock')
    const unlock = await tryLock(path)
    expect(unlock).toBeTypeOf('function')
    expect(await tryLock(path)).toBeUndefined()
    unlock?.()
    const again = await tryLock(path)
    expect(again).toBeTypeOf('function')
    again?.()
  })

  test('another process holds it until it is killed', async () => {
    const path = join(scratchFolder(), 'lock')
    const kill = await otherProcessHolding(path)
    expect(await tryLock(path)).toBeUndefined()
    await kill()
    const unlock = await tryLock(path)
    expect(unlock).toBeTypeOf('function')
    unlock?.()
  })

  test('a folder that does not exist is an error, not a held lock', async () => {
    await expect(tryLock(join(scratchFolder(), 'nowhere', 'lock'))).rejects.toThrow(/open/)
  })
})
