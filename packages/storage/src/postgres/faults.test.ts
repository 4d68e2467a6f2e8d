// What goes wrong between the program and PostgreSQL: replies that are lost around a COMMIT, conflicts, servers that
// ended or are cut off, and connections without encryption.
import { writeFileSync } from 'node:fs'
import { connect, createServer } from 'node:net'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { type Log, silentLog } from '@zonereeve/platform'
import { scratchFolder } from '@zonereeve/platform/testing/scratch-folder.ts'
import { POSTGRESQL } from '../../../../scripts/requirements.ts'
import { describeWith } from '../../../../scripts/test-requirements.ts'
import { FIRST, SECOND } from '../testing/certificates.ts'
import { rawQuery } from '../engine.ts'
import { query, sql } from '../query.ts'
import { rehearse } from '../rehearsal.ts'
import { startCuttingProxy, type Cut } from '../testing/cutting-proxy.ts'
import { freePort } from '@zonereeve/platform/testing/free-port.ts'
import { type PostgresServer, START_MILLIS, startPostgres } from '../testing/postgres.ts'
import { collect } from '../rehearsal.ts'
import { openPostgres, type PostgresOptions } from './postgres.ts'

const put = (name: string) => query.insertInto('settings').values({ name, value: '' })
const names = query.selectFrom('settings').select('name').orderBy('name')
/** Short enough for a test; nothing depends on how long a busy machine takes. */
const TIMES = { beatMillis: 100, silenceMillis: 1_000 }
const SECRET = 'a-secret-that-all-nodes-of-the-test-have'

async function open(url: string, options: PostgresOptions = {}, log: Log = silentLog) {
  const storage = await openPostgres(url, log, options)
  onTestFinished(() => storage.close().catch(() => {}))
  return storage
}

describeWith('postgresql', 'faults of PostgreSQL', () => {
  let server: PostgresServer
  beforeAll(async () => {
    server = await startPostgres(POSTGRESQL)
  }, START_MILLIS)
  afterAll(() => server.stop())

  test.each<{ cut: Cut; outcome: string; stored: string[] }>([
    { cut: 'after', outcome: 'stored', stored: ['a', 'b'] },
    { cut: 'before', outcome: 'refused', stored: ['b'] },
  ])(
    'a unit whose connection is lost $cut the COMMIT is $outcome, and its caller learns it',
    async ({ cut, outcome, stored }) => {
      const proxy = await startCuttingProxy(await server.createDatabase())
      onTestFinished(() => proxy.close())
      const storage = await open(proxy.url)
      const hooks: string[] = []
      const write = (name: string) =>
        storage.write(async (tx) => {
          tx.onCommit(() => void hooks.push(name))
          await tx.submit(put(name))
        })
      proxy.cutNext(cut)
      const result = await write('a').then(
        () => 'stored',
        (failure: unknown) => {
          expect(failure).toMatchObject({ issues: [{ reason: 'storage.unavailable' }] })
          return 'refused'
        },
      )
      await write('b')
      expect([result, hooks, (await storage.all(names)).map(({ name }) => name)]).toEqual([
        outcome,
        stored,
        stored,
      ])
    },
    START_MILLIS,
  )

  const raise = (state: string) =>
    rawQuery(sql`DO ${sql.raw(`$$ BEGIN RAISE EXCEPTION 'conflict' USING ERRCODE = '${state}'; END $$`)}`)

  test.each(['40001', '40P01'])(
    'a transaction that loses a conflict (%s) is repeated once, with all its units',
    async (state) => {
      const storage = await open(await server.createDatabase())
      const hooks: string[] = []
      let runs = 0
      const unit = (name: string, conflicts: number) =>
        storage.write(async (tx) => {
          tx.onCommit(() => void hooks.push(name))
          await tx.run(put(name))
          if (conflicts > 0 && (runs += 1) <= conflicts) await tx.run(raise(state))
          return name
        })
      expect(await Promise.all([unit('a', 0), unit('b', 1), unit('c', 0)])).toEqual(['a', 'b', 'c'])
      expect([runs, hooks, (await storage.all(names)).length]).toEqual([2, ['a', 'b', 'c'], 3])
      runs = 0
      await expect(unit('d', 2)).rejects.toMatchObject({ issues: [{ reason: 'storage.unavailable' }] })
      expect([runs, hooks.length, (await storage.all(names)).length]).toEqual([2, 3, 3])
      expect(await storage.healthy()).toBe(true)
    },
    START_MILLIS,
  )

  test(
    'reading row by row ends with the connection, and does not wait forever',
    async () => {
      const storage = await open(await server.createDatabase())
      const rows = rawQuery(
        sql<object>`SELECT CASE WHEN i = 900 THEN pg_terminate_backend(pg_backend_pid()) END FROM generate_series(1, 1000) AS s (i)`,
      )
      await expect(storage.each(rows, () => {})).rejects.toMatchObject({
        issues: [{ reason: 'storage.unavailable' }],
      })
      await expect(storage.write((tx) => tx.each(rows, () => {}))).rejects.toMatchObject({
        issues: [{ reason: 'storage.unavailable' }],
      })
      await storage.write((tx) => tx.run(put('after')))
      expect(await storage.all(names)).toEqual([{ name: 'after' }])
    },
    START_MILLIS,
  )

  test(
    'an offloaded read that takes too long ends with a time to wait; writes and other reads go on',
    async () => {
      const url = await server.createDatabase()
      const storage = await open(url, { isServer: true, offloadedMillis: 1_000 })
      const unavailable = { issues: [{ reason: 'storage.unavailable', retryAfterSeconds: 2 }] }
      const endless = rawQuery(
        sql<object>`SELECT i, pg_sleep(0.01) FROM generate_series(1, 1000000) AS s (i)`,
      )
      const reads = [
        storage.offload.all(endless),
        storage.offload.first(endless),
        storage.offload.each(endless, () => {}),
      ]
      const refused = reads.map((read) => expect(read).rejects.toMatchObject(unavailable))
      await storage.write((tx) => tx.run(put('meanwhile')))
      expect(await storage.all(names)).toEqual([{ name: 'meanwhile' }])
      await Promise.all(refused)
      // The database has ended them, too, and the next ones use the same connections.
      const running = await server.execute(
        "SELECT pid FROM pg_stat_activity WHERE query LIKE '%generate_series%' AND state = 'active' AND pid <> pg_backend_pid()",
      )
      expect([running, await storage.offload.all(names), await storage.healthy()]).toEqual([
        [],
        [{ name: 'meanwhile' }],
        true,
      ])
    },
    START_MILLIS,
  )

  test(
    'a dry run that is repeated shows each change once',
    async () => {
      const storage = await open(await server.createDatabase())
      let runs = 0
      const { collected } = await rehearse(() =>
        storage.write(async (tx) => {
          collect('change')
          await tx.run(put('a'))
          if ((runs += 1) === 1) await tx.run(raise('40001'))
        }),
      )
      expect([runs, collected, await storage.all(names)]).toEqual([2, ['change'], []])
    },
    START_MILLIS,
  )

  test(
    'a server whose process is not known to have ended keeps its database while its heartbeat goes on, and no longer',
    async () => {
      const url = await server.createDatabase()
      const first = await open(url, { isServer: true, times: TIMES })
      const other = await open(url)
      // As of a process on another machine.
      const move = rawQuery(
        sql`UPDATE server_heartbeat SET place = '{"host":"other","pid":1,"system":"other"}'`,
      )
      await other.write((tx) => tx.run(move))
      await expect(open(url, { isServer: true, times: TIMES })).rejects.toThrow('process 1 on other')
      const stop = rawQuery(sql`UPDATE server_heartbeat SET holder = 'ended', beat = 0`)
      const stopLock = rawQuery(sql`UPDATE server_lock SET holder = 'ended'`)
      await other.write(async (tx) => {
        await tx.run(stop)
        await tx.run(stopLock)
      })
      const second = await open(url, { isServer: true, times: TIMES })
      await second.write((tx) => tx.run(put('second')))
      await expect(first.write((tx) => tx.run(put('first')))).rejects.toMatchObject({
        issues: [{ reason: 'storage.unwritable' }],
      })
      expect(await second.all(names)).toEqual([{ name: 'second' }])
    },
    START_MILLIS,
  )

  test(
    'of several nodes, one writes; another takes the lease when it ends, and one that lost it appends nothing',
    async () => {
      const url = await server.createDatabase()
      const node = { isServer: true, node: { secret: SECRET }, times: TIMES }
      const [first, second] = [await open(url, node), await open(url, node)]
      expect([first.node?.isWriter(), second.node?.isWriter()]).toEqual([true, false])
      await first.node?.setAddress('http://192.0.2.1')
      const events: string[] = []
      const handlers = (name: string) => ({
        catchUp: async () => void events.push(`${name} catches up`),
        lead: async () => void events.push(`${name} leads`),
        lose: () => void events.push(`${name} loses`),
      })
      first.node?.begin(handlers('first'))
      second.node?.begin(handlers('second'))
      await expect
        .poll(() => second.node?.writerAddress(), { timeout: START_MILLIS })
        .toBe('http://192.0.2.1')
      const isWriter = (storage: typeof first) => storage.write(async (tx) => tx.isWriter)
      // A follower writes in turn what is not in the log.
      expect([await isWriter(first), await isWriter(second)]).toEqual([true, false])
      // Another process takes the lease of the first node, which has not noticed it.
      const command = await open(url)
      const release = () =>
        command.write(async (tx) => {
          await tx.run(rawQuery(sql`UPDATE server_lock SET holder = NULL`))
          await tx.run(rawQuery(sql`UPDATE server_heartbeat SET holder = NULL`))
        })
      await release()
      let taken = 0
      const secondLeads = async (): Promise<boolean | undefined> => {
        // The first node may be faster, and take it again.
        const again = events.filter((event) => event === 'first leads').length
        if (again > taken) await release()
        taken = again
        return second.node?.isWriter()
      }
      await expect.poll(secondLeads, { timeout: START_MILLIS }).toBe(true)
      await expect.poll(() => events, { timeout: START_MILLIS }).toContain('first loses')
      // It may have taken the lease again, and lost it again without notice: then its write is refused.
      const isWriterOrRefused = () => isWriter(first).catch(() => 'refused')
      await expect.poll(isWriterOrRefused, { timeout: START_MILLIS }).toBe(false)
      // It leads once it has caught up, which the first node does not wait for.
      await expect
        .poll(() => events.filter((event) => event.startsWith('second')), { timeout: START_MILLIS })
        .toEqual(['second catches up', 'second leads'])
      await second.close()
      await expect.poll(() => first.node?.isWriter(), { timeout: START_MILLIS }).toBe(true)
    },
    START_MILLIS,
  )

  test(
    'a node that hangs in a transaction does not keep its successor waiting, and its transaction fails',
    async () => {
      const url = await server.createDatabase()
      const node = { isServer: true, node: { secret: SECRET }, times: TIMES }
      const first = await open(url, node)
      let go = (): void => {}
      const hanging = new Promise<void>((resolve) => (go = resolve))
      const late = first.write(async (tx) => {
        await tx.run(put('late'))
        await hanging
      })
      const refused = late.catch((failure: unknown) => failure)
      const second = await open(url, node)
      second.node?.begin({ catchUp: async () => {}, lead: async () => {}, lose: () => {} })
      // The heartbeat of the first goes on: its end is said here.
      const command = await import('pg').then(({ default: pg }) => new pg.Client({ connectionString: url }))
      await command.connect()
      onTestFinished(() => command.end())
      await command.query('UPDATE server_heartbeat SET holder = NULL')
      await expect.poll(() => second.node?.isWriter(), { timeout: START_MILLIS }).toBe(true)
      await second.write((tx) => tx.run(put('second')))
      go()
      expect(await refused).toMatchObject({ issues: [{ reason: 'storage.unavailable' }] })
      expect(await second.all(names)).toEqual([{ name: 'second' }])
    },
    START_MILLIS,
  )

  test(
    'a node with another secret, and a server that is not a node, are refused',
    async () => {
      const url = await server.createDatabase()
      const node = { isServer: true, node: { secret: SECRET }, times: TIMES }
      await open(url, node)
      await expect(open(url, { ...node, node: { secret: `${SECRET}-2` } })).rejects.toThrow(
        'different secrets',
      )
      await expect(open(url, { isServer: true, times: TIMES })).rejects.toThrow(
        'another server uses this database',
      )
      const alone = await server.createDatabase()
      await open(alone, { isServer: true, times: TIMES })
      await expect(open(alone, node)).rejects.toThrow('another server uses this database')
    },
    START_MILLIS,
  )

  test.each([
    ['that was not a node', null],
    ['with another secret', 'other'],
  ])(
    'a node takes over from a server %s once its heartbeat stands still',
    async (_, proof) => {
      const url = await server.createDatabase()
      const command = await open(url)
      const place = JSON.stringify({ host: 'gone', pid: 1, system: 'other' })
      await command.write(async (tx) => {
        await tx.run(rawQuery(sql`UPDATE server_lock SET holder = 'gone'`))
        await tx.run(
          rawQuery(sql`UPDATE server_heartbeat SET holder = 'gone', place = ${place}, proof = ${proof}`),
        )
      })
      const node = await open(url, { isServer: true, node: { secret: SECRET }, times: TIMES })
      expect(node.node?.isWriter()).toBe(true)
    },
    START_MILLIS,
  )

  test(
    'a node that takes the lease is not the writer before it has caught up, and one that ends takes none',
    async () => {
      const url = await server.createDatabase()
      const node = { isServer: true, node: { secret: SECRET }, times: TIMES }
      const [first, second, third] = [await open(url, node), await open(url, node), await open(url, node)]
      const handlers = { catchUp: async () => {}, lead: async () => {}, lose: () => {} }
      let go = (): void => {}
      let isCatchingUp = false
      const caughtUp = new Promise<void>((resolve) => (go = resolve))
      third.node?.begin(handlers)
      await third.node?.end()
      second.node?.begin({
        ...handlers,
        catchUp() {
          isCatchingUp = true
          return caughtUp
        },
      })
      await first.close()
      await expect.poll(() => isCatchingUp, { timeout: START_MILLIS }).toBe(true)
      const isWriter = () => second.write(async (tx) => tx.isWriter)
      expect(await isWriter()).toBe(false)
      const ended = second.node?.end()
      go()
      await ended
      expect([await isWriter(), second.node?.isWriter()]).toEqual([false, false])
      await second.close()
      await new Promise((resolve) => setTimeout(resolve, 2 * TIMES.silenceMillis))
      expect(third.node?.isWriter()).toBe(false)
      expect(await third.all(rawQuery(sql<object>`SELECT holder FROM server_lock`))).toEqual([
        { holder: null },
      ])
    },
    START_MILLIS,
  )

  test(
    'a node that has lost the lease before it begins learns it then',
    async () => {
      const url = await server.createDatabase()
      const node = await open(url, { isServer: true, node: { secret: SECRET }, times: TIMES })
      const command = await open(url)
      await command.write((tx) => tx.run(rawQuery(sql`UPDATE server_lock SET holder = 'other'`)))
      await expect(node.write((tx) => tx.run(put('late')))).rejects.toMatchObject({
        issues: [{ reason: 'storage.unwritable' }],
      })
      let losses = 0
      node.node?.begin({ catchUp: async () => {}, lead: async () => {}, lose: () => void (losses += 1) })
      expect(losses).toBe(1)
    },
    START_MILLIS,
  )
})

describeWith(['postgresql', 'pg_basebackup'], 'failover to a standby', () => {
  test(
    'a commit that the standby did not get is refused, also if another transaction got its number there',
    async () => {
      const [port, standbyPort, relayPort] = [await freePort(), await freePort(), await freePort()]
      const primary = await startPostgres(POSTGRESQL, { port })
      onTestFinished(() => primary.stop())
      const standby = await startPostgres(POSTGRESQL, { port: standbyPort, standbyOf: primary })
      onTestFinished(() => standby.stop())
      await primary.execute("ALTER SYSTEM SET synchronous_standby_names = 'standby'")
      await primary.execute('SELECT pg_reload_conf()')
      const { pathname } = new URL(await primary.createDatabase())
      const storage = await open(
        `postgres://zonereeve@127.0.0.1:${port}${pathname}?other_hosts=127.0.0.1:${relayPort}`,
      )
      const hooks: string[] = []
      const write = (name: string) =>
        storage.write(async (tx) => {
          tx.onCommit(() => void hooks.push(name))
          await tx.run(put(name))
        })
      await write('kept')
      await standby.execute("ALTER SYSTEM SET primary_conninfo = ''")
      await standby.execute('SELECT pg_reload_conf()')
      const isStreaming = async () => (await primary.execute('SELECT 1 FROM pg_stat_replication')).length
      await expect.poll(isStreaming, { timeout: START_MILLIS }).toBe(0)
      const lost = write('lost').catch((failure: unknown) => failure)
      const waiting = async () =>
        (await primary.execute(
          "SELECT backend_xid::text AS number FROM pg_stat_activity WHERE wait_event = 'SyncRep'",
        )) as readonly { number: string }[] // as selected
      await expect.poll(async () => (await waiting()).length, { timeout: START_MILLIS }).toBe(1)
      const number = Number((await waiting())[0]?.number)
      await primary.killHard()
      await standby.execute('SELECT pg_promote()')
      const next = async () =>
        Number(((await standby.execute('SELECT pg_current_xact_id()::text AS n')) as [{ n: string }])[0].n) // as selected
      let last = await next()
      expect(last).toBeLessThanOrEqual(number)
      while (last < number) last = await next()
      const [taken] = await standby.execute(`SELECT pg_xact_status('${number}'::xid8) AS status`)
      expect(taken).toEqual({ status: 'committed' })
      // Until now, the program could not reach it.
      const relay = createServer((client) => {
        const upstream = connect(standbyPort, '127.0.0.1')
        for (const [from, to] of [
          [client, upstream],
          [upstream, client],
        ] as const)
          from.on('error', () => to.destroy()).pipe(to)
      }).listen(relayPort, '127.0.0.1')
      onTestFinished(() => void relay.close())
      expect(await lost).toMatchObject({ issues: [{ reason: 'storage.unavailable' }] })
      const after = () =>
        write('after').then(
          () => true,
          () => false,
        )
      await expect.poll(after, { timeout: START_MILLIS }).toBe(true)
      expect([hooks, (await storage.all(names)).map(({ name }) => name)]).toEqual([
        ['kept', 'after'],
        ['after', 'kept'],
      ])
    },
    START_MILLIS,
  )
})

describeWith('postgresql', 'PostgreSQL over TLS', () => {
  test(
    'the certificate is checked if it is asked for, and a connection without TLS is refused by the server',
    async () => {
      const port = await freePort()
      const server = await startPostgres(POSTGRESQL, {
        tls: { certificate: FIRST.cert, key: FIRST.key, port },
      })
      onTestFinished(() => server.stop())
      const database = new URL(await server.createDatabase())
      const folder = scratchFolder()
      const authority = (name: string, certificate: string): string => {
        writeFileSync(join(folder, name), certificate)
        return join(folder, name)
      }
      const at = (query: string) => `postgres://zonereeve@127.0.0.1:${port}${database.pathname}${query}`
      const right = authority('right.pem', FIRST.cert)
      const wrong = authority('wrong.pem', SECOND.cert)
      const storage = await openPostgres(at(`?sslmode=verify-full&sslrootcert=${right}`), silentLog)
      const version = rawQuery(
        sql<{ version: string }>`SELECT version FROM pg_stat_ssl WHERE pid = pg_backend_pid()`,
      )
      expect((await storage.first(version))?.version).toMatch(/^TLSv1\.[23]$/)
      await storage.close()
      await expect(openPostgres(at(`?sslmode=verify-full&sslrootcert=${wrong}`), silentLog)).rejects.toThrow(
        /certificate|verify/,
      )
      await expect(openPostgres(at('?sslmode=disable'), silentLog)).rejects.toThrow('pg_hba.conf')
    },
    START_MILLIS,
  )
})
