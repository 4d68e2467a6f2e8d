// What every storage promises, held against each of them: units of work, shared commits, hooks, reads, closing.
import { join } from 'node:path'
import type { Compilable } from 'kysely'
import { describe, expect, onTestFinished, test } from 'vitest'
import type { LoggedEvent } from '../testing/app.ts'
import { scratchFolder } from '../testing/scratch-folder.ts'
import { query, sql } from './query.ts'
import { collect, rehearse } from './rehearsal.ts'
import { IN_MEMORY, openSqliteStorage } from './sqlite.ts'
import type { Storage, Transaction } from './storage.ts'

const PLACES = {
  file: () => join(scratchFolder(), 'data', 'test.db'),
  memory: () => IN_MEMORY,
} as const

const put = (name: string, value = '') => query.insertInto('settings').values({ name, value })
const names = query.selectFrom('settings').select('name').orderBy('name')
const namesIn = async (storage: Storage) => (await storage.all(names)).map(({ name }) => name)
const raw = (text: string): Compilable => ({ compile: () => sql.raw(text).compile(query) })
/** A row whose account does not exist: refused at once, or when the transaction ends if that was put off. */
const orphan = query.insertInto('memberships').values({ id: 'm', user_id: 'nobody', account_id: 'nothing' })

/** A promise that the test resolves. */
function deferred<T = void>(): { readonly promise: Promise<T>; readonly resolve: (value: T) => void } {
  let resolve: (value: T) => void = () => {}
  const promise = new Promise<T>((done) => {
    resolve = done
  })
  return { promise, resolve }
}

describe.each(['file', 'memory'] as const)('storage in %s', (place) => {
  async function open(
    path = PLACES[place](),
  ): Promise<{ storage: Storage; logged: LoggedEvent[]; path: string }> {
    const logged: LoggedEvent[] = []
    const at = (level: LoggedEvent['level']) => (fields: object, event: string) =>
      void logged.push({ level, event, fields })
    const log = { debug: at('debug'), info: at('info'), warn: at('warn'), error: at('error') }
    const storage = await openSqliteStorage(path, log)
    onTestFinished(() => storage.close().catch(() => {}))
    return { storage, logged, path }
  }

  test('a hook that takes its time is waited for by the next, by the caller and by the next unit', async () => {
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
    const told = first.then(() => order.push('told'))
    const second = first.then(() => undefined)
    while (order.length === 0) await new Promise((resolve) => setImmediate(resolve))
    const other = storage.write(async () => void order.push('other unit'))
    for (let turn = 0; turn < 5; turn += 1) await new Promise((resolve) => setImmediate(resolve))
    expect(order).toEqual(['begun'])
    gate.resolve()
    await Promise.all([told, second, other])
    expect(order).toEqual(['begun', 'done', 'next', 'told', 'other unit'])
    expect(logged.map(({ level, event }) => [level, event])).toEqual([['error', 'commit hook failed']])
  })

  test('what a unit writes is there, and what it returns comes back', async () => {
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

  test('units run one after another, whatever they wait for', async () => {
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

  test('units that wait at the same time share a commit, and each is told after it', async () => {
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

  test('units that come while others are written share the next commit', async () => {
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

  test('256 units share a commit, the next one has to wait', async () => {
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

  test('a unit that fails undoes itself alone', async () => {
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

  test('a unit that breaks a constraint undoes itself alone, and its statement can be used again', async () => {
    const { storage } = await open()
    const twice = () =>
      storage.write(async (tx) => {
        await tx.run(put('a'))
        await tx.run(put('a'))
      })
    await expect(twice()).rejects.toThrow(/UNIQUE/)
    await expect(storage.write((tx) => tx.run(orphan))).rejects.toThrow(/FOREIGN KEY/)
    await storage.write((tx) => tx.run(put('a')))
    expect(await namesIn(storage)).toEqual(['a'])
  })

  test('a unit that throws nothing at all has failed all the same', async () => {
    const { storage } = await open()
    const nothing: unknown = undefined
    const failed = storage.write(async (tx) => {
      await tx.run(put('a'))
      throw nothing
    })
    await expect(failed).rejects.toThrow('unit failed')
    expect(await namesIn(storage)).toEqual([])
  })

  test('a commit that fails fails all its units, leaves nothing, runs no hook, and the next one works', async () => {
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
      unit('b', raw('PRAGMA defer_foreign_keys = ON'), orphan),
      unit('c'),
    ])
    expect(outcomes.map(({ status }) => status)).toEqual(['rejected', 'rejected', 'rejected'])
    for (const outcome of outcomes)
      expect(outcome).toMatchObject({ reason: { message: expect.stringMatching(/FOREIGN KEY/) } })
    expect(await namesIn(storage)).toEqual([])
    expect(hooks).toEqual([])

    await unit('d')
    expect([await namesIn(storage), hooks]).toEqual([['d'], ['d']])
  })

  test('is not healthy from a commit that fails to the next that works', async () => {
    const { storage } = await open()
    const broken = () =>
      storage.write(async (tx) => {
        await tx.run(raw('PRAGMA defer_foreign_keys = ON'))
        await tx.run(orphan)
      })
    const states = [await storage.healthy()]
    await expect(broken()).rejects.toThrow(/FOREIGN KEY/)
    states.push(await storage.healthy())
    await storage.write((tx) => tx.run(put('a')))
    states.push(await storage.healthy())
    // A unit that fails by itself says nothing of the disk.
    await expect(storage.write(() => Promise.reject(new Error('no')))).rejects.toThrow('no')
    states.push(await storage.healthy())
    expect(states).toEqual([true, false, true, true])
  })

  test('that is not healthy and gets no writes finds out by itself that it works again', async () => {
    const { storage } = await open()
    const broken = storage.write(async (tx) => {
      await tx.run(raw('PRAGMA defer_foreign_keys = ON'))
      await tx.run(orphan)
    })
    await expect(broken).rejects.toThrow(/FOREIGN KEY/)
    expect(await storage.healthy()).toBe(false)
    await expect.poll(() => storage.healthy()).toBe(true)
  })

  test('in a commit that fails, a unit that had failed before keeps its own reason', async () => {
    const { storage } = await open()
    const own = new Error('mine')
    const outcomes = await Promise.allSettled([
      storage.write(() => Promise.reject(own)),
      storage.write(async (tx) => {
        await tx.run(raw('PRAGMA defer_foreign_keys = ON'))
        await tx.run(orphan)
      }),
    ])
    expect(outcomes[0]).toHaveProperty('reason', own)
    expect(outcomes[1]).toHaveProperty('reason.message', expect.stringMatching(/FOREIGN KEY/))
  })

  test('a hook that throws is logged; its write stands, and the others are told', async () => {
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

  test('a hook sees what was committed', async () => {
    const { storage } = await open()
    const seen = deferred<string[]>()
    await storage.write(async (tx) => {
      tx.onCommit(() => void namesIn(storage).then(seen.resolve))
      await tx.run(put('a'))
    })
    expect(await seen.promise).toEqual(['a'])
  })

  test('readers do not see what is not committed', async () => {
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

  test('a write that was acknowledged is seen by the next read', async () => {
    const { storage } = await open()
    for (const name of ['a', 'b', 'c']) {
      await storage.write((tx) => tx.run(put(name)))
      expect((await namesIn(storage)).at(-1)).toBe(name)
    }
  })

  test('rows can be walked one by one, in a unit and outside of it', async () => {
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
    // The statement that was left in the middle can be used again.
    await storage.each(names, ({ name }) => seen.push(name))
    await storage.write((tx) => tx.run(put('d')))
    expect([seen.join(''), await namesIn(storage)]).toEqual(['abcabcabc', ['a', 'b', 'c', 'd']])
  })

  test('aside sees what was acknowledged, in one row, in all, and row by row over many portions', async () => {
    const { storage } = await open()
    const many = Array.from({ length: 1_234 }, (_, index) => `n${String(index).padStart(5, '0')}`)
    await storage.write(async (tx) => {
      for (const name of many) await tx.run(put(name))
    })
    const seen: string[] = []
    await Promise.all([
      storage.aside.each(names, ({ name }) => seen.push(name)),
      expect(storage.aside.all(names)).resolves.toHaveLength(many.length),
      expect(storage.aside.first(names)).resolves.toEqual({ name: 'n00000' }),
      expect(storage.aside.first(names.where('name', '=', 'none'))).resolves.toBeUndefined(),
    ])
    expect(seen).toEqual(many)
  })

  test('aside, what fails fails alone', async () => {
    const { storage } = await open()
    await storage.write((tx) => tx.run(put('a')))
    const [broken, stopped, written, good] = await Promise.allSettled([
      storage.aside.all(raw('SELECT name FROM nowhere')),
      storage.aside.each(names, () => {
        throw new Error('enough')
      }),
      storage.aside.all(raw("DELETE FROM settings WHERE name = 'none' RETURNING name")),
      storage.aside.all(names),
    ])
    expect(broken).toHaveProperty('reason.message', 'no such table: nowhere')
    expect(stopped).toHaveProperty('reason.message', 'enough')
    // A database in memory has one connection, for reading and writing.
    if (place === 'file') expect(written).toHaveProperty('reason.message', expect.stringMatching(/readonly/))
    expect(good).toEqual({ status: 'fulfilled', value: [{ name: 'a' }] })
    await storage.close()
    await expect(storage.aside.all(names)).rejects.toThrow('closed')
  })

  test('a rehearsal sees what it writes, leaves nothing of it, and runs no hook', async () => {
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

  test('a rehearsal among real units leaves them alone, and what they collect is not its own', async () => {
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

  test('a rehearsal that fails tells why, and leaves nothing', async () => {
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

  test('closing finishes what waits; then nothing is taken', async () => {
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

  test('closing waits for a unit under way and for those behind it', async () => {
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

  test('more different statements than are kept prepared', async () => {
    const { storage } = await open()
    const numbers = await Promise.all(
      Array.from({ length: 600 }, (_, index) =>
        storage.first<{ n: number }>({
          compile: () => sql<{ n: number }>`select ${sql.lit(index)} as n`.compile(query),
        }),
      ),
    )
    expect(numbers.map((row) => row?.n)).toEqual(Array.from({ length: 600 }, (_, index) => index))
  })
})

describe('databases', () => {
  const open = (path: string) => openSqliteStorage(path, { debug() {}, info() {}, warn() {}, error() {} })

  test('aside, a long query keeps nobody else waiting', async () => {
    const storage = await open(PLACES.file())
    onTestFinished(() => storage.close())
    const counting = raw(
      'WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 3000000) SELECT count(*) AS count FROM n',
    )
    let isDone = false
    const counted = storage.aside.first(counting).finally(() => (isDone = true))
    let turns = 0
    while (!isDone) {
      await storage.write((tx) => tx.run(put(`turn ${turns++}`)))
    }
    expect(await counted).toEqual({ count: 3_000_000 })
    expect(turns).toBeGreaterThan(1)
  })

  test('two in memory know nothing of each other', async () => {
    const [one, other] = await Promise.all([open(IN_MEMORY), open(IN_MEMORY)])
    await one.write((tx) => tx.run(put('a')))
    expect([await namesIn(one), await namesIn(other)]).toEqual([['a'], []])
    await Promise.all([one.close(), other.close()])
  })

  test('two on one file see what the other has committed', async () => {
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
    await expect(storage.first(put('a').returning('name'))).rejects.toThrow(/readonly|read-only/i)
    expect(await namesIn(storage)).toEqual([])
    await storage.close()
  })
})
