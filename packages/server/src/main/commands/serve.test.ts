// What ends the program, and what does not.
import { expect, test } from 'vitest'
import { loadConfig } from '@zonereeve/config'
import type { App } from '../app.ts'
import { runUntilStopped } from './serve.ts'

const CONFIG = loadConfig({
  flags: { http: '127.0.0.1:0', dns: '127.0.0.1:0', 'log-level': 'silent' },
  environment: { ZONEREEVE_ADMIN_TOKEN: 'a'.repeat(40) },
})
const ENDPOINT = { host: '127.0.0.1', port: 1 }

/** Starts that fail or succeed in this order; each but the last loses its lease at once. */
function run(outcomes: readonly ('fails' | 'starts')[], afterFailure = (): void => {}) {
  const steps: string[] = []
  const start = async (): Promise<App> => {
    const at = steps.filter((step) => step !== 'closes').length
    const outcome = outcomes[at] ?? 'fails'
    steps.push(outcome)
    if (outcome === 'fails') {
      afterFailure()
      throw new Error('the database is away')
    }
    const isLast = at === outcomes.length - 1
    const lost = isLast ? new Promise<void>(() => {}) : Promise.resolve()
    if (isLast) setImmediate(() => process.emit('SIGTERM'))
    const close = async (): Promise<void> => void steps.push('closes')
    return { http: ENDPOINT, dns: ENDPOINT, lost, close } as App // what the command uses
  }
  const ended = runUntilStopped(CONFIG, { inMemory: true, start }, async () => undefined)
  return { steps, ended }
}

test('after a lost lease the program starts again, and again while the database is away', async () => {
  const { steps, ended } = run(['starts', 'fails', 'starts'])
  await ended
  expect(steps).toEqual(['starts', 'closes', 'fails', 'starts', 'closes'])
})

test('a signal ends the program between these attempts', async () => {
  const { steps, ended } = run(['starts', 'fails', 'fails'], () =>
    setImmediate(() => process.emit('SIGTERM')),
  )
  await ended
  expect(steps).toEqual(['starts', 'closes', 'fails'])
})

test('a failure of the first start ends the program', async () => {
  await expect(run(['fails', 'starts']).ended).rejects.toThrow('the database is away')
})
