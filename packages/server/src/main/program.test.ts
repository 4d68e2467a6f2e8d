// The program as a process: ready line, log without secrets, one server a folder, orderly end, data kept.
import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { describe, expect, onTestFinished, test } from 'vitest'
import { createHttpClient, type Received } from '../testing/http-client.ts'
import { scratchFolder } from '../testing/scratch-folder.ts'

const BIN = fileURLToPath(new URL('../../bin/zonereeve.js', import.meta.url))
const TOKEN = 'token-of-the-process-test-0123456789-abcd'
const KEY = '0123456789abcdef0123456789abcdef01234'

interface Program {
  readonly child: ChildProcess
  readonly out: () => string
  readonly err: () => string
  readonly ended: Promise<number | null>
}

function start(folder: string, ...more: string[]): Program {
  const child = spawn(
    process.execPath,
    [
      BIN,
      'serve',
      '--data',
      folder,
      '--http',
      '127.0.0.1:0',
      '--dns',
      '127.0.0.1:0',
      '--log-level',
      'debug',
      ...more,
    ],
    {
      env: { PATH: '/usr/bin:/bin', ZONEREEVE_ADMIN_TOKEN: TOKEN, ZONEREEVE_ADMIN_KEY: KEY },
      stdio: ['ignore', 'pipe', 'pipe'],
    },
  )
  onTestFinished(() => void child.kill('SIGKILL'))
  let out = ''
  let err = ''
  child.stdout?.on('data', (chunk: Buffer) => (out += chunk.toString()))
  child.stderr?.on('data', (chunk: Buffer) => (err += chunk.toString()))
  const ended = once(child, 'close').then(([code]) => code as number | null)
  return { child, out: () => out, err: () => err, ended }
}

/** The HTTP port of the ready line. */
async function ready(program: Program): Promise<number> {
  while (!program.out().includes('\n')) {
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

describe('the program', () => {
  test('serves, logs no secret, ends in order, and has everything when it is started again', async () => {
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

    expect(first.out().trimEnd().split('\n').length).toBe(1)
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
    const kept = await send(await ready(again), 'GET', '/zones?name=example.com', bearer)
    expect(kept.text).toContain('"name":"example.com"')
    expect(await stop(again)).toBe(0)
  })

  test('browser reports that were answered are stored on SIGTERM, and what was stored outlives kill -9', async () => {
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
    // The address of the first run is still good: its key is kept.
    expect(await report('https://b.example/')).toBe(204)
    await expect.poll(scripts).toEqual(['https://a.example/', 'https://b.example/'])
    second.child.kill('SIGKILL')
    await second.ended

    const third = start(folder)
    port = await ready(third)
    expect(await scripts()).toEqual(['https://a.example/', 'https://b.example/'])
    expect(await stop(third)).toBe(0)
  })
})
