// When certificates are ordered, what a failure does, and what a killed program leaves. The authority is a function here;
// a real one is asked in the tests of the server.
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { FIRST } from '@zonereeve/nameserver/certificate.cases.ts'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { readAttempts } from './attempts.ts'
import { createKeeper, type KeeperOptions } from './keeper.ts'
import type { Challenge } from './pending-challenges.ts'
import { certificatePath } from './stored-certificate.ts'

const NAMES = ['a.example', '*.a.example']
const START = Date.parse('2026-01-05T10:20:30Z')
const MINUTE = 60_000
const DAY = 86_400_000
const CHALLENGE: Challenge = { name: 'a.example', value: 'v'.repeat(43) }

let folder: string
let now: number
let ordered: number
let published: string[]
let logged: string[]

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'keeper-'))
  now = START
  ordered = 0
  published = []
  logged = []
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

const failing = (): Promise<string> => {
  ordered += 1
  return Promise.reject(new Error(`refused ${ordered}`))
}

const keeperWith = (changes: Partial<KeeperOptions>) =>
  createKeeper({
    folder,
    orders: () => [NAMES],
    authority: { directory: 'https://ca.example', email: undefined, authorityCertificate: undefined },
    challenges: {
      publish: async ({ value }) => void published.push(`+${value}`),
      remove: async ({ value }) => void published.push(`-${value}`),
    },
    log: {
      info: (_, event) => void logged.push(event),
      warn: (_, event) => void logged.push(event),
    },
    onIssued: () => undefined,
    now: () => now,
    random: () => 0,
    order: failing,
    ...changes,
  })

test('pauses after failures grow from a minute to a day, and are kept over a restart', async () => {
  const pauses: number[] = []
  for (let failure = 1; failure <= 14; failure += 1) {
    // A new one each time.
    const keeper = keeperWith({})
    await keeper.check()
    await keeper.check()
    expect(ordered).toBe(failure)
    const [state] = keeper.states()
    expect(state).toMatchObject({ failures: failure, problem: `refused ${failure}`, endsMillis: undefined })
    const next = state?.nextMillis ?? NaN
    pauses.push(next - now)
    now = next - 1
    await keeper.check()
    expect(ordered).toBe(failure)
    now = next
  }
  expect(pauses.slice(0, 4)).toEqual([MINUTE, 2 * MINUTE, 4 * MINUTE, 8 * MINUTE])
  expect(pauses.slice(-2)).toEqual([DAY, DAY])
})

test.each<[string, Partial<KeeperOptions>, number]>([
  ['chance adds at most a fifth', { random: () => 1 }, 1.2 * MINUTE],
  ['and nothing', { random: () => 0 }, MINUTE],
])('a pause: %s', async (_, changes, expected) => {
  const keeper = keeperWith(changes)
  await keeper.check()
  expect(keeper.states()[0]?.nextMillis).toBe(now + expected)
})

test.each<[string, (keeper: ReturnType<typeof createKeeper>) => Promise<void>]>([
  ['asked for', (keeper) => keeper.retry()],
  [
    'other settings',
    () =>
      keeperWith({
        authority: { directory: 'https://other.example', email: undefined, authorityCertificate: undefined },
      }).check(),
  ],
  ['other names with the same file', () => keeperWith({ orders: () => [['a.example']] }).check()],
  [
    'a clock that was set back',
    (keeper) => {
      now -= 3 * DAY
      return keeper.check()
    },
  ],
  [
    'a damaged file of attempts',
    (keeper) => {
      writeFileSync(`${certificatePath(folder, NAMES)}.attempts.json`, '{"failures":')
      return keeper.check()
    },
  ],
])('what ends a pause: %s', async (_, again) => {
  const keeper = keeperWith({})
  await keeper.check()
  await again(keeper)
  expect(ordered).toBe(2)
})

test('a failure changes nothing that is in use', async () => {
  const path = certificatePath(folder, NAMES)
  writeFileSync(path, FIRST.cert + FIRST.key)
  await keeperWith({}).check()
  expect(readFileSync(path, 'utf8')).toBe(FIRST.cert + FIRST.key)
  expect(readAttempts(path)?.problem).toBe('refused 1')
})

test('one order fails, the next one is made', async () => {
  const seen: string[] = []
  const keeper = keeperWith({
    orders: () => [['a.example'], ['b.example']],
    order: (_authority, _folder, { names }) => {
      seen.push(names.join())
      return names[0] === 'a.example'
        ? Promise.reject(new Error('no'))
        : Promise.resolve(FIRST.cert + FIRST.key)
    },
  })
  await keeper.check()
  expect(seen).toEqual(['a.example', 'b.example'])
  expect(existsSync(join(folder, 'b.example.pem'))).toBe(true)
  expect(keeper.states().map(({ failures }) => failures)).toEqual([1, 0])
})

test('looks at the same time are one look', async () => {
  const keeper = keeperWith({})
  await Promise.all([keeper.check(), keeper.check(), keeper.check()])
  expect(ordered).toBe(1)
})

test('challenges are removed after success and failure', async () => {
  const order: KeeperOptions['order'] = async (_authority, _folder, { publish }) => {
    await publish(CHALLENGE)
    throw new Error('refused')
  }
  await keeperWith({ order }).check()
  expect(published).toEqual([`+${CHALLENGE.value}`, `-${CHALLENGE.value}`])
})

test('a challenge that cannot be removed is removed later, also by the next program', async () => {
  const challenges = {
    publish: () => Promise.reject(new Error('the server does not answer')),
    remove: () => Promise.reject(new Error('the server does not answer')),
  }
  const order: KeeperOptions['order'] = async (_authority, _folder, { publish }) => {
    await publish(CHALLENGE)
    return ''
  }
  await keeperWith({ challenges, order }).check()
  expect(logged).toContain('challenge not removed')
  // It was not said whether the publication had reached the server.
  await keeperWith({}).check()
  expect(published).toEqual([`-${CHALLENGE.value}`])
})

test('a damaged list of challenges stops nothing', async () => {
  writeFileSync(join(folder, 'challenges.json'), '[{"name":1},')
  await keeperWith({}).check()
  expect(ordered).toBe(1)
})

test('closing ends an order that nobody answers, and counts it as no failure', async () => {
  const keeper = keeperWith({
    order: async (_authority, _folder, { publish }) => {
      await publish(CHALLENGE)
      return new Promise(() => undefined)
    },
  })
  const looking = keeper.check()
  while (published.length === 0) await new Promise(setImmediate)
  await keeper.close()
  await looking
  expect(published).toEqual([`+${CHALLENGE.value}`, `-${CHALLENGE.value}`])
  expect(readAttempts(certificatePath(folder, NAMES))).toBeUndefined()
})

test('a folder that cannot be written is a failure that is logged, not the end', async () => {
  const keeper = keeperWith({ order: () => Promise.resolve(FIRST.cert + FIRST.key) })
  mkdirSync(certificatePath(folder, NAMES))
  await keeper.check()
  expect(logged).toContain('certificate not issued')
})
