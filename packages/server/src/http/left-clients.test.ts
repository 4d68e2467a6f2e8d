// Clients that disconnect before their reply, over real sockets: long work ends at its next chunk, and a write that
// has reached the store is completed.
import { once } from 'node:events'
import { connect } from 'node:net'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { DomainError } from '@zonereeve/platform'
import { query } from '@zonereeve/storage'
import { ADMIN_TOKEN, BASE, startTestApp, type TestApp } from '../testing/app.ts'
import type { Route } from './route.ts'

/** More than a list returns as one string, with far more chunks than it takes for a disconnect to arrive. */
const RECORDS = 21_000
const lines = (name: string, count: number): string =>
  Array.from({ length: count }, (_, i) => `${name}${i}.big.example. 300 IN A 192.0.2.${i % 256}\n`).join('')
const filled = lines('r', RECORDS)

let app: TestApp
let zone: string
let under: string
/** Called as soon as the handler of the next request runs. */
let begun = (): void => {}
/** Result of the handler. */
let ended: Promise<unknown> = Promise.resolve()
let chunks = 0

beforeAll(async () => {
  app = await startTestApp({ alterRoutes: (routes) => routes.map(watched) })
  zone = (await app.must('POST', '/zones', { name: 'big.example' })).id
  under = `/zones/${zone}/dns_records`
  await app.call(replaceBy(filled))
  const { all, offload, each } = app.storage
  const { each: eachOffloaded } = offload
  // Each result of the database is a chunk; a list reads its rows one by one.
  Object.assign(app.storage, {
    all: (query: never) => ((chunks += 1), all(query)),
    each: (query: never, take: (row: unknown) => void) => each(query, (row) => ((chunks += 1), take(row))),
  })
  Object.assign(offload, {
    each: (query: never, take: (row: unknown) => void) =>
      eachOffloaded(query, (row) => ((chunks += 1), take(row))),
  })
})
afterAll(() => app.close())
afterEach(() => void (begun = () => {}))

const watched = (route: Route): Route => ({
  ...route,
  handle: (call) => {
    const work = route.handle(call)
    ended = work.then(
      () => 'done',
      (error: unknown) => (error instanceof DomainError ? error.issues[0].reason : error),
    )
    begun()
    return work
  },
})

const multipart = (file: string) => ({
  headers: { 'content-type': 'multipart/form-data; boundary=b' },
  body: `--b\r\ncontent-disposition: form-data; name="file"; filename="z"\r\n\r\n${file}\r\n--b--\r\n`,
})
const replaceBy = (file: string) => ({
  method: 'PUT',
  path: `/zonereeve/zones/${zone}/zone_file`,
  ...multipart(file),
})

interface PendingCall {
  readonly method: string
  readonly path: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string
}

/**
 * Sends a request, and disconnects while it is processed. @returns how the work ended, and the number of chunks read
 * after that.
 */
async function leave({ method, path, headers = {}, body = '' }: PendingCall) {
  const socket = connect(app.port, '127.0.0.1')
  const working = new Promise<void>((resolve) => (begun = resolve))
  const head = { host: 'localhost', authorization: `Bearer ${ADMIN_TOKEN}`, ...headers }
  const fields = Object.entries({ ...head, 'content-length': Buffer.byteLength(body) })
  const text = fields.map(([name, value]) => `${name}: ${value}\r\n`).join('')
  socket.write(`${method} ${BASE}${path} HTTP/1.1\r\n${text}\r\n${body}`)
  await working
  chunks = 0
  socket.destroy()
  await once(socket, 'close')
  const how = await ended
  return { how, chunks }
}

describe('a client that disconnects', () => {
  test.each<[name: string, most: number, sent: () => PendingCall]>([
    ['a list', RECORDS - 1, () => ({ method: 'GET', path: `${under}?per_page=${RECORDS}` })],
    ['an export', RECORDS / 1_000 - 1, () => ({ method: 'GET', path: `${under}/export` })],
    [
      'a change set',
      RECORDS / 500 - 1,
      () => ({ method: 'GET', path: `/zonereeve/zones/${zone}/changes/2` }),
    ],
    ['an import that is being read', 0, () => ({ ...replaceBy(lines('other', 15_000)) })],
    [
      'a dry run',
      0,
      () => ({
        method: 'POST',
        path: `/zonereeve/zones/${zone}/restore?dry_run=true`,
        headers: { 'content-type': 'application/json' },
        body: '{"number":1}',
      }),
    ],
  ])('ends %s', async (_, most, sent) => {
    const before = await app.changeCount()
    const left = await leave(sent())
    expect(left.how).toBe('request.abandoned')
    expect(left.chunks).toBeLessThanOrEqual(most)
    expect(await app.changeCount()).toBe(before)
    expect((await app.must<object[]>('GET', `${under}?per_page=5`)).length).toBe(5)
    expect(app.logged.filter(({ level }) => level === 'error')).toEqual([])
    expect(app.logged.findLast(({ event }) => event === 'request')).toBeDefined()
  })

  test('ends the upload of a threat feed, and nothing is stored', async () => {
    const feeds = '/zonereeve/threat_feeds'
    const body = { name: 'own list', format: 'plain', categories: ['Malware'] }
    const { id } = await app.must<{ readonly id: string }>('POST', feeds, body)
    const file = Array.from({ length: 40_000 }, (_, i) => `evil${i}.example\n`).join('')
    const headers = { 'content-type': 'text/plain' }
    const sent = { method: 'PUT', path: `${feeds}/${id}/entries`, headers, body: file }
    expect((await leave(sent)).how).toBe('request.abandoned')
    expect(await app.must('GET', `${feeds}/${id}`)).toMatchObject({ status: { entries: 0 } })
    await app.imports.clearAway(new AbortController().signal)
    for (const table of ['threat_entries', 'threat_imports'] as const)
      expect(await app.storage.all(query.selectFrom(table).selectAll())).toEqual([])
  })

  test('ends the simulation of a policy', async () => {
    await app.must('PUT', `/zones/${zone}/page_shield`, { enabled: true })
    const scripts = (from: number) =>
      Array.from({ length: 100 }, (_, i) => `https://cdn.example/${from + i}.js`)
    for (let from = 0; from < 10; from += 1) {
      const view = { page_url: 'https://big.example/', scripts: scripts(100 * from), connections: [] }
      const body = { observations: [view, view, view] }
      await app.must('POST', `/zonereeve/zones/${zone}/page_shield/observations`, body)
    }
    const value = `script-src ${Array.from({ length: 230 }, (_, i) => `https://h${i}.cdn.example/a/`).join(' ')}`
    const path = `/zonereeve/zones/${zone}/page_shield/policies/simulate`
    const headers = { 'content-type': 'application/json' }
    const sent = { method: 'POST', path, headers, body: JSON.stringify({ value: value.slice(0, 6_000) }) }
    expect((await leave(sent)).how).toBe('request.abandoned')
  })

  test('does not end a write that is being stored', async () => {
    const before = await app.changeCount()
    const body = JSON.stringify({
      posts: Array.from({ length: 500 }, (_, i) => ({ type: 'A', name: `b${i}`, content: '192.0.2.1' })),
    })
    const headers = { 'content-type': 'application/json' }
    expect((await leave({ method: 'POST', path: `${under}/batch`, headers, body })).how).toBe('done')
    expect(await app.changeCount()).toBe(before + 1)
    expect((await app.must<object[]>('GET', `${under}?name=b499.big.example`)).length).toBe(1)
  })
})
