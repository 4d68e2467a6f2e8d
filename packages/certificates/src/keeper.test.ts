// When certificates are ordered, what a failure does, and what a killed program leaves. The authority is a function here;
// a real one is asked in the tests of the server.
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { readAttempts } from './attempts.ts'
import { EXACT, FEWER, MORE } from './issued.cases.ts'
import { createKeeper, type KeeperOptions } from './keeper.ts'
import type { Challenge } from './pending-challenges.ts'
import { certificatePath, storeCertificate } from './stored-certificate.ts'

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
      remove: async ({ value }) => {
        published.push(`-${value}`)
        return 'removed'
      },
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
  storeCertificate(path, FEWER)
  const before = readFileSync(path, 'utf8')
  await keeperWith({}).check()
  expect(readFileSync(path, 'utf8')).toBe(before)
  expect(readAttempts(path)?.problem).toBe('refused 1')
})

test('one order fails, the next one is made', async () => {
  const seen: string[] = []
  const keeper = keeperWith({
    orders: () => [['b.example'], ['a.example']],
    order: (_authority, _folder, { names }) => {
      seen.push(names.join())
      return names[0] === 'b.example' ? Promise.reject(new Error('no')) : Promise.resolve(FEWER)
    },
  })
  await keeper.check()
  expect(seen).toEqual(['b.example', 'a.example'])
  expect(existsSync(join(folder, 'a.example.pem'))).toBe(true)
  expect(keeper.states().map(({ failures }) => failures)).toEqual([1, 0])
})

const answering =
  (pem: string): NonNullable<KeeperOptions['order']> =>
  () => {
    ordered += 1
    return Promise.resolve(pem)
  }

test.each<[string, string, number, { failures: number; stored: boolean }]>([
  ['one that fits', EXACT, START, { failures: 0, stored: true }],
  ['one with a name more', MORE, START, { failures: 0, stored: true }],
  ['one without a name', FEWER, START, { failures: 1, stored: false }],
  ['none', '', START, { failures: 1, stored: false }],
  // Clients may have the right time.
  [
    'one that is due, because the clock is months ahead',
    EXACT,
    START + 80 * DAY,
    { failures: 1, stored: true },
  ],
])('the next order waits after a new certificate: %s', async (_, pem, at, { failures, stored }) => {
  now = at
  const keeper = keeperWith({ order: answering(pem) })
  for (let look = 0; look < 3; look += 1) await keeper.check()
  await keeperWith({ order: answering(pem) }).check()
  expect(ordered).toBe(1)
  expect(keeper.states()).toMatchObject([{ failures }])
  expect(readAttempts(certificatePath(folder, NAMES))?.failures ?? 0).toBe(failures)
  expect(existsSync(certificatePath(folder, NAMES))).toBe(stored)
})

test('a program that dies during an order has counted it', async () => {
  let dying = true
  void keeperWith({
    order: () => {
      dying = false
      return new Promise(() => undefined)
    },
  }).check()
  while (dying) await new Promise(setImmediate)
  const next = keeperWith({})
  await next.check()
  expect(ordered).toBe(0)
  expect(next.states()).toMatchObject([{ failures: 1, nextMillis: START + MINUTE }])
})

test('nothing is ordered while an attempt cannot be saved, and that is not said at each look', async () => {
  mkdirSync(`${certificatePath(folder, NAMES)}.attempts.json`)
  const keeper = keeperWith({})
  for (let look = 0; look < 3; look += 1) await keeper.check()
  expect(ordered).toBe(0)
  expect(logged).toEqual(['certificate not issued'])
  // It can neither be forgotten: the caller is not stopped.
  await keeper.retry()
  expect(logged).toContain('failed orders not forgotten')
})

test('the rights of a folder that exists stay', () => {
  chmodSync(folder, 0o755)
  keeperWith({})
  expect(statSync(folder).mode & 0o777).toBe(0o755)
})

test.each([
  ['a certificate with its key', 'a.example.pem'],
  ['a key beside', 'a.example.key'],
])('a file of somebody else is named, and stays: %s', async (_, file) => {
  writeFileSync(join(folder, file), FEWER)
  const keeper = keeperWith({ order: answering(EXACT) })
  await keeper.check()
  await keeper.check()
  expect(readFileSync(join(folder, file), 'utf8')).toBe(FEWER)
  expect([ordered, logged]).toEqual([0, ['certificate not issued']])
  expect(keeper.states()[0]?.problem).toContain(join(folder, file))
})

test("an operator's certificate for the names is used until it is due", async () => {
  writeFileSync(certificatePath(folder, NAMES), MORE)
  const keeper = keeperWith({ order: answering(EXACT) })
  await keeper.check()
  expect([ordered, logged]).toEqual([0, []])
  expect(keeper.states()).toMatchObject([{ failures: 0, endsMillis: Date.parse('2026-04-05T10:20:00Z') }])
})

test('states are those of the last look, and read no files', async () => {
  const path = certificatePath(folder, NAMES)
  const keeper = keeperWith({})
  expect(keeper.states()).toEqual([])
  storeCertificate(path, EXACT)
  await keeper.check()
  const [before] = keeper.states()
  rmSync(path)
  expect(keeper.states()).toEqual([before])
  await keeper.check()
  expect(keeper.states()).toMatchObject([{ endsMillis: undefined, failures: 1 }])
})

test('a file that is replaced is read at the next look', async () => {
  const path = certificatePath(folder, NAMES)
  storeCertificate(path, EXACT)
  const keeper = keeperWith({})
  await keeper.check()
  writeFileSync(path, FEWER)
  utimesSync(path, 1, 1)
  await keeper.check()
  expect([ordered, keeper.states()[0]?.endsMillis]).toEqual([0, undefined])
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

test.each<[string, () => Promise<'refused'>, number[], boolean]>([
  ['not now: with pauses', () => Promise.reject(new Error('not now')), [1, 1, 2, 2, 3], true],
  ['never: once', () => Promise.resolve('refused'), [1, 1, 1, 1, 1], false],
])('a challenge that the server does not remove: %s', async (_, answer, expected, isLeft) => {
  writeFileSync(join(folder, 'challenges.json'), JSON.stringify([CHALLENGE]))
  let asked = 0
  const remove = () => {
    asked += 1
    return answer()
  }
  const challenges = { publish: () => Promise.resolve(), remove }
  const keeper = keeperWith({ challenges, orders: () => [] })
  const counts: number[] = []
  for (const at of [0, 1, MINUTE, 2 * MINUTE, 3 * MINUTE]) {
    now = START + at
    await keeper.check()
    counts.push(asked)
  }
  expect(counts).toEqual(expected)
  expect(logged).toEqual(Array.from({ length: asked }, () => 'challenge not removed'))
  const left: unknown = JSON.parse(readFileSync(join(folder, 'challenges.json'), 'utf8'))
  expect(left).toEqual(isLeft ? [CHALLENGE] : [])
})

test('a damaged list of challenges stops nothing', async () => {
  writeFileSync(join(folder, 'challenges.json'), '[{"name":1},')
  await keeperWith({}).check()
  expect(ordered).toBe(1)
})

test('closing ends an order that is not answered, and counts it as no failure', async () => {
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

test('closing keeps the failures before', async () => {
  await keeperWith({}).check()
  now += MINUTE
  const path = certificatePath(folder, NAMES)
  const before = readAttempts(path)
  let began = false
  const keeper = keeperWith({
    order: () => {
      began = true
      return new Promise(() => undefined)
    },
  })
  void keeper.check()
  while (!began) await new Promise(setImmediate)
  await keeper.close()
  expect(before?.failures).toBe(1)
  expect(readAttempts(path)).toEqual(before)
})

test('a folder that cannot be written is a failure that is logged, not the end', async () => {
  const keeper = keeperWith({ order: answering(EXACT) })
  mkdirSync(certificatePath(folder, NAMES))
  await keeper.check()
  expect(logged).toContain('certificate not issued')
})
