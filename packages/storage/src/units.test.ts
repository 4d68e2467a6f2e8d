import type { Log } from '@zonereeve/platform'
import { describe, expect, test } from 'vitest'
import { type Hook, joinedHook, runHooks } from './units.ts'

const failed: unknown[] = []
const log = { error: (about: { err: unknown }) => void failed.push(about.err) } as unknown as Log

describe('hooks of a commit', () => {
  test('that do the same are run once if they follow each other, and all in their order', async () => {
    const done: string[] = []
    const first = (items: readonly string[]) => void done.push(`first ${items.join('')}`)
    const second = async (items: readonly string[]) => {
      await Promise.resolve()
      done.push(`second ${items.join('')}`)
    }
    const alone: Hook = () => void done.push('alone')
    await runHooks(
      [
        joinedHook(first, 'a'),
        joinedHook(first, 'b'),
        joinedHook(second, 'c'),
        joinedHook(second, 'd'),
        alone,
        joinedHook(first, 'e'),
        joinedHook(first, 'f'),
      ],
      log,
    )
    expect(done).toEqual(['first ab', 'second cd', 'alone', 'first ef'])
  })

  test('that fail are reported, and the others run', async () => {
    const done: string[] = []
    const failing = (): void => {
      throw new Error('at once')
    }
    await runHooks(
      [
        joinedHook(failing, 'a'),
        joinedHook(failing, 'b'),
        () => Promise.reject(new Error('later')),
        () => void done.push('last'),
      ],
      log,
    )
    expect(failed.map((failure) => (failure as Error).message)).toEqual(['at once', 'later'])
    expect(done).toEqual(['last'])
  })
})
