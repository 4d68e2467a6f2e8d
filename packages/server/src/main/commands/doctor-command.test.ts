// zonereeve doctor and status, with a server, its data folder and a resolver of the test.
import { once } from 'node:events'
import { existsSync, rmSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { fromTable, startFakeResolver } from '@zonereeve/resolver/fake-resolver.cases.ts'
import { describe, expect, test } from 'vitest'
import { loadConfig } from '@zonereeve/config'
import { SYSTEM_CALLER } from '../../features/accounts/tokens/index.ts'
import { randomIds, silentLog, SYSTEM, systemClock } from '@zonereeve/platform'
import { runCommand } from '../../testing/run-command.ts'
import { scratchFolder } from '@zonereeve/platform/testing/scratch-folder.ts'
import { startApp, type App } from '../app.ts'

interface Found {
  readonly check: string
  readonly subject: string
  readonly level: string
}

async function startServer(data: string): Promise<App> {
  const listening = { http: '127.0.0.1:0', dns: '127.0.0.1:0' }
  const names = { 'name-servers': 'ns1.example.net,ns2.example.net' }
  const config = loadConfig({ flags: { data, ...listening, ...names, resolver: 'off' }, environment: {} })
  return startApp({ config, clock: systemClock(), ids: randomIds(), log: silentLog })
}

/** Settings of a command that examines this server. */
const flagsOf = (data: string, { http, dns }: Pick<App, 'http' | 'dns'>): string[] => [
  '--data',
  data,
  '--http',
  `${http.host}:${http.port}`,
  '--dns',
  `${dns.host}:${dns.port}`,
]

describe('doctor', () => {
  test('finds what the world sees of a zone, while the server runs, and changes nothing', async () => {
    const data = join(scratchFolder(), 'data')
    const app = await startServer(data)
    await app.zones.create({ name: 'example.com' }, SYSTEM_CALLER, SYSTEM)
    await app.zones.create({ name: 'example.org' }, SYSTEM_CALLER, SYSTEM)
    const ns = (zone: string, ...names: string[]) => names.map((name) => `${zone} 60 NS ${name}.`)
    const resolver = await startFakeResolver(
      fromTable({
        'example.com NS': ns('example.com', 'ns1.example.net', 'ns2.example.net'),
        'example.org NS': ns('example.org', 'ns.example.edu'),
      }),
    )
    const examine = (...more: string[]) =>
      runCommand('doctor', ...flagsOf(data, app), '--resolver', `127.0.0.1:${resolver.port}`, ...more)
    const { code, out, err } = await examine('-o', 'json', '--all')
    expect([code, err]).toEqual([1, expect.stringMatching(/^\d+ in order, \d+ warnings, \d+ problems\n$/)])
    const found = (JSON.parse(out) as Found[]).map(({ level, check, subject }) => [level, check, subject])
    expect(found).toContainEqual(['ok', 'server', `http://127.0.0.1:${app.http.port}/readyz`])
    expect(found).toContainEqual(['ok', 'database', join(data, 'zonereeve.db')])
    expect(found).toContainEqual(['ok', 'key file', join(data, 'zonereeve.db.key')])
    expect(found).toContainEqual(['ok', 'delegation', 'example.com'])
    expect(found).toContainEqual(['problem', 'addresses', 'ns1.example.net'])
    // It is new, and was never delegated to this server.
    expect(found).toContainEqual(['problem', 'delegation', 'example.org'])
    expect(found.filter(([, check]) => check === 'answers')).toEqual([])
    const one = await examine('--zone', 'example.com')
    expect([
      one.out.includes('example.com'),
      one.out.includes('example.org'),
      one.out.includes('ok '),
    ]).toEqual([true, false, false])
    expect(await examine('--zone', 'example.edu')).toMatchObject({
      code: 1,
      err: 'zonereeve: unknown zone example.edu\n',
    })
    await app.close()
    await resolver.close()
  })

  test('a missing database and a stopped server are problems, and nothing is created', async () => {
    const data = join(scratchFolder(), 'data')
    const { code, out } = await runCommand('doctor', '--data', data, '--http', '127.0.0.1:1', '-o', 'json')
    const found = (JSON.parse(out) as Found[]).filter(({ level }) => level === 'problem')
    expect([code, found.map(({ check }) => check), existsSync(data)]).toEqual([
      1,
      ['database', 'server'],
      false,
    ])
  })
})

describe('status', () => {
  test('ready, and not ready once the server has stopped', async () => {
    const data = join(scratchFolder(), 'data')
    const app = await startServer(data)
    const flags = flagsOf(data, app)
    const url = `http://127.0.0.1:${app.http.port}/readyz`
    expect(await runCommand('status', ...flags)).toEqual({ code: 0, out: `${url}: ready\n`, err: '' })
    const json = await runCommand('status', ...flags, '-o', 'json')
    expect([json.code, JSON.parse(json.out)]).toEqual([
      0,
      { url, ready: true, problems: [], certificate: null },
    ])
    await app.close()
    rmSync(data, { recursive: true })
    expect(await runCommand('status', ...flags)).toMatchObject({
      code: 1,
      out: expect.stringMatching(/: not ready\nno answer: /),
    })
  })

  test('another program at the address is not taken for the server', async () => {
    const other = createServer((_, response) => response.writeHead(404).end('not here'))
    other.listen(0, '127.0.0.1')
    await once(other, 'listening')
    const { port } = other.address() as AddressInfo
    expect(await runCommand('status', '--http', `0.0.0.0:${port}`)).toMatchObject({
      code: 1,
      out: expect.stringMatching(
        /127\.0\.0\.1:\d+\/readyz: not ready\nanother program answers there, with status 404\n/,
      ),
    })
    other.close()
  })
})
