import { describe, expect, test } from 'vitest'
import type { LoggedEvent } from '../testing/app.ts'
import { silentLog } from '@zonereeve/platform'
import { pauseAfter, startJobs } from './jobs.ts'

const turns = (millis: number) => new Promise<void>((resolve) => setTimeout(resolve, millis))

describe('startJobs', () => {
  test('a failed run is logged with the name of its job, and the next one follows', async () => {
    const logged: LoggedEvent[] = []
    let runs = 0
    const log = {
      ...silentLog,
      error: (fields: object, event: string) => void logged.push({ level: 'error', event, fields }),
    }
    const run = () => {
      runs += 1
      throw new Error('broken')
    }
    const observed: unknown[] = []
    const jobs = startJobs([{ name: 'failing', every: 1, run }], log, (...given) => void observed.push(given))
    while (runs < 3) await turns(1)
    await jobs.stop()
    expect(logged[0]).toMatchObject({ event: 'job failed', fields: { job: 'failing' } })
    expect(logged).toHaveLength(1) // not one for each run
    expect(observed).toEqual(Array.from({ length: runs }, () => ['failing', 'failed', expect.any(Number)]))
  })

  test.each([
    ['a job that works', 0, 200, 200],
    ['a frequent job that failed once', 1, 200, 400],
    ['a frequent job that fails for long', 2_000, 200, 5_000],
    ['a rare job', 3, 60_000, 60_000],
  ])('%s has its pause', (_, failures, every, pause) => {
    expect(pauseAfter(failures, every)).toBe(pause)
  })

  test('stopping waits for the current runs and starts no other, also while one takes its time', async () => {
    let frequentRuns = 0
    const events: string[] = []
    const slow = async (signal: AbortSignal) => {
      await turns(50)
      events.push(signal.aborted ? 'slow run ended' : 'slow run had no signal')
    }
    const jobs = startJobs(
      [
        { name: 'slow', every: 1, run: slow, waitUntilDone: async () => void events.push('slow work done') },
        { name: 'frequent', every: 1, run: () => void (frequentRuns += 1) },
      ],
      silentLog,
    )
    await turns(5)
    const stopping = jobs.stop()
    const before = frequentRuns
    await stopping
    expect(events).toEqual(['slow run ended', 'slow work done'])
    expect(before).toBeGreaterThan(0)
    expect(frequentRuns).toBe(before)
  })
})
