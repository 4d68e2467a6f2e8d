// Following the log: each change once and in order, again after a failure of the database, and waiting for a position.
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { DomainError, manualClock, silentLog } from '@zonereeve/platform'
import {
  type ChangeEvent,
  type ChangeOp,
  IN_MEMORY,
  openSqliteStorage,
  query,
  type Storage,
} from '@zonereeve/storage'
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

const create = (id: string) => changeOp('dns_record.create', id, null, { id })
const edit = (id: string) => changeOp('dns_record.update', id, { id }, { id })
const settings = changeOp('dns_settings.update', 's', {}, {})
const many = Array.from({ length: 600 }, (_, index) => create(`m${index}`))

describe('change sets that follow each other', () => {
  test.each<
    [name: string, given: readonly [scope: string, ...ops: ChangeOp[]][], expected: readonly string[]]
  >([
    [
      'of one zone are one event',
      [
        ['z', create('a')],
        ['z', edit('a'), create('b')],
      ],
      ['records z 2 of 2: a a b'],
    ],
    [
      'of several zones are apart',
      [
        ['z', create('a')],
        ['y', create('b')],
        ['y', create('c')],
        ['z', create('d')],
      ],
      ['records z 1: a', 'records y 2 of 2: b c', 'records z 2: d'],
    ],
    [
      'with another topic between them are apart',
      [
        ['z', create('a')],
        ['z', settings],
        ['z', create('b')],
      ],
      ['records z 1: a', 'settings z 2', 'records z 3: b'],
    ],
    [
      'with another topic in one of them are apart',
      [
        ['z', create('a')],
        ['z', create('b'), settings],
        ['z', create('c')],
      ],
      ['records z 1: a', 'records z 2: b', 'settings z 2', 'records z 3: c'],
    ],
    [
      'with a large one between them are apart: it is read alone',
      [
        ['z', create('a')],
        ['z', ...many],
        ['z', create('b')],
      ],
      ['records z 1: a', 'records z 2: to be read', 'records z 3: b'],
    ],
  ])('%s', async (_, given, expected) => {
    for (const [scopeId, ...ops] of given)
      await storage.write((tx) => append(tx, { scopeId, actor, serial: 1 }, ops))
    const taken: string[] = []
    const follower = follow((event) => void taken.push(shown(event)))
    await follower.catchUp()
    expect([taken, follower.reached()]).toEqual([expected, given.length])
  })

  test('are one event, with the number and the serial of the last', async () => {
    for (const [serial, id] of ['a', 'b', 'c'].entries())
      await storage.write((tx) => append(tx, { scopeId: 'z', actor, serial }, [create(id)]))
    const taken: ChangeEvent[] = []
    await follow((event) => void taken.push(event)).catchUp()
    expect(taken).toMatchObject([{ number: 3, serial: 2, changeSets: 3, kinds: ['dns_record.create'] }])
  })

  test('with an unreadable one between them are delivered, and it is read alone', async () => {
    for (const id of ['a', 'b', 'c', 'd', 'e'])
      await storage.write((tx) => append(tx, { scopeId: 'z', actor, serial: 1 }, [create(id)]))
    await storage.write((tx) =>
      tx.run(query.updateTable('change_ops').set({ after: '{}' }).where('object_id', '=', 'c')),
    )
    const taken: string[] = []
    await follow((event) => void taken.push(shown(event))).catchUp()
    expect(taken).toEqual(['records z 2 of 2: a b', 'records z 3: to be read', 'records z 5 of 2: d e'])
  })

  test('are all delivered again, with later ones, if the database did not let a subscriber read', async () => {
    const add = (scopeId: string, id: string) =>
      storage.write((tx) => append(tx, { scopeId, actor, serial: 1 }, [create(id)]))
    for (const id of ['a', 'b']) await add('z', id)
    await add('y', 'c')
    for (const id of ['d', 'e']) await add('z', id)
    const taken: string[] = []
    let failures = 1
    const follower = follow(async (event) => {
      taken.push(shown(event))
      if (event.number === 4 && (failures -= 1) >= 0)
        throw new DomainError({ reason: 'storage.unavailable', values: { problem: 'gone' } })
    })
    await expect(follower.catchUp()).rejects.toThrow(DomainError)
    expect(follower.reached()).toBe(3)
    await add('z', 'f')
    await follower.catchUp()
    expect(taken).toEqual([
      'records z 2 of 2: a b',
      'records y 1: c',
      'records z 4 of 2: d e',
      'records z 5 of 3: d e f',
    ])
  })
})

/** Topic, scope and number, the number of change sets, and the objects of operations. */
function shown(event: ChangeEvent): string {
  const { topic, scopeId, number } = event
  if (topic !== 'records') return `${topic} ${scopeId} ${number}`
  const of = event.changeSets === undefined ? '' : ` of ${event.changeSets}`
  const ids = event.ops?.map(({ objectId }) => objectId).join(' ')
  return `${topic} ${scopeId} ${number}${of}: ${ids ?? 'to be read'}`
}
