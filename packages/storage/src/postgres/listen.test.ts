// The connection that waits for notifications, with servers that answer nothing, refuse, or send none.
import { once } from 'node:events'
import { type AddressInfo, createServer, type Socket } from 'node:net'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { POSTGRESQL } from '../../../../scripts/requirements.ts'
import { describeWith } from '../../../../scripts/test-requirements.ts'
import { freePort } from '@zonereeve/platform/testing/free-port.ts'
import { type PostgresServer, START_MILLIS, startPostgres } from '../testing/postgres.ts'
import { startCuttingProxy } from '../testing/cutting-proxy.ts'
import { CHANNEL } from './lease.ts'
import { listenFor, type ListenDeps } from './listen.ts'

/** Those that a test is not about. */
const UNUSED: Omit<ListenDeps, 'url'> = { wake: () => {}, notify: async () => {}, noteMissing: () => {} }

async function startSilentServer() {
  const sockets = new Set<Socket>()
  let connections = 0
  const server = createServer((socket) => {
    connections += 1
    sockets.add(socket.on('error', () => {}))
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy()
    server.close()
  })
  const { port } = server.address() as AddressInfo // of a listening server
  return { port, connections: () => connections }
}

test('closing does not wait for a server that does not answer', async () => {
  const silent = await startSilentServer()
  const listener = listenFor({ url: `postgres://zonereeve@127.0.0.1:${silent.port}/any`, ...UNUSED })
  await expect.poll(silent.connections).toBe(1)
  await listener.close()
  expect(silent.connections()).toBe(1)
})

describeWith('postgresql', 'listening with several hosts', () => {
  let server: PostgresServer
  let port = 0
  beforeAll(async () => {
    port = await freePort()
    server = await startPostgres(POSTGRESQL, { port })
  }, START_MILLIS)
  afterAll(() => server.stop())

  test(
    'a host that does not answer is passed over',
    async () => {
      const silent = await startSilentServer()
      const { pathname } = new URL(await server.createDatabase())
      const url = `postgres://zonereeve@127.0.0.1:${silent.port}${pathname}?other_hosts=127.0.0.1:${port}`
      let wakes = 0
      const listener = listenFor({ ...UNUSED, url, wake: () => (wakes += 1) })
      onTestFinished(listener.close)
      await expect.poll(() => wakes, { timeout: START_MILLIS }).toBeGreaterThan(0)
      expect(silent.connections()).toBe(1)
    },
    START_MILLIS,
  )
})

describeWith('postgresql', 'notifications', () => {
  let server: PostgresServer
  beforeAll(async () => {
    server = await startPostgres(POSTGRESQL)
  }, START_MILLIS)
  afterAll(() => server.stop())

  /** What a listener reports about a database that gets other statements than its clients send. */
  async function listen(replaced?: readonly [from: string, to: string]) {
    const database = await server.createDatabase()
    const proxy = await startCuttingProxy(database)
    onTestFinished(() => proxy.close())
    if (replaced !== undefined) proxy.replace(...replaced)
    const problems: string[] = []
    let wakes = 0
    const notify = () => server.executeIn(new URL(database).pathname.slice(1), `NOTIFY ${CHANNEL}`)
    const listener = listenFor({
      url: proxy.url,
      wake: () => (wakes += 1),
      notify,
      noteMissing: (problem) => void problems.push(problem),
      arrivalMillis: replaced === undefined ? START_MILLIS : 200,
    })
    onTestFinished(listener.close)
    const reconnect = async () => {
      const before = wakes
      proxy.setReachable(false)
      proxy.setReachable(true)
      await expect.poll(() => wakes, { timeout: START_MILLIS }).toBeGreaterThan(before)
    }
    return { problems, notify, wakes: () => wakes, reconnect }
  }

  test(
    'that arrive wake, and are no problem',
    async () => {
      const { problems, wakes, notify } = await listen()
      // After the connection, and at its first notification.
      await expect.poll(wakes, { timeout: START_MILLIS }).toBe(2)
      await notify()
      await expect.poll(wakes, { timeout: START_MILLIS }).toBe(3)
      expect(problems).toEqual([])
    },
    START_MILLIS,
  )

  test(
    'that do not arrive are reported once',
    async () => {
      const { problems, reconnect } = await listen([
        `LISTEN ${CHANNEL}`,
        `LISTEN ${CHANNEL.replace('s', 'x')}`,
      ])
      await expect.poll(() => problems, { timeout: START_MILLIS }).toEqual(['notifications do not arrive'])
      await reconnect()
      await reconnect()
      expect(problems).toHaveLength(1)
    },
    START_MILLIS,
  )

  test(
    'are listened for once a database accepts connections that it has refused for a time',
    async () => {
      const database = await server.createDatabase()
      const name = new URL(database).pathname.slice(1)
      await server.execute('CREATE ROLE listener LOGIN')
      await server.execute(`REVOKE CONNECT ON DATABASE ${name} FROM PUBLIC`)
      const proxy = await startCuttingProxy(database)
      onTestFinished(() => proxy.close())
      const url = new URL(proxy.url)
      url.username = 'listener'
      const problems: string[] = []
      let wakes = 0
      const listener = listenFor({
        url: url.href,
        wake: () => (wakes += 1),
        notify: () => server.executeIn(name, `NOTIFY ${CHANNEL}`),
        noteMissing: (problem) => void problems.push(problem),
        arrivalMillis: START_MILLIS,
      })
      onTestFinished(listener.close)
      await expect.poll(proxy.ended, { timeout: START_MILLIS }).toBeGreaterThan(0)
      await server.execute(`GRANT CONNECT ON DATABASE ${name} TO PUBLIC`)
      // After the connection, and at its first notification.
      await expect.poll(() => wakes, { timeout: START_MILLIS }).toBe(2)
      expect(problems).toEqual([])
    },
    START_MILLIS,
  )

  test(
    'are listened for once the database permits it, and that it did not is reported once',
    async () => {
      const database = await server.createDatabase()
      const name = new URL(database).pathname.slice(1)
      // The proxy calls this in place of LISTEN, as an engine that asks for a right would refuse it.
      const instead = 'SELECT not_permitted()'.padEnd(`LISTEN ${CHANNEL}`.length)
      await server.executeIn(
        name,
        `CREATE FUNCTION not_permitted() RETURNS void LANGUAGE plpgsql AS
          $$ BEGIN RAISE EXCEPTION 'not for you' USING ERRCODE = '42501'; END $$`,
      )
      const proxy = await startCuttingProxy(database)
      onTestFinished(() => proxy.close())
      proxy.replace(`LISTEN ${CHANNEL}`, instead)
      const problems: string[] = []
      let wakes = 0
      const listener = listenFor({
        url: proxy.url,
        wake: () => (wakes += 1),
        notify: () => server.executeIn(name, `NOTIFY ${CHANNEL}`),
        noteMissing: (problem) => void problems.push(problem),
        notPermittedMillis: 50,
      })
      onTestFinished(listener.close)
      const connections = proxy.ended
      await expect.poll(connections, { timeout: START_MILLIS }).toBeGreaterThan(1)
      expect([wakes, problems]).toEqual([0, ['LISTEN is refused: not for you']])
      proxy.replace('', '')
      await expect.poll(() => wakes, { timeout: START_MILLIS }).toBe(1)
      await server.executeIn(name, `NOTIFY ${CHANNEL}`)
      await expect.poll(() => wakes, { timeout: START_MILLIS }).toBe(2)
      expect(problems).toHaveLength(1)
    },
    START_MILLIS,
  )

  test(
    'that the database does not have are reported once, and not asked for again',
    async () => {
      const { problems, wakes } = await listen(['LISTEN', 'LISTEM'])
      const refused = [expect.stringMatching(/^LISTEN is refused: syntax error/)]
      await expect.poll(() => problems, { timeout: START_MILLIS }).toEqual(refused)
      expect(wakes()).toBe(0)
    },
    START_MILLIS,
  )
})
