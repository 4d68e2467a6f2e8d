// The program as a process: ready line, log without secrets, one server per folder, orderly shutdown, data
// kept.
import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, mkdirSync, readdirSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { connect as connectTls } from 'node:tls'
import { fileURLToPath } from 'node:url'
import { describe, expect, onTestFinished, test } from 'vitest'
import { FIRST, SECOND } from '@zonereeve/nameserver/certificate.cases.ts'
import { openSqlite } from '@zonereeve/storage'
import { createHttpClient, type Received } from '../testing/http-client.ts'
import { scratchFolder } from '@zonereeve/platform/testing/scratch-folder.ts'

const BIN = fileURLToPath(new URL('../../dist/start.js', import.meta.url))
const TOKEN = 'token-of-the-process-test-0123456789-abcd'
const KEY = '0123456789abcdef0123456789abcdef01234'

interface Program {
  readonly child: ChildProcess
  readonly out: () => string
  readonly err: () => string
  readonly ended: Promise<number | null>
}

const start = (folder: string, ...more: string[]): Program => startWith([], folder, ...more)

/** @param prefix a command that runs ours by exec. */
function startWith(prefix: readonly string[], folder: string, ...more: string[]): Program {
  const listeners = ['--http', '127.0.0.1:0', '--dns', '127.0.0.1:0']
  const [command = process.execPath, ...args] = [...prefix, process.execPath, BIN, 'serve', '--data', folder]
  const child = spawn(command, [...args, ...listeners, '--log-level', 'debug', ...more], {
    env: { PATH: '/usr/bin:/bin', ZONEREEVE_ADMIN_TOKEN: TOKEN, ZONEREEVE_ADMIN_KEY: KEY },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  onTestFinished(() => void child.kill('SIGKILL'))
  let out = ''
  let err = ''
  child.stdout?.on('data', (chunk: Buffer) => (out += chunk.toString()))
  child.stderr?.on('data', (chunk: Buffer) => (err += chunk.toString()))
  const ended = once(child, 'close').then(([code]) => code as number | null)
  return { child, out: () => out, err: () => err, ended }
}

/** The HTTP port from the ready line. */
async function ready(program: Program): Promise<number> {
  while (!/^ready .*\n/m.test(program.out())) {
    const ended = await Promise.race([
      program.ended.then(() => true),
      once(program.child.stdout ?? program.child, 'data').then(() => false),
    ])
    if (ended) throw new Error(`ended before it was ready: ${program.err()}`)
  }
  const [, port] = /^ready http=http:\/\/127\.0\.0\.1:(\d+) dns=127\.0\.0\.1:\d+$/m.exec(program.out()) ?? []
  if (port === undefined) throw new Error(`no ready line: ${program.out()}`)
  return Number(port)
}

async function stop(program: Program): Promise<number | null> {
  program.child.kill('SIGTERM')
  return program.ended
}

/** The serial number of the certificate that a new connection gets. */
async function certificateAt(port: number): Promise<string> {
  const socket = connectTls({ port, host: '127.0.0.1', rejectUnauthorized: false })
  await once(socket, 'secureConnect')
  const { serialNumber } = socket.getPeerCertificate()
  socket.destroy()
  return serialNumber
}

describe('the program', () => {
  test('serves the API over TLS, and takes a new certificate on SIGHUP', async () => {
    const folder = scratchFolder()
    const files = { cert: join(folder, 'cert.pem'), key: join(folder, 'key.pem') }
    const write = ({ cert, key }: typeof FIRST): void => {
      writeFileSync(files.cert, cert)
      writeFileSync(files.key, key)
    }
    write(FIRST)
    const off = ['--dns-tls', 'off', '--dns-https', 'off', '--https', '127.0.0.1:0']
    const data = join(folder, 'data')
    const program = start(data, ...off, '--tls-certificate', files.cert, '--tls-key', files.key)
    let port: string | undefined
    while (port === undefined) {
      await once(program.child.stdout ?? program.child, 'data')
      port = /^ready .* https=https:\/\/127\.0\.0\.1:(\d+)$/m.exec(program.out())?.[1]
    }
    const before = await certificateAt(Number(port))
    write(SECOND)
    let after = before
    while (after === before) {
      program.child.kill('SIGHUP')
      after = await certificateAt(Number(port))
    }
    expect(program.child.exitCode).toBe(null)
    expect(await stop(program)).toBe(0)
  })

  test('serves, logs no secret, shuts down in order, and has everything after a restart', async () => {
    const folder = scratchFolder()
    const client = createHttpClient()
    onTestFinished(() => client.close())
    const send = (
      port: number,
      method: string,
      path: string,
      headers: Record<string, string>,
      body?: string,
    ): Promise<Received> =>
      client.send(port, {
        method,
        path: `/client/v4${path}`,
        headers,
        ...(body === undefined ? {} : { body }),
      })
    const bearer = { authorization: `Bearer ${TOKEN}` }
    const unknown = 'unknown-token-that-is-well-formed-0123456'

    const first = start(folder)
    const port = await ready(first)
    expect((await client.send(port, { method: 'GET', path: '/readyz' })).status).toBe(200)
    const zone = await send(
      port,
      'POST',
      '/zones',
      { ...bearer, 'content-type': 'application/json' },
      '{"name":"example.com"}',
    )
    const made = await send(
      port,
      'POST',
      '/user/tokens',
      bearer,
      JSON.stringify({
        name: 'logged',
        policies: [
          {
            effect: 'allow',
            resources: { 'com.cloudflare.api.user.*': '*' },
            permission_groups: [{ id: '8acbe5bb0d54464ab867149d7f7cf8ac' }],
          },
        ],
      }),
    )
    const value = /"value":"([^"]+)"/.exec(made.text)?.[1] ?? ''
    expect([zone.status, value.length]).toEqual([200, 40])
    await send(port, 'GET', '/user', { authorization: `Bearer ${value}` })
    await send(port, 'GET', '/user', { authorization: `Bearer ${unknown}` })
    await send(port, 'GET', '/user', { authorization: 'Bearer malformed-secret' })
    await send(port, 'GET', '/user', { 'x-auth-email': 'admin@example.com', 'x-auth-key': KEY })
    await send(port, 'GET', `/user?access_token=${TOKEN}`, {})
    await send(port, 'POST', '/zones', bearer, `{"name":"${TOKEN}.example"`)
    const second = start(folder)
    expect(await second.ended).toBe(1)
    expect(second.err()).toMatch(/another server is using/)
    expect(await stop(first)).toBe(0)

    const [link = '', ...others] = first.out().trimEnd().split('\n')
    const [, linkToken = ''] = /^sign in \(once, within 30 minutes\): http:.*#link=(.+)$/.exec(link) ?? []
    expect([linkToken.length, others.length]).toEqual([40, 1])
    expect(first.err()).not.toContain(linkToken)
    const lines = first
      .err()
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as Record<string, unknown>)
    expect(lines.filter(({ msg }) => msg === 'request').length).toBeGreaterThanOrEqual(7)
    expect(lines.every(({ level, time }) => typeof level === 'string' && typeof time === 'string')).toBe(true)
    expect(lines.filter(({ level }) => level === 'error')).toEqual([])
    for (const secret of [TOKEN, KEY, value, unknown, 'malformed-secret']) {
      expect([secret, (first.out() + first.err()).includes(secret)]).toEqual([secret, false])
    }

    const again = start(folder)
    const remaining = await send(await ready(again), 'GET', '/zones?name=example.com', bearer)
    expect(remaining.text).toContain('"name":"example.com"')
    expect(await stop(again)).toBe(0)
  })

  test('acknowledged browser reports are stored on SIGTERM, and stored data survives kill -9', async () => {
    const folder = scratchFolder()
    const client = createHttpClient()
    onTestFinished(() => client.close())
    let port = 0
    let zoneId = ''
    const call = async (method: string, path: string, body?: object) => {
      const sent = body === undefined ? {} : { body: JSON.stringify(body) }
      const headers = { authorization: `Bearer ${TOKEN}`, 'content-type': 'application/json' }
      const { text } = await client.send(port, { method, path: `/client/v4${path}`, headers, ...sent })
      return JSON.parse(text).result
    }
    const scripts = async (): Promise<string[]> => {
      const path = `/zones/${zoneId}/page_shield/scripts?status=active,infrequent`
      return (await call('GET', path)).map(({ url }: { url: string }) => url).toSorted()
    }
    const report = async (url: string): Promise<number> => {
      const page = encodeURIComponent('https://example.com/')
      const path = `/zonereeve/zones/${zoneId}/page_shield/headers?url=${page}`
      const text = JSON.stringify(await call('GET', path))
      const address = /report-uri https:\/\/example\.com([^;]+);/.exec(text)?.[1] ?? ''
      const violation = { 'document-uri': 'https://example.com/', 'effective-directive': 'script-src' }
      const body = JSON.stringify({ 'csp-report': { ...violation, 'blocked-uri': url } })
      return (await client.send(port, { method: 'POST', path: address, body })).status
    }

    const first = start(folder)
    port = await ready(first)
    zoneId = (await call('POST', '/zones', { name: 'example.com' })).id
    await call('PUT', `/zones/${zoneId}/page_shield`, { enabled: true })
    expect(await report('https://a.example/')).toBe(204)
    expect(await stop(first)).toBe(0)

    const second = start(folder)
    port = await ready(second)
    expect(await scripts()).toEqual(['https://a.example/'])
    // The report URL of the first run is still valid: its key was kept.
    expect(await report('https://b.example/')).toBe(204)
    await expect.poll(scripts).toEqual(['https://a.example/', 'https://b.example/'])
    second.child.kill('SIGKILL')
    await second.ended

    const third = start(folder)
    port = await ready(third)
    expect(await scripts()).toEqual(['https://a.example/', 'https://b.example/'])
    expect(await stop(third)).toBe(0)
  })

  test.each([
    { folder: 'that it makes', before: undefined, mode: 0o700, isOpen: false },
    { folder: 'that everybody may write to', before: 0o777, mode: 0o777, isOpen: true },
  ])('with umask 0, files are private in a folder $folder', async ({ before, mode, isOpen }) => {
    const folder = join(scratchFolder(), 'data')
    if (before !== undefined) {
      mkdirSync(folder)
      chmodSync(folder, before)
    }
    const program = startWith(['sh', '-c', 'umask 0; exec "$0" "$@"'], folder)
    await ready(program)
    const modes = Object.fromEntries(
      readdirSync(folder).map((file) => [file, statSync(join(folder, file)).mode & 0o777]),
    )
    const files = ['', '-shm', '-wal', '.key', '.lock', '.marker'].map((suffix) => `zonereeve.db${suffix}`)
    expect(modes).toEqual(Object.fromEntries(files.map((file) => [file, 0o600])))
    expect(statSync(folder).mode & 0o777).toBe(mode)
    expect(await stop(program)).toBe(0)
    const warnings = program
      .err()
      .split('\n')
      .filter((line) => line.includes('data is open to other users'))
    expect(warnings).toHaveLength(isOpen ? 1 : 0)
    if (isOpen) expect(JSON.parse(warnings[0] ?? '')).toMatchObject({ level: 'warn', paths: [folder] })
  })

  test('deletes history older than --history-days at its start, and restores newer states', async () => {
    const folder = scratchFolder()
    const client = createHttpClient()
    onTestFinished(() => client.close())
    let port = 0
    let zoneId = ''
    const call = async (method: string, path: string, body?: object) => {
      const sent = body === undefined ? {} : { body: JSON.stringify(body) }
      const headers = { authorization: `Bearer ${TOKEN}`, 'content-type': 'application/json' }
      const { status, text } = await client.send(port, {
        method,
        path: `/client/v4${path}`,
        headers,
        ...sent,
      })
      return { status, ...JSON.parse(text) }
    }
    const names = async (): Promise<string[]> =>
      (await call('GET', `/zones/${zoneId}/dns_records`)).result
        .map(({ name }: { name: string }) => name)
        .toSorted()
    const change = async (number: number) => {
      const { status, errors } = await call('GET', `/zonereeve/zones/${zoneId}/changes/${number}`)
      return [status, errors[0]?.code]
    }
    const restore = async (number: number) => {
      const { status, errors } = await call('POST', `/zonereeve/zones/${zoneId}/restore`, { number })
      return [status, errors[0]?.code]
    }

    const first = start(folder)
    port = await ready(first)
    zoneId = (await call('POST', '/zones', { name: 'example.com' })).result.id
    const made = ['a', 'b', 'c', 'd'].map((name) => ({ type: 'A', name, content: '192.0.2.1' }))
    for (const record of made) await call('POST', `/zones/${zoneId}/dns_records`, record)
    expect(await stop(first)).toBe(0)
    const database = await openSqlite(join(folder, 'zonereeve.db'))
    // Change sets 1 to 3: the zone, a and b.
    const lastOld = `SELECT position FROM changes WHERE scope_id = '${zoneId}' AND number = 3`
    database.exec(`UPDATE changes SET at = '2020-01-01T00:00:00.000000Z' WHERE position <= (${lastOld})`)
    const countOps = () =>
      database
        .prepare(
          `SELECT count(*) AS count FROM change_ops JOIN changes USING (position) WHERE scope_id = '${zoneId}'`,
        )
        .get()
    expect(countOps()).toEqual({ count: 5 })

    const second = start(folder, '--history-days', '30')
    port = await ready(second)
    await expect.poll(countOps, { timeout: 60_000 }).toEqual({ count: 2 })
    database.close()
    expect([await change(3), await change(4)]).toEqual([
      [410, 19857],
      [200, undefined],
    ])
    expect(await names()).toEqual(['a', 'b', 'c', 'd'].map((name) => `${name}.example.com`))
    expect(await restore(2)).toEqual([410, 19857])
    expect(await restore(3)).toEqual([200, undefined])
    expect(await names()).toEqual(['a.example.com', 'b.example.com'])
    expect(await restore(5)).toEqual([200, undefined])
    expect(await names()).toEqual(['a', 'b', 'c', 'd'].map((name) => `${name}.example.com`))
    expect(await stop(second)).toBe(0)

    const third = start(folder)
    port = await ready(third)
    expect([await change(3), await change(5), await change(7)]).toEqual([
      [410, 19857],
      [200, undefined],
      [200, undefined],
    ])
    expect(await stop(third)).toBe(0)
  })
})
