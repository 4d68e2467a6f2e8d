// Large change sets, whose later operations are packed: everything that reads the log sees the same operations.
import * as fc from 'fast-check'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { missingOf, POSTGRESQL } from '../../../../../scripts/requirements.ts'
import { describeWith } from '../../../../../scripts/test-requirements.ts'
import { DomainError, manualClock, silentLog } from '@zonereeve/platform'
import { IN_MEMORY, openPostgresStorage, openSqliteStorage, query, type Storage } from '@zonereeve/storage'
import { type PostgresServer, START_MILLIS, startPostgres } from '@zonereeve/storage/testing/postgres.ts'
import { scratchFolder } from '@zonereeve/platform/testing/scratch-folder.ts'
import { changeOp, type ChangeOp } from './change-op.ts'
import { listChanges, findChanges } from './change-list.store.ts'
import {
  countOpsAfter,
  countRange,
  createOpWriter,
  kindsBetween,
  nextOrdinal,
  OPS_IN_ROWS,
  opsBackward,
  opsForward,
  opsOfRange,
  recordOpsBetween,
} from './change-ops.store.ts'
import { append, appendOps, beginChangeSet, eachOpAfter, findChange } from './changes.store.ts'
import { compactHistory } from './compaction.ts'

const actor = { kind: 'token', id: 'u', name: 'u', requestId: 'r' } as const
const clock = manualClock(Date.parse('2026-01-05T10:20:30Z'))
const OPS = 1_600
const ops = Array.from({ length: OPS }, (_, index) => {
  const state = (ttl: number) => ({ id: `r${index}`, name: `h${index}.Example.com`, ttl })
  if (index === OPS - 2) return changeOp('dns_record.delete', `r${index}`, state(1), null)
  if (index === OPS - 1) return changeOp('dns_record.update', `r${index}`, state(1), state(2))
  return changeOp('dns_record.create', `r${index}`, null, state(1))
})

let postgres: PostgresServer | undefined
beforeAll(async () => {
  if (missingOf(['postgresql']) === undefined) postgres = await startPostgres(POSTGRESQL)
}, START_MILLIS)
afterAll(() => postgres?.stop())

const ENGINES = [
  ['SQLite', []],
  ['PostgreSQL', ['postgresql']],
] as const

let storage: Storage
async function open(engine: string): Promise<Storage> {
  if (engine === 'SQLite' || postgres === undefined) return openSqliteStorage(IN_MEMORY, silentLog, { clock })
  const url = await postgres.createDatabase()
  return openPostgresStorage({ url, keyFile: join(scratchFolder(), 'key') }, silentLog, { clock })
}

const appendAll = (scopeId = 'zone') => storage.write((tx) => append(tx, { scopeId, actor }, ops))
const countRows = async () => ({
  rows: (await storage.all(query.selectFrom('change_ops').select('ordinal'))).length,
  packed: (await storage.all(query.selectFrom('change_op_blocks').select('operations'))).map(
    ({ operations }) => operations,
  ),
})

const text = fc.option(fc.json())
const anyOps = fc.array(
  fc.record({
    kind: fc.constantFrom('a.create', 'b.update'),
    objectId: fc.uuid(),
    before: text,
    after: text,
  }),
  { minLength: 1, maxLength: 40 },
)

for (const [engine, needed] of ENGINES)
  describeWith(needed, `a change set of 1,600 operations in ${engine}`, () => {
    beforeEach(async () => {
      storage = await open(engine)
    }, START_MILLIS)
    afterEach(() => storage.close())

    test('is stored as 1,000 rows and two blocks', async () => {
      await appendAll()
      expect(await countRows()).toEqual({ rows: OPS_IN_ROWS, packed: [500, 100] })
    })

    test('is read in its order, and from its end', async () => {
      await appendAll()
      expect((await findChange(storage, 'zone', 1))?.ops).toEqual(ops)
      const seen: ChangeOp[] = []
      await storage.write((tx) => eachOpAfter(tx, 'zone', 0, (op) => seen.push(op)))
      expect(seen).toEqual(ops.toReversed())
    })

    test('is read and counted with those around it, from the last to the first', async () => {
      const small = (id: string) =>
        storage.write((tx) => append(tx, { scopeId: 'zone', actor }, [changeOp('a.create', id, null, {})]))
      const first = Array.from({ length: 600 }, (_, index) => `s${index}`)
      for (const id of first) await small(id)
      await appendAll()
      await appendAll('other')
      await appendAll()
      await small('last')
      const read = async (after: number, last: number) => {
        const seen: string[] = []
        for await (const chunk of opsOfRange(storage, { scopeId: 'zone', after, last }))
          for (const { objectId } of chunk) seen.push(objectId)
        return seen.toReversed()
      }
      const large = ops.map(({ objectId }) => objectId)
      expect(await read(0, 603)).toEqual([...first, ...large, ...large, 'last'])
      expect(await read(599, 601)).toEqual(['s599', ...large])
      expect(await read(601, 601)).toEqual([])
      const count = (limit: number) => countRange(storage, { scopeId: 'zone', after: 599, last: 602 }, limit)
      expect(await count(10_000)).toEqual({ changes: 3, operations: 1 + 2 * OPS })
      expect(await count(1_200)).toEqual({ changes: 3, operations: 1_200 })
    })

    test('is counted and described', async () => {
      await appendAll()
      const { changes, totalCount } = await listChanges(storage, 'zone', { offset: 0, limit: 5 })
      expect(totalCount).toBe(1)
      expect(changes).toMatchObject([
        { operations: OPS, kinds: [{ kind: 'dns_record.create', operations: 1_000 }] },
      ])
      expect(await countOpsAfter(storage, 0, 10_000)).toBe(OPS)
      expect(await countOpsAfter(storage, 0, 1_200)).toBe(1_200)
      await storage.write((tx) =>
        append(tx, { scopeId: 'zone', actor }, [changeOp('zone.edit', 'z', null, {})]),
      )
      const kindsAt = await kindsBetween(storage, 0, 2)
      expect(kindsAt(1)).toEqual(['dns_record.create', 'dns_record.delete', 'dns_record.update'])
      expect(kindsAt(2)).toEqual(['zone.edit'])
      expect(kindsAt(3)).toEqual([])
      expect((await kindsBetween(storage, 1, 2))(1)).toEqual([])
    })

    test('is read alone, while those of small change sets around it are read at once', async () => {
      const add = (scopeId: string, ...added: ChangeOp[]) =>
        storage.write((tx) => append(tx, { scopeId, actor }, added))
      const create = (id: string) => changeOp('dns_record.create', id, null, { id })
      const settings = changeOp('dns_settings.update', 's', {}, {})
      await add('zone', create('a'))
      await add('other', create('b'), settings, create('c'))
      await add('zone', settings)
      await appendAll()
      await add(
        'zone',
        ...Array.from({ length: OPS_IN_ROWS }, () => settings),
        create('packed'),
        create('too'),
      )
      await add('zone', create('d'))
      const { opsAt } = await recordOpsBetween(storage, 0, 6)
      const read = [1, 2, 3, 4, 5, 6, 7].map((at) => opsAt(at)?.map(({ objectId }) => objectId))
      expect(read).toEqual([['a'], ['b', 'c'], undefined, undefined, undefined, ['d'], undefined])
      expect(opsAt(1)).toEqual([create('a')])
      const { opsAt: later } = await recordOpsBetween(storage, 1, 2)
      expect([1, 2, 6].map((at) => later(at)?.length)).toEqual([undefined, 2, undefined])
    })

    test('that has not been read whole is read alone, as are those after it', async () => {
      const some = (from: number, to: number) =>
        storage.write((tx) => append(tx, { scopeId: 'zone', actor }, ops.slice(from, to)))
      await some(0, 200)
      await some(200, 499)
      await some(499, 501)
      await some(501, 502)
      const { opsAt } = await recordOpsBetween(storage, 0, 4)
      expect([1, 2, 3, 4].map((at) => opsAt(at)?.length)).toEqual([200, 299, undefined, undefined])
      expect(opsAt(2)).toEqual(ops.slice(200, 499))
      const { opsAt: fromSecond } = await recordOpsBetween(storage, 1, 4)
      expect([1, 2, 3, 4].map((at) => fromSecond(at)?.length)).toEqual([undefined, 299, 2, 1])
    })

    test('an operation that is unreadable leaves its change set to be read alone, and no other', async () => {
      for (const id of ['a', 'b', 'c'])
        await storage.write((tx) =>
          append(tx, { scopeId: id, actor }, [changeOp('dns_record.create', id, null, { id })]),
        )
      await storage.write((tx) =>
        tx.run(query.updateTable('change_ops').set({ after: '{}' }).where('position', '=', 2)),
      )
      const { opsAt } = await recordOpsBetween(storage, 0, 3)
      expect([1, 2, 3].map((at) => opsAt(at)?.length)).toEqual([1, undefined, 1])
      await expect(findChange(storage, 'b', 1)).rejects.toThrow('storage.damaged')
      const failing = (reason: 'storage.damaged' | 'storage.unavailable') => ({
        ...storage,
        all: () => Promise.reject(new DomainError({ reason, values: { problem: '', remedy: '' } } as never)),
      })
      const { opsAt: none } = await recordOpsBetween(failing('storage.damaged'), 0, 3)
      expect([1, 2, 3].map(none)).toEqual([undefined, undefined, undefined])
      await expect(recordOpsBetween(failing('storage.unavailable'), 0, 3)).rejects.toThrow(DomainError)
    })

    test.each([
      ['a kind of a row', { kind: 'dns_record.create' }, 1],
      ['a kind that is only packed', { kind: 'dns_record.delete' }, 1],
      ['a noun', { kind: 'dns_record' }, 1],
      ['a part of a kind', { kind: 'dns_rec' }, 0],
      ['another kind', { kind: 'zone' }, 0],
      ['a name of a row', { name: 'h999.example' }, 1],
      ['a name that is only packed', { name: 'H1599.EXAMPLE' }, 1],
      ['the name of a packed deletion', { name: 'h1598.' }, 1],
      ['no name', { name: 'h1600' }, 0],
      ['an id, which is no name', { name: 'r1599' }, 0],
    ])('is found by %s', async (_, filter, count) => {
      await appendAll()
      await appendAll('other')
      const found = await findChanges(storage, 'zone', filter, { offset: 0, limit: 5 })
      expect(found).toMatchObject({ totalCount: count })
      expect(found.changes).toHaveLength(count)
    })

    test('grows by later transactions', async () => {
      const begun = await storage.write((tx) => beginChangeSet(tx, { scopeId: 'zone', actor }))
      for (const part of [ops.slice(0, 900), ops.slice(900, 1_300), ops.slice(1_300)])
        await storage.write((tx) => appendOps(tx, begun.position, part))
      expect((await findChange(storage, 'zone', 1))?.ops).toEqual(ops)
      expect(await nextOrdinal(storage, begun.position)).toBe(OPS)
    })

    test('that fails leaves nothing', async () => {
      const failed = storage.write(async (tx) => {
        await append(tx, { scopeId: 'zone', actor }, ops)
        throw new Error('no')
      })
      await expect(failed).rejects.toThrow('no')
      expect(await countRows()).toEqual({ rows: 0, packed: [] })
    })

    test('is deleted by compaction, and nothing of the next one', async () => {
      await appendAll()
      clock.advance(10 * 86_400_000)
      await appendAll()
      expect(await compactHistory({ storage, clock, historyDays: 5 })).toBe(OPS)
      expect(await countRows()).toEqual({ rows: OPS_IN_ROWS, packed: [500, 100] })
      expect((await findChange(storage, 'zone', 2))?.ops).toEqual(ops)
    })

    test('that is damaged is refused, and names its operations', async () => {
      await appendAll()
      await storage.write((tx) =>
        tx.run(
          query
            .updateTable('change_op_blocks')
            .set({ packed: Uint8Array.of(0) })
            .where('ordinal', '=', 1_500),
        ),
      )
      await expect(findChange(storage, 'zone', 1)).rejects.toThrow(
        expect.objectContaining({ issues: [expect.objectContaining({ reason: 'storage.damaged' })] }),
      )
    })

    test('any operations are read as they were written', async () => {
      await fc.assert(
        fc.asyncProperty(anyOps, async (any) => {
          const position = await storage.write(async (tx) => {
            const begun = await beginChangeSet(tx, { scopeId: 'zone', actor })
            const writer = createOpWriter(tx, begun.position, OPS_IN_ROWS - 5)
            await writer.append(any)
            await writer.flush()
            return begun.position
          })
          const forward: ChangeOp[] = []
          for await (const chunk of opsForward(storage, position)) forward.push(...chunk)
          const backward: ChangeOp[] = []
          for await (const chunk of opsBackward(storage, position)) backward.push(...chunk)
          expect(forward).toEqual(any)
          expect(backward).toEqual(any.toReversed())
          expect(await countOpsAfter(storage, position - 1, 100)).toBe(any.length)
        }),
        { numRuns: 50 },
      )
    })
  })
