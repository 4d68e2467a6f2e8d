// Clients that pipeline long lists, and those that disconnect meanwhile: DNS questions are answered, and replies
// to disconnected clients are not made.
import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, onTestFinished, test } from 'vitest'
import { loadConfig } from '@zonereeve/config'
import { randomIds, silentLog, systemClock } from '@zonereeve/platform'
import { ADMIN_TOKEN } from '../testing/app.ts'
import { fileForm, FORM_HEADERS } from '../testing/multipart.ts'
import { mustOf } from '../testing/program-calls.ts'
import { scratchFolder } from '@zonereeve/platform/testing/scratch-folder.ts'
import { startApp, type App } from './app.ts'

const RECORDS = 3_000
const CLIENTS = 6
const PIPELINED = 100
const QUESTIONS = 100
/** `www.big.example. A`, with the ID 0. */
const QUESTION = Buffer.from('0000010000010000000000000377777703626967076578616d706c650000010001', 'hex')

async function start() {
  let begun = 0
  const log = {
    ...silentLog,
    info: (_: object, event: string) => void (begun += Number(event === 'request')),
  }
  const app = await startApp({
    config: loadConfig({
      flags: {
        http: '127.0.0.1:0',
        dns: '127.0.0.1:0',
        'dns-threads': '0',
        resolver: 'off',
        data: scratchFolder(),
      },
      environment: { ZONEREEVE_ADMIN_TOKEN: ADMIN_TOKEN },
    }),
    clock: systemClock(),
    ids: randomIds(),
    log,
  })
  onTestFinished(() => app.close())
  return { app, requests: () => begun }
}

async function fill(app: App): Promise<string> {
  const zone = (await mustOf(app, 'POST', '/zones', { name: 'big.example' })).id
  const path = `/zones/${zone}/dns_records`
  const lines = `www 300 A 192.0.2.1\n$GENERATE 1-${RECORDS - 1} r$ 300 A 192.0.2.1\n`
  const { status } = await fetch(`http://127.0.0.1:${app.http.port}/client/v4${path}/import`, {
    method: 'POST',
    headers: { ...FORM_HEADERS, authorization: `Bearer ${ADMIN_TOKEN}` },
    body: fileForm(lines),
  })
  expect(status).toBe(200)
  return `/client/v4${path}?per_page=${RECORDS}`
}

/** Sends many lists at once, and waits for the beginning of the first reply. */
async function pipeline(app: App, path: string): Promise<Socket> {
  const socket = connect(app.http.port, '127.0.0.1')
  onTestFinished(() => void socket.destroy())
  socket.on('error', () => {})
  const one = `GET ${path} HTTP/1.1\r\nhost: localhost\r\nauthorization: Bearer ${ADMIN_TOKEN}\r\n\r\n`
  socket.write(one.repeat(PIPELINED))
  await once(socket, 'readable')
  return socket
}

/** Asks one question after the other. @returns how many were answered with the address. */
async function ask(app: App, count: number): Promise<number> {
  const socket = createSocket('udp4')
  onTestFinished(() => void socket.close())
  let answered = 0
  for (let id = 1; id <= count; id += 1) {
    const question = Buffer.from(QUESTION)
    question.writeUInt16BE(id)
    socket.send(question, app.dns.port, '127.0.0.1')
    const [answer] = (await once(socket, 'message')) as [Buffer]
    if (answer.readUInt16BE() === id && answer.subarray(-4).equals(Buffer.from([192, 0, 2, 1]))) answered += 1
  }
  return answered
}

test('DNS is answered while lists are under way, also of clients that have left', async () => {
  const { app, requests } = await start()
  const path = await fill(app)
  const sockets = await Promise.all(Array.from({ length: CLIENTS }, () => pipeline(app, path)))
  // Half of them leave; the others have begun, and read no further.
  const left = sockets.slice(CLIENTS / 2)
  for (const socket of left) socket.destroy()
  expect(await ask(app, QUESTIONS)).toBe(QUESTIONS)
  for (const socket of sockets) socket.destroy()
  expect(await ask(app, QUESTIONS)).toBe(QUESTIONS)
  await sleep(500) // of lists that might follow
  expect(requests()).toBeLessThan((CLIENTS * PIPELINED) / 4)
})
