// The server that test suites control: real HTTP, a real nameserver, real restarts.
import { once } from 'node:events'
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { scratchFolder } from '@zonereeve/platform/testing/scratch-folder.ts'
import { randomIds, silentLog, systemClock } from '@zonereeve/platform'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { loadConfig } from '@zonereeve/config'
import { isAuthoritative } from '../../testing/authority.ts'
import { createTestControl } from '../test-control-client.ts'
import { startTestServer } from './serve-for-tests.ts'

const TOKEN = 'a'.repeat(40)
const CONTROL = { host: '127.0.0.1', port: 0 }

function optionsWith(folder: string, flags: Readonly<Record<string, string>>) {
  const data = join(folder, 'data')
  const config = loadConfig({
    flags: { http: '127.0.0.1:0', dns: '127.0.0.1:0', resolver: 'off', data, ...flags },
    environment: { ZONEREEVE_ADMIN_TOKEN: TOKEN, ZONEREEVE_TEST_TOKEN: TOKEN, ZONEREEVE_CONFIG: '' },
  })
  return { data, options: { config, clock: systemClock(), ids: randomIds(), log: silentLog } }
}

async function start() {
  const started = await startUnended(scratchFolder())
  onTestFinished(() => started.server.close())
  return started
}

/** The caller ends it. */
async function startUnended(folder: string) {
  const { options } = optionsWith(folder, {})
  const server = await startTestServer(options, CONTROL)
  const url = `http://${server.control.host}:${server.control.port}`
  const base = `http://127.0.0.1:${server.app.http.port}/client/v4`
  const api = async (path: string, init: RequestInit = {}) => {
    const headers = { authorization: `Bearer ${TOKEN}`, 'content-type': 'application/json' }
    const response = await fetch(`${base}${path}`, { headers, ...init })
    return { status: response.status, body: (await response.json()) as { readonly result: unknown } }
  }
  const names = async () =>
    ((await api('/zones')).body.result as readonly { readonly name: string }[]).map(({ name }) => name)
  const isAnswered = () => isAuthoritative(server.app.dns.port)
  return { server, url, base, control: createTestControl(url, TOKEN), api, names, isAnswered }
}

describe('states', () => {
  test('are saved and restored with the nameserver, on the same ports, and a reset returns to the start', async () => {
    const { control, api, names, isAnswered, server } = await start()
    const ports = [server.app.http.port, server.app.dns.port]
    const zones = await control.seed([
      { name: 'example.com', records: [{ type: 'A', name: 'www', content: '192.0.2.1' }] },
      { name: 'example.net', zone_file: 'www 300 IN A 192.0.2.2\nmail 300 IN A 192.0.2.3\n' },
    ])
    const counts = await Promise.all(
      zones.map(async ({ id }) => ((await api(`/zones/${id}/dns_records`)).body.result as unknown[]).length),
    )
    expect(counts).toEqual([1, 2])
    await control.save('two-zones')
    await api(`/zones/${zones[0]?.id}`, { method: 'DELETE' })
    expect([await names(), await isAnswered()]).toEqual([['example.net'], false])
    await control.restore('two-zones')
    expect([(await names()).toSorted(), await isAnswered()]).toEqual([['example.com', 'example.net'], true])
    await control.reset()
    expect([await names(), await isAnswered()]).toEqual([[], false])
    expect([server.app.http.port, server.app.dns.port]).toEqual(ports)
  })

  test('that a zone is refused says so with the answer of the API', async () => {
    const { control, names } = await start()
    await expect(control.seed([{ name: 'not a name' }])).rejects.toThrow(/400.*zone not a name was refused/)
    expect(await names()).toEqual([])
  })

  test.each([
    ['an unknown state', 'nowhere', /404.*there is no snapshot nowhere; there are start/],
    ['a path out of the folder', '../data', /400.*name/],
  ])('%s is not restored', async (_, name, message) => {
    const { control } = await start()
    await expect(control.restore(name)).rejects.toThrow(message)
  })
})

test('the clock of the API is set, and a reset returns to that of the system', async () => {
  const { control, api } = await start()
  await control.setClock({ now: '2031-05-06T07:08:09Z', stopped: true })
  const created = await api('/zones', { method: 'POST', body: JSON.stringify({ name: 'example.com' }) })
  expect((created.body.result as { readonly created_on: string }).created_on).toMatch(/^2031-05-06T07:08:09/)
  await control.reset()
  const again = await api('/zones', { method: 'POST', body: JSON.stringify({ name: 'example.com' }) })
  expect((again.body.result as { readonly created_on: string }).created_on).not.toMatch(/^2031/)
})

describe('faults', () => {
  test('replace the answer for as many requests as ordered, and what is hit changes nothing', async () => {
    const { control, api, names } = await start()
    const path = '/client/v4/zones'
    await control.addFault({
      method: 'POST',
      path,
      status: 503,
      headers: { 'retry-after': '1' },
      times: 1,
    })
    const create = () => api('/zones', { method: 'POST', body: JSON.stringify({ name: 'example.com' }) })
    expect((await create()).status).toBe(503)
    expect(await names()).toEqual([])
    expect((await create()).status).toBe(200)
    const posts = (await control.requests()).filter(({ method }) => method === 'POST')
    expect(posts.map(({ status, fault_id: fault }) => [status, fault])).toEqual([
      [503, 1],
      [200, null],
    ])
    expect(posts[1]).toMatchObject({ path, query: '', body: '{"name":"example.com"}', is_body_cut: false })
  })

  test('close connections, or delay requests that then go on', async () => {
    const { control, api, base } = await start()
    await control.addFault({ path: '/client/v4/user', disconnect: true, times: 1 })
    await expect(fetch(`${base}/user`)).rejects.toThrow('fetch failed')
    await control.addFault({ path: '/client/v4/**', delay_ms: 50 })
    const before = performance.now()
    expect((await api('/user')).status).toBe(200)
    expect(performance.now() - before).toBeGreaterThanOrEqual(49)
    await control.removeFaults()
    expect((await control.requests()).map(({ status }) => status)).toEqual([null, 200])
  })

  test('last through a restart of the server', async () => {
    const { control, api } = await start()
    await control.addFault({ path: '/client/v4/user', status: 418, body: 'no' })
    await control.save('later')
    const reply = await fetch(`${(await start()).base}/user`)
    expect(reply.status).toBe(400)
    await expect(api('/user')).rejects.toThrow('JSON')
  })
})

describe('the control refuses', () => {
  const folder = mkdtempSync(join(tmpdir(), 'zonereeve-control-'))
  let shared: Awaited<ReturnType<typeof startUnended>>
  beforeAll(async () => {
    shared = await startUnended(folder)
  })
  afterAll(async () => {
    await shared.server.close()
    rmSync(folder, { recursive: true, force: true })
  })

  test.each([
    ['no token', 'GET', '/requests', undefined, '', 401, 'Bearer'],
    ['another token', 'GET', '/requests', undefined, 'Bearer x', 401, 'Bearer'],
    ['an unknown path', 'GET', '/nothing', undefined, undefined, 404, 'GET /nothing'],
    ['a fault without a path', 'POST', '/faults', { status: 500 }, undefined, 400, 'path'],
    ['a fault that does nothing', 'POST', '/faults', { path: '/a' }, undefined, 400, 'status, disconnect'],
    [
      'two answers',
      'POST',
      '/faults',
      { path: '/', status: 500, disconnect: true },
      undefined,
      400,
      '/disconnect',
    ],
    [
      'a body without a status',
      'POST',
      '/faults',
      { path: '/', delay_ms: 1, body: 1 },
      undefined,
      400,
      '/body',
    ],
    ['a wrong status', 'POST', '/faults', { path: '/', status: '500' }, undefined, 400, '/status'],
    [
      'a header with a space in its name',
      'POST',
      '/faults',
      { path: '/', status: 500, headers: { 'a b': 'x' } },
      undefined,
      400,
      '/headers',
    ],
    ['a folder as a snapshot', 'POST', '/snapshots/..%2Fdata/restore', undefined, undefined, 400, '/name'],
    ['an unknown member', 'POST', '/faults', { path: '/', code: 500 }, undefined, 400, 'code'],
    ['an unknown fault', 'DELETE', '/faults/7', undefined, undefined, 404, 'no fault 7'],
    ['a name with a slash', 'POST', '/snapshots', { name: '../x' }, undefined, 400, '/name'],
    ['the name of the start', 'POST', '/snapshots', { name: 'start' }, undefined, 400, 'cannot be replaced'],
    ['a day that does not exist', 'PUT', '/clock', { now: '2030-02-30' }, undefined, 400, '/now'],
    [
      'a time beyond time',
      'PUT',
      '/clock',
      { advance_seconds: 8.64e12 },
      undefined,
      400,
      'a time that exists',
    ],
    ['zones that are none', 'POST', '/seed', { zones: 'example.com' }, undefined, 400, '/zones'],
  ])('%s', async (_, method, path, body, authorization, status, message) => {
    const { url, names } = shared
    const response = await fetch(`${url}${path}`, {
      method,
      headers: {
        authorization: authorization ?? `Bearer ${TOKEN}`,
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
    expect([response.status, await response.text()]).toEqual([status, expect.stringContaining(message)])
    expect(await names()).toEqual([])
  })
})

describe('settings that are refused', () => {
  test.each([
    ['an API beyond loopback', { http: '0.0.0.0:0' }, '--http must be on loopback'],
    ['a nameserver beyond loopback', { dns: '0.0.0.0:0' }, '--dns must be on loopback'],
    [
      'a database in PostgreSQL',
      { database: 'postgres://zonereeve@localhost/x' },
      '--database cannot be used',
    ],
    ['TLS', { https: '127.0.0.1:0' }, '--https must be off'],
  ])('%s', async (_, flags, message) => {
    const { data, options } = optionsWith(scratchFolder(), flags)
    await expect(startTestServer(options, CONTROL)).rejects.toThrow(message)
    expect(existsSync(data)).toBe(false)
  })

  test('a port of the control that is taken, and the server ends', async () => {
    const taken = createServer().listen(0, '127.0.0.1')
    await once(taken, 'listening')
    onTestFinished(() => void taken.close())
    const free = createServer().listen(0, '127.0.0.1')
    await once(free, 'listening')
    const [{ port }, { port: http }] = [taken.address() as AddressInfo, free.address() as AddressInfo] // they listen
    free.close()
    await once(free, 'close')
    const { options } = optionsWith(scratchFolder(), { http: `127.0.0.1:${http}` })
    await expect(startTestServer(options, { host: '127.0.0.1', port })).rejects.toThrow('EADDRINUSE')
    await expect(fetch(`http://127.0.0.1:${http}/readyz`)).rejects.toThrow('fetch failed')
  })

  test('a control beyond loopback', async () => {
    const { options } = optionsWith(scratchFolder(), {})
    await expect(startTestServer(options, { host: '0.0.0.0', port: 0 })).rejects.toThrow(
      '--test-control must',
    )
  })

  test('data that is not of tests, which stays', async () => {
    const folder = scratchFolder()
    writeFileSync(join(folder, 'zonereeve.db'), 'precious')
    const { options } = optionsWith(folder, { data: folder })
    await expect(startTestServer(options, CONTROL)).rejects.toThrow('--data must be empty')
    expect(existsSync(join(folder, 'test-control'))).toBe(false)
  })
})
