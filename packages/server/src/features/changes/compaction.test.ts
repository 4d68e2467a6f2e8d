// Compaction: old history is deleted, recent history can be restored as before, and an interrupted run is completed.
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { query, type Storage } from '@zonereeve/storage'
import { startTestApp, type TestApp } from '../../testing/app.ts'
import { readChangeLog } from '../../testing/change-log.ts'
import { append } from './changes.store.ts'
import { compactHistory } from './compaction.ts'
import { historyFloor } from './history-floors.store.ts'

const DAY_MILLIS = 86_400_000
const OLD = '2020-01-01T00:00:00.000000Z'
const HISTORY_DAYS = 30

let app: TestApp
let zone: string
beforeEach(async () => {
  app = await startTestApp()
  zone = (await app.must('POST', '/zones', { name: 'example.com' })).id
  for (const name of ['a', 'b', 'c', 'd']) await add(name)
})
afterEach(() => app.close())

const add = (name: string) =>
  app.must<{ id: string }>('POST', `/zones/${zone}/dns_records`, { type: 'A', name, content: '192.0.2.1' })
const names = async () =>
  (await app.must<{ name: string }[]>('GET', `/zones/${zone}/dns_records`)).map(({ name }) => name).toSorted()
const history = (method: string, path: string, body?: object) =>
  app.call<object[]>({ method, path: `/zonereeve/zones/${zone}${path}`, ...(body && { body }) })
const refusal = async (method: string, path: string, body?: object) => {
  const { status, json } = await history(method, path, body)
  return [status, json.errors[0]?.code, json.errors[0]?.message]
}

/** Moves the dates of change sets up to a number into the past, and those before the zone as well. */
async function age(number: number): Promise<void> {
  const last = query.selectFrom('changes').select('position').where('scope_id', '=', zone)
  const row = await app.storage.first(last.where('number', '=', number))
  await app.storage.write((tx) =>
    tx.run(
      query
        .updateTable('changes')
        .set({ at: OLD })
        .where('position', '<=', row?.position ?? 0),
    ),
  )
}

const compact = (storage: Storage = app.storage, historyDays = HISTORY_DAYS) =>
  compactHistory({ storage, clock: app.clock, historyDays })

const gone =
  'The history before change set 4 was deleted (setting history-days); the earliest number that can be restored or compared is 3'

describe('compaction', () => {
  test('keeps everything by default', async () => {
    await age(5)
    const before = await readChangeLog(app.storage)
    expect(await compact(app.storage, 0)).toBe(0)
    expect(await readChangeLog(app.storage)).toEqual(before)
  })

  test('deletes nothing that is recent enough', async () => {
    const before = await readChangeLog(app.storage)
    expect(await compact()).toBe(0)
    expect(await readChangeLog(app.storage)).toEqual(before)
    expect(await historyFloor(app.storage, zone)).toBe(1)
  })

  test('deletes old changes, and keeps the row below the floor', async () => {
    await age(3)
    await compact()
    const log = await readChangeLog(app.storage, zone)
    expect(log.map(({ number, ops }) => [number, ops.length])).toEqual([
      [3, 0],
      [4, 1],
      [5, 1],
    ])
    const { json } = await history('GET', '/changes?per_page=1&page=2')
    expect(json.result).toMatchObject([{ number: 4 }])
    expect(json).toMatchObject({ result_info: { count: 1, total_count: 2, total_pages: 2 } })
    expect((await history('GET', '/changes?per_page=2&page=2')).json.result).toEqual([])
  })

  test.each([
    ['the last change', 5, ['a', 'b', 'c', 'd']],
    ['the floor', 4, ['a', 'b', 'c']],
    ['the number below the floor', 3, ['a', 'b']],
  ])('a restore to %s works as before', async (_, number, left) => {
    await age(3)
    await compact()
    expect((await history('POST', '/restore', { number })).status).toBe(200)
    expect(await names()).toEqual(left.map((name) => `${name}.example.com`))
  })

  test('a restore to a time between the floor and the change below it works', async () => {
    await age(3)
    await compact()
    const at = new Date(app.clock.now() - DAY_MILLIS).toISOString()
    expect((await history('POST', '/restore', { at })).status).toBe(200)
    expect(await names()).toEqual(['a.example.com', 'b.example.com'])
  })

  test.each([
    ['restore to a number', 'POST', '/restore', { number: 2 }],
    ['restore to a time', 'POST', '/restore', { at: '2019-01-01T00:00:00Z' }],
    ['undo', 'POST', '/changes/2/revert', {}],
    ['revert of the row that stays', 'POST', '/changes/3/revert', {}],
    ['read', 'GET', '/changes/1', undefined],
  ])('below the floor: %s is rejected and names the earliest number', async (_, method, path, body) => {
    await age(3)
    await compact()
    expect(await refusal(method, path, body)).toEqual([410, 19857, gone])
    expect(await names()).toHaveLength(4)
  })

  test.each([
    ['from', 'from=2&to=5', '/from'],
    ['to', 'from=5&to=2', '/to'],
    ['to, where the row is deleted as well', 'from=4&to=1', '/to'],
  ])('below the floor: a comparison %s it is rejected', async (_, query, pointer) => {
    await age(3)
    await compact()
    const { status, json } = await history('GET', `/diff?${query}`)
    expect([status, json.errors]).toMatchObject([410, [{ code: 19857, message: gone, source: { pointer } }]])
  })

  test.each([
    ['the number below the floor', 'from=3&to=5', 2],
    ['the number below the floor, backward', 'from=5&to=3', 2],
    ['only that', 'from=3&to=3', 0],
    ['the floor', 'from=4&to=5', 1],
  ])('a comparison with %s works as before', async (_, query, count) => {
    await age(3)
    await compact()
    const { status, json } = await history('GET', `/diff?${query}`)
    expect([status, json.result]).toMatchObject([200, { records: { length: count } }])
  })

  test('a run that was killed after it moved the floor deletes nothing from comparisons above it', async () => {
    await age(3)
    await expect(compact(failingAfter(1))).rejects.toThrow('killed')
    expect((await history('GET', '/diff?from=3&to=5')).status).toBe(200)
    expect((await history('GET', '/diff?from=2&to=5')).status).toBe(410)
  })

  test('numbering continues if the whole history was deleted', async () => {
    await age(5)
    await compact()
    expect((await history('GET', '/changes')).json).toMatchObject({
      result: [],
      result_info: { total_count: 0 },
    })
    await add('e')
    expect((await history('GET', '/changes')).json).toMatchObject({
      result: [{ number: 6 }],
      result_info: { total_count: 1 },
    })
    expect((await history('POST', '/changes/6/revert', {})).status).toBe(200)
    expect((await history('POST', '/restore', { number: 5 })).status).toBe(200)
    expect(await names()).toHaveLength(4)
  })

  test('a zone whose records are still being deleted is skipped until they are deleted', async () => {
    await age(5)
    await app.storage.write((tx) =>
      tx.run(query.insertInto('deleted_zones').values({ zone_id: zone, position: 1 })),
    )
    const before = await readChangeLog(app.storage, zone)
    await compact()
    expect(await readChangeLog(app.storage, zone)).toEqual(before)
    await app.storage.write((tx) => tx.run(query.deleteFrom('deleted_zones')))
    await compact()
    expect((await readChangeLog(app.storage, zone)).map(({ ops }) => ops.length)).toEqual([0])
  })

  /** A storage whose writes fail after the first few, as if the process was killed there. */
  function failingAfter(writes: number): Storage {
    let left = writes
    const write: Storage['write'] = (work) =>
      left-- > 0 ? app.storage.write(work) : Promise.reject(new Error('killed'))
    return Object.assign(Object.create(app.storage) as Storage, { write })
  }

  async function expectNoStrayOps(): Promise<void> {
    const rows = await app.storage.all(query.selectFrom('changes').select('position'))
    const known = new Set(rows.map(({ position }) => position))
    const ops = await app.storage.all(query.selectFrom('change_ops').select('position'))
    expect(ops.filter(({ position }) => !known.has(position))).toEqual([])
  }

  const remaining = async (scopeId: string) =>
    (await readChangeLog(app.storage, scopeId)).map(({ number, ops }) => [number, ops.length])

  test('a run that is killed before any of its writes is completed by the next', async () => {
    await age(3)
    await expect(compact(failingAfter(0))).rejects.toThrow('killed')
    expect((await history('GET', '/changes/2')).status).toBe(200)
    // The floor has moved; all operations still exist.
    await expect(compact(failingAfter(1))).rejects.toThrow('killed')
    expect(await remaining(zone)).toHaveLength(5)
    expect(await refusal('GET', '/changes/2')).toEqual([410, 19857, gone])
    // Operations are deleted; all rows still exist.
    await expect(compact(failingAfter(1))).rejects.toThrow('killed')
    const whole = [
      [4, 1],
      [5, 1],
    ]
    expect(await remaining(zone)).toEqual([[1, 0], [2, 0], [3, 0], ...whole])
    await compact()
    expect(await remaining(zone)).toEqual([[3, 0], ...whole])
    await expectNoStrayOps()
    expect(await compact()).toBe(0)
  })

  test('a log of many chunks, killed before each write in turn, ends as if it had not been killed', async () => {
    const op = { kind: 'test.change', objectId: 'o', before: null, after: '{}' }
    const actor = { kind: 'system', id: '', name: '', requestId: '' } as const
    const appendOld = (scopeId: string, count: number) =>
      app.storage.write((tx) =>
        append(
          tx,
          { scopeId, actor, at: OLD },
          Array.from({ length: count }, () => op),
        ),
      )
    for (const scopeId of [zone, 'other']) await appendOld(scopeId, 600)
    for (let count = 0; count < 400; count += 1) await appendOld(count % 3 === 0 ? 'third' : 'other', 1)
    await app.storage.write((tx) => tx.run(query.updateTable('changes').set({ at: OLD })))
    await add('young')

    let kills = 0
    for (; ; kills += 1) {
      const writes = kills % 4
      try {
        await compact(failingAfter(writes === 3 ? 1 : writes))
        break
      } catch (failure) {
        expect(failure).toMatchObject({ message: 'killed' })
        await expectNoStrayOps()
      }
    }
    expect(kills).toBeGreaterThan(3)
    expect(await remaining(zone)).toEqual([
      [6, 0],
      [7, 1],
    ])
    expect(await remaining('other')).toEqual([[267, 0]])
    expect(await remaining('third')).toEqual([[134, 0]])
    await expectNoStrayOps()
    expect(await compact()).toBe(0)
  })
})
