import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { manualClock, silentLog } from '@zonereeve/platform'
import { IN_MEMORY, openSqliteStorage, type Storage, type Transaction } from '@zonereeve/storage'
import { changeOp, subjectOf, verbOf } from './change-op.ts'
import { append, appendOps, beginChangeSet, findChange, lastChangeNumber } from './changes.store.ts'

const actor = { kind: 'token', id: 'u', name: 'u', requestId: 'r' } as const
const ops = ['a', 'b'].map((id) => changeOp('thing.create', id, null, { id }))
const START = Date.parse('2026-01-05T10:20:30Z')

let storage: Storage
beforeEach(async () => {
  storage = await openSqliteStorage(IN_MEMORY, silentLog, { clock: manualClock(START) })
})
afterEach(() => storage.close())

describe('appending to the log', () => {
  test('dates a change set by the clock of the storage', async () => {
    await storage.write((tx) => append(tx, { scopeId: 'zone', actor }, ops))
    const change = await findChange(storage, 'zone', 1)
    expect(change).toMatchObject({ at: '2026-01-05T10:20:30.000001Z', serial: null, actor })
    expect(change?.ops).toEqual(ops)
  })

  test('takes the time and the serial of the rows', async () => {
    const header = { scopeId: 'zone', actor, at: '2020-01-01T00:00:00.000000Z', serial: 7 }
    await storage.write((tx) => append(tx, header, ops))
    expect(await findChange(storage, 'zone', 1)).toMatchObject({ at: header.at, serial: 7 })
  })

  test('writes nothing for an empty list', async () => {
    await storage.write((tx) => append(tx, { scopeId: 'zone', actor }, []))
    expect(await lastChangeNumber(storage, 'zone')).toBe(0)
  })

  test('appends to a change set after its last operation', async () => {
    await storage.write(async (tx) => {
      const { position } = await beginChangeSet(tx, { scopeId: 'zone', actor })
      await appendOps(tx, position, [])
      for (const op of ops) await appendOps(tx, position, [op])
    })
    expect((await findChange(storage, 'zone', 1))?.ops).toEqual(ops)
  })

  test('fails, and stores no operation, if the database returns no position', async () => {
    const written = storage.write((tx) => {
      const isInsert = ({ sql }: { readonly sql: string }) => sql.startsWith('insert into "changes"')
      const forgetful: Transaction = {
        ...tx,
        first: (query) => (isInsert(query.compile()) ? Promise.resolve(undefined) : tx.first(query)),
      }
      return append(forgetful, { scopeId: 'zone', actor }, ops)
    })
    await expect(written).rejects.toThrow('a change of zone was inserted without a position')
    expect(await lastChangeNumber(storage, 'zone')).toBe(0)
  })
})

test('change sets that share a commit are delivered together, and mark their requests as recorded', async () => {
  const delivered: number[] = []
  const database = await openSqliteStorage(IN_MEMORY, silentLog, {
    clock: manualClock(START),
    deliver: (events) => void delivered.push(events.length),
  })
  const actors = [1, 2, 3].map((n) => ({
    ...actor,
    requestId: `r${n}`,
    trail: { address: '192.0.2.1', operation: 'create', isRecorded: false },
  }))
  const create = changeOp('record.create', 'a', null, { id: 'a' })
  await Promise.all(
    actors.map((by) =>
      database.write((tx) => append(tx, { scopeId: 'zone', actor: by, serial: 1 }, [create])),
    ),
  )
  expect(delivered).toEqual([3])
  expect(actors.map(({ trail }) => trail.isRecorded)).toEqual([true, true, true])

  const refused = { ...actor, trail: { address: '192.0.2.1', operation: 'create', isRecorded: false } }
  const failed = database.write(async (tx) => {
    await append(tx, { scopeId: 'zone', actor: refused, serial: 2 }, [create])
    throw new Error('refused')
  })
  await expect(failed).rejects.toThrow('refused')
  expect(refused.trail.isRecorded).toBe(false)
  await database.close()
})

describe('an operation', () => {
  const state = { id: 'a' }
  test.each([
    ['create', null, state],
    ['update', state, state],
    ['delete', state, undefined],
  ])('that has these states is %s', (verb, before, after) => {
    expect(verbOf(before, after)).toBe(verb)
    expect(subjectOf(before, after)).toBe(state)
  })

  test('without states has no subject', () => {
    expect(() => subjectOf(null, undefined)).toThrow('an operation has neither state')
  })

  test('serializes its states with the given function', () => {
    const op = changeOp('key.update', 'k', { secret: '1' }, { secret: '2' }, () => '"hidden"')
    expect(op).toEqual({ kind: 'key.update', objectId: 'k', before: '"hidden"', after: '"hidden"' })
  })
})
