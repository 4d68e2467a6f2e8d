// The whole program: how it starts, and that it stops even if a client never finishes its request.
import { once } from 'node:events'
import type { Server } from 'node:http'
import { connect, createServer } from 'node:net'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { expect, test } from 'vitest'
import { loadConfig } from '@zonereeve/config'
import { SYSTEM_CALLER } from '../features/accounts/tokens/index.ts'
import { randomIds, silentLog, SYSTEM, systemClock } from '@zonereeve/platform'
import { scratchFolder } from '@zonereeve/platform/testing/scratch-folder.ts'
import { startApp, type AppOptions } from './app.ts'

const TOKEN = 'a'.repeat(40)

test('a request that never ends does not prevent the shutdown', async () => {
  const config = loadConfig({
    flags: { http: '127.0.0.1:0', dns: '127.0.0.1:0', 'dns-threads': '0' },
    environment: { ZONEREEVE_ADMIN_TOKEN: TOKEN },
  })
  const deps = { config, clock: systemClock(), ids: randomIds(), log: silentLog }
  const app = await startApp({ ...deps, inMemory: true, drainMillis: 50 })
  const socket = connect(app.http.port, '127.0.0.1')
  const closed = new Promise<void>((resolve) => socket.once('close', () => resolve()))
  const head = `POST /client/v4/zones HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${TOKEN}\r\n`
  await new Promise((resolve) => socket.write(`${head}Content-Length: 100\r\n\r\n{`, resolve))
  // The server has read the head of the first request before it answers on a second connection.
  expect((await fetch(`http://127.0.0.1:${app.http.port}/livez`)).status).toBe(200)
  await app.close()
  await closed
})

setFlagsFromString('--expose-gc')
const collectGarbage = runInNewContext('gc') as () => void

test('a closed app leaves memory', async () => {
  const config = loadConfig({
    flags: { http: '127.0.0.1:0', dns: '127.0.0.1:0', 'dns-threads': '0' },
    environment: { ZONEREEVE_ADMIN_TOKEN: TOKEN },
  })
  const deps = { config, clock: systemClock(), ids: randomIds(), log: silentLog }
  const closed = await (async () => {
    const app = await startApp({ ...deps, inMemory: true })
    await app.close()
    return new WeakRef(app.zones)
  })()
  // The last connections end, and finalizers run, between collections.
  for (let round = 0; round < 50 && closed.deref() !== undefined; round += 1) {
    await new Promise((resolve) => setTimeout(resolve, 20))
    collectGarbage()
  }
  expect(closed.deref()).toBeUndefined()
})

test.each<[string, (servers: Server[]) => Partial<AppOptions>]>([
  ['before it listens', () => ({ seed: () => Promise.reject(new Error('broken')) })],
  [
    'when it listens',
    (servers) => ({
      watchRequests(server) {
        servers.push(server)
        throw new Error('broken')
      },
    }),
  ],
])('a start that fails %s leaves nothing open', async (_, optionsOf) => {
  const config = loadConfig({
    flags: { http: '127.0.0.1:0', dns: '127.0.0.1:0', 'dns-threads': '0', data: scratchFolder() },
    environment: { ZONEREEVE_ADMIN_TOKEN: TOKEN },
  })
  const deps = { config, clock: systemClock(), ids: randomIds(), log: silentLog }
  const servers: Server[] = []
  await expect(startApp({ ...deps, ...optionsOf(servers) })).rejects.toThrow('broken')
  expect(servers.map(({ listening }) => listening)).toEqual(servers.map(() => false))
  // Only one server at a time can open the database.
  await (await startApp(deps)).close()
})

test('seed data exists before anything listens', async () => {
  const taken = createServer().listen(0, '127.0.0.1')
  await once(taken, 'listening')
  const { port } = taken.address() as { port: number } // of a TCP server
  taken.close()
  await once(taken, 'close')
  const config = loadConfig({
    flags: { http: `127.0.0.1:${port}`, dns: '127.0.0.1:0', 'dns-threads': '0' },
    environment: { ZONEREEVE_ADMIN_TOKEN: TOKEN },
  })
  const url = `http://127.0.0.1:${port}`
  let reached: unknown
  const seed: AppOptions['seed'] = async ({ zones }) => {
    reached = await fetch(`${url}/readyz`).catch(() => undefined)
    await zones.create({ name: 'seeded.example' }, SYSTEM_CALLER, SYSTEM)
  }
  const deps = { config, clock: systemClock(), ids: randomIds(), log: silentLog }
  const app = await startApp({ ...deps, inMemory: true, seed })
  const headers = { authorization: `Bearer ${TOKEN}` }
  const zones = await (await fetch(`${url}/client/v4/zones`, { headers })).text()
  expect([reached, (await fetch(`${url}/readyz`)).status]).toEqual([undefined, 200])
  expect(zones).toContain('seeded.example')
  await app.close()
})
