// The program as a whole: it ends although a client never finishes its request.
import { connect } from 'node:net'
import { expect, test } from 'vitest'
import { loadConfig } from '../config/index.ts'
import { systemClock } from '../platform/clock.ts'
import { randomIds } from '../platform/ids.ts'
import { silentLog } from '../platform/log.ts'
import { startApp } from './app.ts'

const TOKEN = 'a'.repeat(40)

test('a request that never ends does not keep the program from ending', async () => {
  const config = loadConfig({
    flags: { http: '127.0.0.1:0', dns: '127.0.0.1:0' },
    environment: { ZONEREEVE_ADMIN_TOKEN: TOKEN },
  })
  const deps = { config, clock: systemClock(), ids: randomIds(), log: silentLog }
  const app = await startApp({ ...deps, inMemory: true, drainMillis: 50 })
  const socket = connect(app.http.port, '127.0.0.1')
  const closed = new Promise<void>((resolve) => socket.once('close', () => resolve()))
  const head = `POST /client/v4/zones HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${TOKEN}\r\n`
  await new Promise((resolve) => socket.write(`${head}Content-Length: 100\r\n\r\n{`, resolve))
  // The request is under way when the server has read its head: a second connection's reply comes after that.
  expect((await fetch(`http://127.0.0.1:${app.http.port}/livez`)).status).toBe(200)
  await app.close()
  await closed
})
