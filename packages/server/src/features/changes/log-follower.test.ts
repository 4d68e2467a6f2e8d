// Following the log: each change once and in order, again after a failure of the database, and waiting for a position.
import { afterEach, beforeEach, expect, test } from 'vitest'
import { DomainError, manualClock, silentLog } from '@zonereeve/platform'
import { type ChangeEvent, IN_MEMORY, openSqliteStorage, type Storage } from '@zonereeve/storage'
import { changeOp } from './change-op.ts'
import { append } from './changes.store.ts'
import { createEventHub, TOPICS } from './events.ts'
import { createLogFollower, POLL_MILLIS } from './log-follower.ts'

const actor = { kind: 'token', id: 'u', name: 'u', requestId: 'r' } as const
const LONG_MILLIS = 60_000

let storage: Storage
beforeEach(async () => {
  storage = await openSqliteStorage(IN_MEMORY, silentLog, { clock: manualClock(0) })
})
afterEach(() => storage.close())

const write = (scopeId: string) =>
  storage.write((tx) => append(tx, { scopeId, actor, serial: 1 }, [changeOp('zone.update', scopeId, {}, {})]))

function follow(take: (event: ChangeEvent) => void | Promise<void>) {
  const hub = createEventHub(silentLog)
  hub.subscribe(TOPICS, take)
  return createLogFollower({ storage, hub, log: silentLog, position: 0 })
}

test('changes are delivered once, in the order of the log, and waited for', async () => {
  const taken: string[] = []
  const follower = follow(({ scopeId, number }) => void taken.push(`${scopeId} ${number}`))
  for (const scope of ['a', 'b', 'a']) await write(scope)
  follower.start()
  expect(await follower.waitFor(3, LONG_MILLIS)).toBe(true)
  await write('b')
  expect(await follower.waitFor(4, LONG_MILLIS)).toBe(true)
  expect([taken, follower.reached()]).toEqual([['a 1', 'b 1', 'a 2', 'b 2'], 4])
  expect(await follower.waitFor(5, 1)).toBe(false)
  await follower.stop()
})

test('a change that the database did not let a subscriber read is delivered again, before the next', async () => {
  const taken: string[] = []
  let failures = 2
  const follower = follow(async ({ scopeId }) => {
    taken.push(scopeId)
    if (scopeId === 'b' && (failures -= 1) >= 0)
      throw new DomainError({ reason: 'storage.unavailable', values: { problem: 'gone' } })
  })
  for (const scope of ['a', 'b', 'c']) await write(scope)
  await expect(follower.catchUp()).rejects.toMatchObject({ issues: [{ reason: 'storage.unavailable' }] })
  expect(follower.reached()).toBe(1)
  follower.start()
  expect(await follower.waitFor(3, LONG_MILLIS)).toBe(true)
  expect(taken).toEqual(['a', 'b', 'b', 'b', 'c'])
  await follower.stop()
})

test('any other failure is reported, and does not hold up the changes after it', async () => {
  const follower = follow(({ scopeId }) => {
    if (scopeId === 'a') throw new Error('damaged')
  })
  for (const scope of ['a', 'b']) await write(scope)
  await follower.catchUp()
  expect(follower.reached()).toBe(2)
})

test('work between changes runs while none is applied, and not on a node that does not follow', async () => {
  const steps: string[] = []
  let go = (): void => {}
  const applied = new Promise<void>((resolve) => (go = resolve))
  const follower = follow(async ({ scopeId }) => {
    steps.push(`${scopeId} begins`)
    if (scopeId === 'a') await applied
    steps.push(`${scopeId} ends`)
  })
  const work = async (): Promise<void> => {
    steps.push('work begins')
    await write('b')
    follower.wake()
    await new Promise((resolve) => setTimeout(resolve, 2 * POLL_MILLIS))
    steps.push('work ends')
  }
  await follower.betweenChanges(work)
  expect(steps).toEqual([])
  await write('a')
  follower.start()
  await expect.poll(() => steps).toEqual(['a begins'])
  const working = follower.betweenChanges(work)
  go()
  await working
  expect(await follower.waitFor(2, LONG_MILLIS)).toBe(true)
  expect(steps).toEqual(['a begins', 'a ends', 'work begins', 'work ends', 'b begins', 'b ends'])
  await follower.stop()
})
