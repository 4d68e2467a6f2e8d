// The lock between processes: one holder at a time, and it ends with its holder however that ends.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { scratchFolder } from '../testing/scratch-folder.ts'
import { tryLock } from './file-lock.ts'

/** Another process that takes the lock as file-lock.ts does, says so, and then only waits. */
async function otherProcessHolding(path: string): Promise<() => Promise<unknown>> {
  const program = `
    const { DatabaseSync } = await import(Number(process.versions.node.split('.')[0]) >= 24 ? 'node:sqlite' : '@photostructure/sqlite')
    globalThis.held = new DatabaseSync(process.argv[1]) // else it is collected, and the lock with it
    held.exec('BEGIN EXCLUSIVE')
    process.stdout.write('locked')
    setInterval(() => {}, 1000)`
  const child = spawn(process.execPath, ['--input-type=module', '--eval', program, path], {
    cwd: import.meta.dirname,
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  onTestFinished(() => void child.kill('SIGKILL'))
  const [said] = await once(child.stdout, 'data')
  expect(String(said)).toBe('locked')
  return () => {
    const ended = once(child, 'exit')
    child.kill('SIGKILL')
    return ended
  }
}

describe('tryLock', () => {
  test('gives the lock to one holder, and to the next once it is given back', async () => {
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

  test('a folder that does not exist is an error, not a lock that is taken', async () => {
    await expect(tryLock(join(scratchFolder(), 'nowhere', 'lock'))).rejects.toThrow(/open/)
  })
})
