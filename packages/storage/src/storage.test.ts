// What every storage guarantees, tested against each implementation: units of work, shared commits, hooks,
// reads, closing.
import { join } from 'node:path'
import type { Compilable } from 'kysely'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { missingOf, POSTGRESQL } from '../../../scripts/requirements.ts'
import { describeWith } from '../../../scripts/test-requirements.ts'
import { DomainError, type Log } from '@zonereeve/platform'
import { scratchFolder } from '@zonereeve/platform/testing/scratch-folder.ts'
import { rawQuery } from './engine.ts'
import { openPostgres } from './postgres/postgres.ts'
import { query, sql } from './query.ts'
import { collect, rehearse } from './rehearsal.ts'
import { IN_MEMORY, openSqliteStorage } from './sqlite.ts'
import type { Storage, Transaction } from './storage.ts'
import { type PostgresServer, START_MILLIS, startPostgres } from './testing/postgres.ts'

const PLACES = {
  file: () => join(scratchFolder(), 'data', 'test.db'),
  memory: () => IN_MEMORY,
} as const

let postgres: PostgresServer | undefined
beforeAll(async () => {
  if (missingOf(['postgresql']) === undefined) postgres = await startPostgres(POSTGRESQL)
}, START_MILLIS)
afterAll(() => postgres?.stop())

const ENGINES = [
  { place: 'file', engine: 'sqlite', needed: [] },
  { place: 'memory', engine: 'sqlite', needed: [] },
  { place: 'PostgreSQL', engine: 'postgres', needed: ['postgresql'] },
] as const

/** Checks references at the end of the transaction. */
const DEFERRED = {
  sqlite: 'PRAGMA defer_foreign_keys = ON',
  postgres: `ALTER TABLE memberships
    ALTER CONSTRAINT memberships_user_id_fkey DEFERRABLE INITIALLY DEFERRED,
    ALTER CONSTRAINT memberships_account_id_fkey DEFERRABLE INITIALLY DEFERRED`,
} as const

const put = (name: string, value = '') => query.insertInto('settings').values({ name, value })
const names = query.selectFrom('settings').select('name').orderBy('name')
const namesIn = async (storage: Storage) => (await storage.all(names)).map(({ name }) => name)
const raw = (text: string): Compilable => rawQuery(sql.raw(text))
interface LoggedEvent {
  readonly level: keyof Log
  readonly event: string
  readonly fields: object
}

/**
 * A row whose account does not exist: rejected at once, or at the end of the transaction if the check is
 * deferred.
 */
const orphan = query.insertInto('memberships').values({ id: 'm', user_id: 'nobody', account_id: 'nothing' })

async function databaseOf(server: PostgresServer | undefined): Promise<string> {
  if (server === undefined) throw new Error('PostgreSQL was not started')
  return server.createDatabase()
}

/** A promise that the test resolves. */
function deferred<T = void>(): { readonly promise: Promise<T>; readonly resolve: (value: T) => void } {
  let resolve: (value: T) => void = () => {}
  const promise = new Promise<T>((done) => {
    resolve = done
  })
  return { promise, resolve }
}

for (const { place, engine, needed } of ENGINES)
  describeWith(needed, `storage in ${place}`, () => {
    async function open(known?: string): Promise<{ storage: Storage; logged: LoggedEvent[]; path: string }> {
      const path = known ?? (place === 'PostgreSQL' ? await databaseOf(postgres) : PLACES[place]())
      const logged: LoggedEvent[] = []
      const at = (level: LoggedEvent['level']) => (fields: object, event: string) =>
        void logged.push({ level, event, fields })
      const log = { debug: at('debug'), info: at('info'), warn: at('warn'), error: at('error') }
      const storage = await (engine === 'postgres' ? openPostgres(path, log) : openSqliteStorage(path, log))
      onTestFinished(() => storage.close().catch(() => {}))
      return { storage, logged, path }
    }

    test.skipIf(engine === 'postgres')(
      'a full database fails every unit of the commit with the same reason, and stores none of them [needs SQLite, which can be given a size]',
      async () => {
        const { storage } = await open()
        await storage.write((tx) => tx.run(put('before')))
        await storage.write(async (tx) => void (await tx.all(raw('PRAGMA max_page_count = 1')))) // the current number
        const large = 'x'.repeat(1_000_000)
        const outcomes = await Promise.allSettled([
          storage.write((tx) => tx.run(put('same commit, earlier'))),
          storage.write((tx) => tx.run(put('does not fit', large))),
          storage.write((tx) => tx.run(put('same commit, later'))),
          storage.write(async (tx) => {
            await tx.run(put('goes on regardless', large)).catch(() => {})
            await tx.run(put('outside of any transaction'))
          }),
        ])
        expect(
          outcomes.map(
            (each) =>
              each.status === 'rejected' &&
              each.reason instanceof DomainError &&
              each.reason.issues[0].reason,
          ),
        ).toEqual(['storage.full', 'storage.full', 'storage.full', 'storage.full'])
        expect(await namesIn(storage)).toEqual(['before'])
        await storage.write(async (tx) => void (await tx.all(raw('PRAGMA max_page_count = 1000000'))))
        await storage.write((tx) => tx.run(put('after', large)))
        expect(await namesIn(storage)).toEqual(['after', 'before'])
      },
    )

    test.skipIf(engine === 'postgres')(
      'a unit that continues after the database was full writes nothing outside of the transaction [needs SQLite, which can be given a size]',
      async () => {
        const { storage } = await open()
        await storage.write(async (tx) => void (await tx.all(raw('PRAGMA max_page_count = 1'))))
        const going = storage.write(async (tx) => {
          await tx.run(put('does not fit', 'x'.repeat(1_000_000))).catch(() => {})
          await tx.run(put('outside of any transaction'))
        })
        await expect(going).rejects.toMatchObject({ issues: [{ reason: 'storage.full' }] })
        expect(await namesIn(storage)).toEqual([])
      },
    )

    test('the next hook, the caller and the next unit wait for an asynchronous hook', async () => {
      const { storage, logged } = await open()
      const order: string[] = []
      const gate = deferred()
      const first = storage.write(async (tx) => {
        await tx.run(put('a'))
        tx.onCommit(async () => {
          order.push('begun')
          await gate.promise
          order.push('done')
          throw new Error('late')
        })
        tx.onCommit(() => void order.push('next'))
      })
      const reported = first.then(() => order.push('told'))
      const second = first.then(() => undefined)
      while (order.length === 0) await new Promise((resolve) => setImmediate(resolve))
      const other = storage.write(async () => void order.push('other unit'))
      for (let turn = 0; turn < 5; turn += 1) await new Promise((resolve) => setImmediate(resolve))
      expect(order).toEqual(['begun'])
      gate.resolve()
      await Promise.all([reported, second, other])
      expect(order).toEqual(['begun', 'done', 'next', 'told', 'other unit'])
      expect(logged.map(({ level, event }) => [level, event])).toEqual([['error', 'commit hook failed']])
    })

    test('the writes of a unit are stored, and its result is returned', async () => {
      const { storage } = await open()
      const result = await storage.write(async (tx) => {
        const written = await tx.run(put('a', '1'))
        return { written, own: await tx.all(names) }
      })
      expect(result).toEqual({ written: 1, own: [{ name: 'a' }] })
      expect(await namesIn(storage)).toEqual(['a'])
      expect(
        await storage.first(query.selectFrom('settings').select('value').where('name', '=', 'b')),
      ).toBeUndefined()
    })

    test('a unit reads what it has submitted', async () => {
      const { storage } = await open()
      const own = await storage.write(async (tx) => {
        for (let index = 0; index < 250; index += 1) await tx.submit(put(String(index)))
        return tx.all(names)
      })
      expect([own.length, (await namesIn(storage)).length]).toEqual([250, 250])
    })

    test('a submitted write that fails fails its unit and no other', async () => {
      const { storage } = await open()
      const hooks: string[] = []
      const unit = (name: string, work: (tx: Transaction) => Promise<unknown>) =>
        storage.write((tx) => {
          tx.onCommit(() => void hooks.push(name))
          return work(tx)
        })
      const outcomes = await Promise.allSettled([
        unit('first', (tx) => tx.submit(put('a'))),
        unit('fails at its end', async (tx) => {
          await tx.submit(put('lost'))
          await tx.submit(put('a'))
        }),
        unit('reads after it', async (tx) => {
          await tx.submit(put('a'))
          await tx.all(names)
        }),
        unit('fails by itself', async (tx) => {
          await tx.submit(put('lost, too'))
          throw new Error('own failure')
        }),
        rehearse(() => unit('dry run', (tx) => tx.submit(put('rehearsed')))),
        unit('last', (tx) => tx.submit(put('b'))),
      ])
      const reasons = outcomes.map((one) => (one.status === 'fulfilled' ? 'stored' : String(one.reason)))
      expect(reasons).toEqual([
        'stored',
        expect.stringMatching(/unique/i),
        expect.stringMatching(/unique/i),
        'Error: own failure',
        'stored',
        'stored',
      ])
      expect([await namesIn(storage), hooks]).toEqual([
        ['a', 'b'],
        ['first', 'last'],
      ])
    })

    test('a submitted write that cannot be sent fails its unit, and nothing of it is stored', async () => {
      const { storage } = await open()
      const broken = {
        compile(): never {
          throw new Error('cannot be compiled')
        },
      }
      const outcome = storage.write(async (tx) => {
        await tx.submit(put('lost'))
        await tx.submit(broken as unknown as ReturnType<typeof put>) // no statement is like that
      })
      await expect(outcome).rejects.toThrow(/compiled/)
      await storage.write((tx) => tx.submit(put('a')))
      expect(await namesIn(storage)).toEqual(['a'])
    })

    test('a unit ends soon after a submitted write has failed', async () => {
      const { storage } = await open()
      await storage.write((tx) => tx.submit(put('a')))
      let sent = 0
      const outcome = storage.write(async (tx) => {
        await tx.submit(put('a'))
        for (let index = 0; index < 5_000; index += 1) {
          await tx.submit(put(String(index)))
          sent += 1
        }
      })
      await expect(outcome).rejects.toThrow(/unique/i)
      expect(sent).toBeLessThan(1_000)
      expect(await namesIn(storage)).toEqual(['a'])
    })

    test('units run one after another, even if they wait', async () => {
      const { storage } = await open()
      await storage.write((tx) => tx.run(put('counter', '0')))
      const value = query.selectFrom('settings').select('value').where('name', '=', 'counter')
      const increment = (tx: Transaction) =>
        tx.first(value).then(async (row) => {
          await Promise.resolve()
          await tx.run(query.updateTable('settings').set({ value: String(Number(row?.value) + 1) }))
        })
      await Promise.all(Array.from({ length: 50 }, () => storage.write(increment)))
      expect((await storage.first(value))?.value).toBe('50')
    })

    test('units that wait at the same time share a commit, and resolve after it', async () => {
      const { storage } = await open()
      const order: string[] = []
      const unit = (name: string) =>
        storage
          .write(async (tx) => {
            order.push(`run ${name}`)
            tx.onCommit(() => void order.push(`hook ${name}`))
            await tx.run(put(name))
          })
          .then(() => order.push(`told ${name}`))
      await Promise.all([unit('a'), unit('b'), unit('c')])
      expect(order.join(', ')).toBe('run a, run b, run c, hook a, hook b, hook c, told a, told b, told c')
    })

    test('units that arrive during a commit share the next one', async () => {
      const { storage } = await open()
      const order: string[] = []
      const unit = (name: string, started = () => {}) =>
        storage.write(async (tx) => {
          order.push(`run ${name}`)
          tx.onCommit(() => void order.push(`hook ${name}`))
          started()
          await tx.run(put(name))
        })
      const later: Promise<void>[] = []
      await unit('a', () => void later.push(unit('b'), unit('c')))
      await Promise.all(later)
      expect(order).toEqual(['run a', 'hook a', 'run b', 'run c', 'hook b', 'hook c'])
    })

    test('256 units share a commit, the next one waits', async () => {
      const { storage } = await open()
      let ran = 0
      const ranAtHook: number[] = []
      const unit = (index: number) =>
        storage.write(async (tx) => {
          ran += 1
          tx.onCommit(() => void ranAtHook.push(ran))
          await tx.run(put(String(index)))
        })
      await Promise.all(Array.from({ length: 257 }, (_, index) => unit(index)))
      expect([ranAtHook[0], ranAtHook[255], ranAtHook[256]]).toEqual([256, 256, 257])
      expect((await namesIn(storage)).length).toBe(257)
    })

    test('a failing unit rolls back only itself', async () => {
      const { storage } = await open()
      const hooks: string[] = []
      const unit = (name: string, failure?: Error) =>
        storage.write(async (tx) => {
          tx.onCommit(() => void hooks.push(name))
          await tx.run(put(`${name}1`))
          if (failure !== undefined) throw failure
          await tx.run(put(`${name}2`))
        })
      const failure = new Error('no')
      const outcomes = await Promise.allSettled([unit('a'), unit('b', failure), unit('c')])
      expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled'])
      expect(outcomes[1]).toHaveProperty('reason', failure)
      expect(await namesIn(storage)).toEqual(['a1', 'a2', 'c1', 'c2'])
      expect(hooks).toEqual(['a', 'c'])
    })

    test('a unit that violates a constraint rolls back only itself, and its statement can be reused', async () => {
      const { storage } = await open()
      const twice = () =>
        storage.write(async (tx) => {
          await tx.run(put('a'))
          await tx.run(put('a'))
        })
      await expect(twice()).rejects.toThrow(/unique/i)
      await expect(storage.write((tx) => tx.run(orphan))).rejects.toThrow(/foreign key/i)
      await storage.write((tx) => tx.run(put('a')))
      expect(await namesIn(storage)).toEqual(['a'])
    })

    test('a unit that throws undefined has failed', async () => {
      const { storage } = await open()
      const nothing: unknown = undefined
      const failed = storage.write(async (tx) => {
        await tx.run(put('a'))
        throw nothing
      })
      await expect(failed).rejects.toThrow('unit failed')
      expect(await namesIn(storage)).toEqual([])
    })

    test('a failed commit fails all its units, stores nothing, runs no hook, and the next one works', async () => {
      const { storage } = await open()
      const hooks: string[] = []
      const unit = (name: string, ...statements: Compilable[]) =>
        storage.write(async (tx) => {
          tx.onCommit(() => void hooks.push(name))
          await tx.run(put(name))
          for (const statement of statements) await tx.run(statement)
        })
      const outcomes = await Promise.allSettled([
        unit('a'),
        unit('b', raw(DEFERRED[engine]), orphan),
        unit('c'),
      ])
      expect(outcomes.map(({ status }) => status)).toEqual(['rejected', 'rejected', 'rejected'])
      for (const outcome of outcomes)
        expect(outcome).toMatchObject({ reason: { message: expect.stringMatching(/foreign key/i) } })
      expect(await namesIn(storage)).toEqual([])
      expect(hooks).toEqual([])

      await unit('d')
      expect([await namesIn(storage), hooks]).toEqual([['d'], ['d']])
    })

    test('is not healthy from a failed commit until the next successful one', async () => {
      const { storage } = await open()
      const broken = () =>
        storage.write(async (tx) => {
          await tx.run(raw(DEFERRED[engine]))
          await tx.run(orphan)
        })
      const states = [await storage.healthy()]
      await expect(broken()).rejects.toThrow(/foreign key/i)
      states.push(await storage.healthy())
      await storage.write((tx) => tx.run(put('a')))
      states.push(await storage.healthy())
      // A unit that fails by itself does not mean that the disk failed.
      await expect(storage.write(() => Promise.reject(new Error('no')))).rejects.toThrow('no')
      states.push(await storage.healthy())
      expect(states).toEqual([true, false, true, true])
    })

    test('that is not healthy and gets no writes detects by itself that it works again', async () => {
      const { storage } = await open()
      const broken = storage.write(async (tx) => {
        await tx.run(raw(DEFERRED[engine]))
        await tx.run(orphan)
      })
      await expect(broken).rejects.toThrow(/foreign key/i)
      expect(await storage.healthy()).toBe(false)
      await expect.poll(() => storage.healthy()).toBe(true)
    })

    test('in a failed commit, a unit that had failed before keeps its own error', async () => {
      const { storage } = await open()
      const own = new Error('mine')
      const outcomes = await Promise.allSettled([
        storage.write(() => Promise.reject(own)),
        storage.write(async (tx) => {
          await tx.run(raw(DEFERRED[engine]))
          await tx.run(orphan)
        }),
      ])
      expect(outcomes[0]).toHaveProperty('reason', own)
      expect(outcomes[1]).toHaveProperty('reason.message', expect.stringMatching(/foreign key/i))
    })

    test('a hook that throws is logged; its write stays, and the other hooks run', async () => {
      const { storage, logged } = await open()
      const hooks: string[] = []
      const unit = (name: string, hook: () => void) =>
        storage.write(async (tx) => {
          tx.onCommit(hook)
          await tx.run(put(name))
        })
      const broken = new Error('hook')
      await Promise.all([
        unit('a', () => {
          throw broken
        }),
        unit('b', () => void hooks.push('b')),
      ])
      expect(await namesIn(storage)).toEqual(['a', 'b'])
      expect(hooks).toEqual(['b'])
      expect(logged).toEqual([{ level: 'error', event: 'commit hook failed', fields: { err: broken } }])
    })

    test('a hook reads the committed state', async () => {
      const { storage } = await open()
      const seen = deferred<string[]>()
      await storage.write(async (tx) => {
        tx.onCommit(() => void namesIn(storage).then(seen.resolve))
        await tx.run(put('a'))
      })
      expect(await seen.promise).toEqual(['a'])
    })

    test('readers do not see uncommitted writes', async () => {
      const { storage } = await open()
      const written = deferred()
      const gate = deferred()
      const failed = storage.write(async (tx) => {
        await tx.run(put('never'))
        written.resolve()
        await gate.promise
        throw new Error('rolled back')
      })
      await written.promise
      const reads = Promise.all([namesIn(storage), storage.first(names)])
      gate.resolve()
      await expect(failed).rejects.toThrow('rolled back')
      expect(await reads).toEqual([[], undefined])
    })

    test('the next read sees an acknowledged write', async () => {
      const { storage } = await open()
      for (const name of ['a', 'b', 'c']) {
        await storage.write((tx) => tx.run(put(name)))
        expect((await namesIn(storage)).at(-1)).toBe(name)
      }
    })

    test('rows can be read one by one, in a unit and outside of it', async () => {
      const { storage } = await open()
      await storage.write(async (tx) => {
        for (const name of ['a', 'b', 'c']) await tx.run(put(name))
      })
      const seen: string[] = []
      await storage.each(names, ({ name }) => seen.push(name))
      await storage.write((tx) => tx.each(names, ({ name }) => seen.push(name)))
      expect(seen.join('')).toBe('abcabc')
      const stopped = storage.each(names, () => {
        throw new Error('enough')
      })
      await expect(stopped).rejects.toThrow('enough')
      // The interrupted statement can be used again.
      await storage.each(names, ({ name }) => seen.push(name))
      await storage.write((tx) => tx.run(put('d')))
      expect([seen.join(''), await namesIn(storage)]).toEqual(['abcabcabc', ['a', 'b', 'c', 'd']])
    })

    test('offloaded reads see acknowledged writes: one row, all rows, and row by row over many chunks', async () => {
      const { storage } = await open()
      const many = Array.from({ length: 1_234 }, (_, index) => `n${String(index).padStart(5, '0')}`)
      await storage.write(async (tx) => {
        for (const name of many) await tx.run(put(name))
      })
      const seen: string[] = []
      await Promise.all([
        storage.offload.each(names, ({ name }) => seen.push(name)),
        expect(storage.offload.all(names)).resolves.toHaveLength(many.length),
        expect(storage.offload.first(names)).resolves.toEqual({ name: 'n00000' }),
        expect(storage.offload.first(names.where('name', '=', 'none'))).resolves.toBeUndefined(),
      ])
      expect(seen).toEqual(many)
    })

    test('a failing offloaded read affects no others', async () => {
      const { storage } = await open()
      await storage.write((tx) => tx.run(put('a')))
      const [broken, stopped, written, good] = await Promise.allSettled([
        storage.offload.all(raw('SELECT name FROM nowhere')),
        storage.offload.each(names, () => {
          throw new Error('enough')
        }),
        storage.offload.all(raw("DELETE FROM settings WHERE name = 'none' RETURNING name")),
        storage.offload.all(names),
      ])
      expect(broken).toHaveProperty('reason.message', expect.stringMatching(/nowhere/))
      expect(stopped).toHaveProperty('reason.message', 'enough')
      // An in-memory database has one connection for reading and writing.
      if (place !== 'memory')
        expect(written).toHaveProperty('reason.message', expect.stringMatching(/readonly|storage.unwritable/))
      expect(good).toEqual({ status: 'fulfilled', value: [{ name: 'a' }] })
      await storage.close()
      await expect(storage.offload.all(names)).rejects.toThrow('closed')
    })

    test('a dry run sees its own writes, stores none of them, and runs no hook', async () => {
      const { storage } = await open()
      const hooks: string[] = []
      const { result, collected } = await rehearse<string[], string>(() =>
        storage.write(async (tx) => {
          tx.onCommit(() => void hooks.push('rehearsed'))
          await tx.run(put('rehearsed'))
          collect('noted')
          return (await tx.all(names)).map(({ name }) => name)
        }),
      )
      expect([result, collected, hooks, await namesIn(storage)]).toEqual([['rehearsed'], ['noted'], [], []])
    })

    test('a dry run among real units does not affect them, and does not collect their notes', async () => {
      const { storage } = await open()
      const hooks: string[] = []
      const unit = (name: string) =>
        storage.write(async (tx) => {
          collect(`noted by ${name}`)
          tx.onCommit(() => void hooks.push(name))
          await tx.run(put(name))
        })
      const [, rehearsed] = await Promise.all([unit('a'), rehearse(() => unit('rehearsed')), unit('b')])
      expect(rehearsed.collected).toEqual(['noted by rehearsed'])
      expect([await namesIn(storage), hooks]).toEqual([
        ['a', 'b'],
        ['a', 'b'],
      ])
    })

    test('an aborted dry run ends: while it waits, and before it starts; real units do not', async () => {
      const { storage } = await open()
      const left = new AbortController()
      const steps: string[] = []
      const unit = (name: string) =>
        storage.write(async (tx) => {
          await tx.run(put(name))
          steps.push(`${name} waits`)
          left.abort(new Error('left'))
          await tx.yieldIfDue()
          steps.push(`${name} goes on`)
        })
      const waiting = rehearse(() => unit('waiting'), left.signal)
      const second = rehearse(() => unit('second'), left.signal)
      const real = unit('real')
      await expect(waiting).rejects.toThrow('left')
      await expect(second).rejects.toThrow('left')
      await real
      expect(steps).toEqual(['waiting waits', 'real waits', 'real goes on'])
      expect(await namesIn(storage)).toEqual(['real'])
    })

    test('a failed dry run reports its error, and stores nothing', async () => {
      const { storage } = await open()
      const failed = rehearse(() =>
        storage.write(async (tx) => {
          await tx.run(put('rehearsed'))
          throw new Error('no')
        }),
      )
      await expect(failed).rejects.toThrow('no')
      expect(await namesIn(storage)).toEqual([])
      await storage.write((tx) => tx.run(put('real')))
      expect(await namesIn(storage)).toEqual(['real'])
    })

    test('closing finishes waiting units; later ones are rejected', async () => {
      const { storage, path } = await open()
      const order: string[] = []
      const writes = ['a', 'b', 'c'].map((name) =>
        storage.write((tx) => tx.run(put(name))).then(() => order.push(name)),
      )
      expect(await storage.healthy()).toBe(true)
      await storage.close()
      expect(order).toEqual(['a', 'b', 'c'])
      await Promise.all(writes)
      expect(await storage.healthy()).toBe(false)
      await expect(storage.write((tx) => tx.run(put('d')))).rejects.toThrow('closed')
      if (place === 'memory') return
      const again = await open(path)
      expect(await namesIn(again.storage)).toEqual(['a', 'b', 'c'])
    })

    test('closing waits for a running unit and for those after it', async () => {
      const { storage } = await open()
      const started = deferred()
      const gate = deferred()
      const first = storage.write(async (tx) => {
        started.resolve()
        await gate.promise
        await tx.run(put('a'))
      })
      await started.promise
      const second = storage.write((tx) => tx.run(put('b')))
      const closed = storage.close()
      gate.resolve()
      expect(await Promise.all([first, second])).toEqual([undefined, 1])
      await closed
    })

    test('more different statements than the cache holds', async () => {
      const { storage } = await open()
      const numbers = await Promise.all(
        Array.from({ length: 600 }, (_, index) =>
          storage.first(rawQuery(sql<{ n: number }>`select ${sql.lit(index)} as n`)),
        ),
      )
      expect(numbers.map((row) => row?.n)).toEqual(Array.from({ length: 600 }, (_, index) => index))
    })
  })

describe('databases', () => {
  const open = (path: string) => openSqliteStorage(path, { debug() {}, info() {}, warn() {}, error() {} })

  test('a long offloaded query does not delay other work', async () => {
    const storage = await open(PLACES.file())
    onTestFinished(() => storage.close())
    const counting = raw(
      'WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 3000000) SELECT count(*) AS count FROM n',
    )
    let isDone = false
    const counted = storage.offload.first(counting).finally(() => (isDone = true))
    let turns = 0
    while (!isDone) {
      await storage.write((tx) => tx.run(put(`turn ${turns++}`)))
    }
    expect(await counted).toEqual({ count: 3_000_000 })
    expect(turns).toBeGreaterThan(1)
  })

  test('two in memory are independent', async () => {
    const [one, other] = await Promise.all([open(IN_MEMORY), open(IN_MEMORY)])
    await one.write((tx) => tx.run(put('a')))
    expect([await namesIn(one), await namesIn(other)]).toEqual([['a'], []])
    await Promise.all([one.close(), other.close()])
  })

  test('two on one file see the commits of the other', async () => {
    const path = join(scratchFolder(), 'shared.db')
    const [one, other] = [await open(path), await open(path)]
    await one.write((tx) => tx.run(put('a')))
    await other.write((tx) => tx.run(put('b')))
    expect([await namesIn(one), await namesIn(other)]).toEqual([
      ['a', 'b'],
      ['a', 'b'],
    ])
    await Promise.all([one.close(), other.close()])
  })

  test('readers of a file cannot write', async () => {
    const storage = await open(join(scratchFolder(), 'readers.db'))
    await expect(storage.first(put('a').returning('name'))).rejects.toThrow('storage.unwritable')
    expect(await namesIn(storage)).toEqual([])
    await storage.close()
  })
})
