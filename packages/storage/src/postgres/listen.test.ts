// The connection that waits for notifications, if a server accepts connections and answers nothing.
import { once } from 'node:events'
import { type AddressInfo, createServer, type Socket } from 'node:net'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { POSTGRESQL } from '../../../../scripts/requirements.ts'
import { describeWith } from '../../../../scripts/test-requirements.ts'
import { freePort } from '@zonereeve/platform/testing/free-port.ts'
import { type PostgresServer, START_MILLIS, startPostgres } from '../testing/postgres.ts'
import { listenFor } from './listen.ts'

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
  const listener = listenFor(`postgres://zonereeve@127.0.0.1:${silent.port}/any`, () => {})
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
      const listener = listenFor(url, () => (wakes += 1))
      onTestFinished(listener.close)
      await expect.poll(() => wakes, { timeout: START_MILLIS }).toBeGreaterThan(0)
      expect(silent.connections()).toBe(1)
    },
    START_MILLIS,
  )
})
