// Change sets of units that share a transaction of PostgreSQL: their places are those that the database would have given.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { silentLog } from '@zonereeve/platform'
import {
  openPostgresStorage,
  query,
  type Reader,
  rehearse,
  type Storage,
  type Transaction,
} from '@zonereeve/storage'
import { type PostgresServer, START_MILLIS, startPostgres } from '@zonereeve/storage/testing/postgres.ts'
import { POSTGRESQL } from '../../../../../scripts/requirements.ts'
import { describeWith } from '../../../../../scripts/test-requirements.ts'
import { changeOp } from './change-op.ts'
import { append, changesAfter, readChangeSetAhead } from './changes.store.ts'

const actor = { kind: 'token', id: 'u', name: 'u', requestId: 'r' } as const
const op = (id: string) => changeOp('thing.create', id, null, { id })

describeWith('postgresql', 'change sets of one transaction', () => {
  let server: PostgresServer
  beforeAll(async () => {
    server = await startPostgres(POSTGRESQL)
  }, START_MILLIS)
  afterAll(() => server.stop())

  async function open(): Promise<Storage> {
    const folder = mkdtempSync(join(tmpdir(), 'zonereeve-test-'))
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
    const place = { url: await server.createDatabase(), keyFile: join(folder, 'test.key') }
    const storage = await openPostgresStorage(place, silentLog)
    onTestFinished(() => storage.close())
    return storage
  }

  /** Appends one change set for each scope. */
  const unit =
    (scopes: readonly string[]) =>
    async (tx: Transaction): Promise<void> => {
      for (const scopeId of scopes) await append(tx, { scopeId, actor }, [op(scopeId)])
    }
  const refused = async (tx: Transaction): Promise<void> => {
    await unit(['a', 'new'])(tx)
    throw new Error('refused')
  }

  test.each<[string, (index: number) => boolean]>([
    ['nothing is read ahead', () => false],
    ['some of them read ahead', (index) => index % 3 === 1],
    ['others read ahead', (index) => index % 2 === 0],
    ['all read ahead', () => true],
  ])(
    'have numbers without gaps, and positions in the order of their units, whatever is rolled back between them: %s',
    async (_, readsAhead) => {
      const storage = await open()
      let writes = 0
      const write = (scopes: readonly string[], run = unit(scopes)): Promise<void> => {
        const readAhead = (tx: Reader) =>
          Promise.all(scopes.map((scopeId) => readChangeSetAhead(tx, scopeId)))
        return storage.write(run, readsAhead(writes++) ? readAhead : undefined)
      }
      const [first, ...others] = [
        write(['a']),
        write(['a']),
        write(['a', 'a']),
        write(['b']),
        write(['a']),
        write(['b', 'a']),
        write(['a', 'new'], refused).catch(String),
        write(['a']),
        rehearse(() => write(['a', 'b'])),
        write(['a']),
        write(['new']),
        write(['b']),
        write(['fresh', 'fresh', 'a']),
      ]
      await first
      expect(await Promise.all(others)).toContain('Error: refused')
      await write(['b', 'a'])
      const found = await changesAfter(storage, 0, 100)
      expect(found.map(({ scopeId, number }) => `${scopeId}${number}`)).toEqual([
        'a1',
        'a2',
        'a3',
        'a4',
        'b1',
        'a5',
        'b2',
        'a6',
        'a7',
        'a8',
        'new1',
        'b3',
        'fresh1',
        'fresh2',
        'a9',
        'b4',
        'a10',
      ])
      const positions = found.map(({ position }) => position)
      expect(positions).toEqual([...new Set(positions)].toSorted((a, b) => a - b))
      // Each has its operation.
      const stored = await storage.all(query.selectFrom('change_ops').select('position').orderBy('position'))
      expect(stored.map(({ position }) => position)).toEqual(positions)
    },
    START_MILLIS,
  )

  test(
    'go on after those of another server with the same database',
    async () => {
      const url = await server.createDatabase()
      const folder = mkdtempSync(join(tmpdir(), 'zonereeve-test-'))
      onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
      const storages = await Promise.all(
        ['one', 'two'].map(async (name) => {
          const storage = await openPostgresStorage({ url, keyFile: join(folder, name) }, silentLog)
          onTestFinished(() => storage.close())
          return storage
        }),
      )
      const ahead = (tx: Reader) => readChangeSetAhead(tx, 'a')
      await Promise.all(
        Array.from({ length: 200 }, (_, index) =>
          storages[(index >> 3) % 2]?.write(unit(['a']), index % 5 === 0 ? undefined : ahead),
        ),
      )
      const [one] = storages
      if (one === undefined) throw new Error('there is no storage')
      const found = await changesAfter(one, 0, 300)
      expect(found.map(({ number }) => number)).toEqual(Array.from({ length: 200 }, (_, index) => index + 1))
    },
    START_MILLIS,
  )
})
