// The client commands as typed: the numbers, zones and formats that they accept, and their error messages.
import type { WireAuditLog } from '@zonereeve/contract'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { ADMIN_TOKEN, startTestApp, type TestApp } from '../testing/app.ts'
import { runCommand, type Ended } from '../testing/run-command.ts'
import { allow, makeToken } from '../testing/test-tokens.ts'

interface Shown {
  readonly id: string
  readonly ttl: number
  readonly priority?: number
}

describe('client commands', () => {
  let app: TestApp
  let zone: string
  beforeAll(async () => {
    app = await startTestApp()
  })
  afterAll(() => app.close())
  beforeEach(async () => {
    vi.stubEnv('ZONEREEVE_URL', `http://127.0.0.1:${app.port}/client/v4`)
    vi.stubEnv('ZONEREEVE_TOKEN', ADMIN_TOKEN)
    zone = (await app.must('POST', '/zones', { name: 'example.com' })).id
  })
  afterEach(async () => {
    vi.unstubAllEnvs()
    await app.must('DELETE', `/zones/${zone}`)
  })

  const rows = (ended: Ended) => JSON.parse(ended.out) as Shown[]
  const create = (...more: string[]) =>
    runCommand('records', 'create', 'example.com', 'MX', '@', 'mail.example.net', ...more)

  const ttls: [text: string, ttl: number][] = [
    ['5m', 300],
    ['300s', 300],
    ['300', 300],
    ['1h', 3_600],
    ['1h30m', 5_400],
    ['auto', 1],
    ['1', 1],
  ]
  test.each(ttls)('--ttl %s stores %d', async (text, ttl) => {
    expect(rows(await create('--priority', '7', '--ttl', text))).toMatchObject([{ ttl, priority: 7 }])
  })

  const wrong: [option: string, text: string][] = [
    ...['abc', '1e3', '', ' 300', '-1', '+300', '5.5', '0x10', '5 m', '5mm', 'NaN', '2147483648'].map(
      (text): [string, string] => ['--ttl', text],
    ),
    ...['ten', '1e1', '-1', '65536', '1.0', '0x1', ''].map((text): [string, string] => ['--priority', text]),
  ]
  test.each(wrong)(
    '%s "%s" is rejected by the name of the option, and nothing is stored',
    async (...given) => {
      const [option, text] = given
      const before = await app.changeCount()
      const { code, out, err } = await create(`${option}=${text}`)
      expect([code, out, await app.changeCount()]).toEqual([2, '', before])
      expect(err).toMatch(
        new RegExp(`^error: option '${option} <\\w+>' argument '.*' is invalid\\. It must be `),
      )
    },
  )

  const wrongArguments: [name: string, argv: string[]][] = [
    ['history --limit', ['history', 'example.com', '--limit', '1e1']],
    ['history --limit above the maximum', ['history', 'example.com', '--limit', '1001']],
    ['revert', ['revert', 'example.com', 'one']],
    ['revert, a path', ['revert', 'example.com', '../..']],
    ['revert --to', ['revert', 'example.com', '--to', '1x']],
    ['dnssec parent', ['dnssec', 'parent', 'example.com', '1', '65536']],
  ]
  test.each(wrongArguments)('%s accepts only integers', async (_, argv) => {
    const before = await app.changeCount()
    const { code, out, err } = await runCommand(...argv)
    expect([code, out, await app.changeCount()]).toEqual([2, '', before])
    expect(err).toContain('It must be a whole number from ')
  })

  test('--data must be an object', async () => {
    for (const data of ['{', '1', 'null', '[]'])
      expect(await runCommand('records', 'create', 'example.com', 'SRV', 'a', '--data', data)).toEqual({
        code: 1,
        out: '',
        err: 'zonereeve: --data must be a JSON object, like \'{"port":443}\'\n',
      })
  })

  test('the zone is the first argument or -z, for every command', async () => {
    const made = [
      await runCommand('records', 'create', 'example.com', 'A', 'a', '192.0.2.1', '-o', 'ndjson'),
      await runCommand('records', 'create', '-z', 'example.com', 'A', 'b', '192.0.2.1', '--json'),
      await runCommand('records', 'create', 'A', 'c', '192.0.2.1', '--zone', zone, '-o', 'json'),
    ]
    expect(made.map(({ code }) => code)).toEqual([0, 0, 0])
    const id = rows(made[1] ?? { code: 1, out: '[]', err: '' })[0]?.id ?? ''
    const pairs: string[][][] = [
      [
        ['records', 'list', 'example.com'],
        ['records', 'list', '-z', 'example.com'],
      ],
      [
        ['records', 'get', 'example.com', id],
        ['records', 'get', id, '-z', 'example.com'],
      ],
      [
        ['zones', 'get', 'example.com'],
        ['zones', 'get', '-z', 'example.com'],
      ],
      [
        ['history', 'example.com'],
        ['history', '--zone', 'example.com'],
      ],
      [
        ['records', 'export', 'example.com'],
        ['records', 'export', '-z', 'example.com'],
      ],
    ]
    for (const [first = [], second = []] of pairs) {
      const given = await runCommand(...first)
      expect([first, given.out === '']).toEqual([first, false])
      expect(await runCommand(...second)).toEqual(given)
    }
    expect(await runCommand('records', 'list')).toMatchObject({
      code: 2,
      err: "error: missing required argument 'zone'\n",
    })
    expect(await runCommand('records', 'get', '-z', 'example.com')).toMatchObject({
      code: 2,
      err: "error: missing required argument 'id'\n",
    })
    expect((await runCommand('zones', 'get', 'example.com', '-z', 'example.com')).code).toBe(2)
  })

  test('--json equals -o json, and they exclude each other', async () => {
    const json = await runCommand('zones', 'list', '--json')
    expect(json).toEqual(await runCommand('zones', 'list', '-o', 'json'))
    expect(JSON.parse(json.out)).toMatchObject([{ name: 'example.com' }])
    expect((await runCommand('zones', 'list', '--json', '-o', 'csv')).code).toBe(2)
    const unknown = await runCommand('zones', 'list', '-o', 'yaml')
    expect([unknown.code, unknown.err]).toEqual([2, expect.stringContaining('table, json, ndjson, csv')])
  })

  test('an error names the missing permission', async () => {
    vi.stubEnv('ZONEREEVE_TOKEN', await makeToken(app, [allow(['Zone Read'], 'account.zone.*')]))
    const { code, out, err } = await runCommand('records', 'list', 'example.com')
    expect([code, out]).toEqual([4, ''])
    expect(err).toMatch(/DNS Read/)
    expect(err).toContain(`zone ${zone}`)
  })

  test('a CAA record without a value is rejected with an example of one', async () => {
    const { code, err } = await runCommand('records', 'create', 'example.com', 'CAA', '@', 'letsencrypt.org')
    expect(code).toBe(1)
    expect(err).toBe(
      'zonereeve: Content for CAA record is invalid. It must look like 0 issue "ca.example.net"; or send its fields in data. (9007), at /content\n',
    )
  })

  test('a URL without a path gets the base path, and a note', async () => {
    vi.stubEnv('ZONEREEVE_URL', `http://127.0.0.1:${app.port}/`)
    const { code, out, err } = await runCommand('zones', 'list', '-o', 'ndjson')
    expect([code, JSON.parse(out)]).toMatchObject([0, { name: 'example.com' }])
    expect(err).toBe(
      `note: the URL http://127.0.0.1:${app.port} has no path; using http://127.0.0.1:${app.port}/client/v4\n`,
    )
    vi.stubEnv('ZONEREEVE_URL', 'localhost:8080')
    expect(await runCommand('zones', 'list')).toMatchObject({ code: 2, out: '' })
  })

  test('environment variables of the client commands are no errors for the server', async () => {
    vi.stubEnv('ZONEREEVE_TOKEN_FILE', '/nowhere')
    vi.stubEnv('ZONEREEVE_TOKENS', 'x')
    const { code, err } = await runCommand('config', 'show')
    expect([code, err]).toEqual([0, 'zonereeve: ZONEREEVE_TOKENS is not a setting and has no effect\n'])
  })
})

test('events prints the changes of a zone as lines of JSON, each once, and continues after a number', async () => {
  const app = await startTestApp()
  vi.stubEnv('ZONEREEVE_URL', `http://127.0.0.1:${app.port}/client/v4`)
  vi.stubEnv('ZONEREEVE_TOKEN', ADMIN_TOKEN)
  const { id } = await app.must('POST', '/zones', { name: 'example.com' })
  await app.must('POST', `/zones/${id}/dns_records`, { type: 'A', name: 'www', content: '192.0.2.1' })
  // A stream that ends sends what is there first.
  app.eventStreams.close()
  const types = async (...more: string[]) => {
    const { code, out, err } = await runCommand('events', 'example.com', '--once', ...more)
    expect([code, err]).toEqual([0, ''])
    const entries = out
      .split('\n')
      .slice(0, -1)
      .map((line) => JSON.parse(line) as WireAuditLog) // the API's form
    return entries.map((entry) => [entry.action.type, Number.parseInt(entry.id, 16)] as const)
  }
  const all = await types('--after', '0')
  expect(all.map(([type]) => type)).toEqual(['zone.create', 'dns_record.create'])
  expect(await types('--after', String(all[0]?.[1]))).toEqual(all.slice(1))
  expect(await types()).toEqual([])
  expect(await runCommand('events', 'example.org', '--once')).toMatchObject({ code: 1, out: '' })
  expect(await runCommand('events', '--after', '-1')).toMatchObject({ code: 2, out: '' })
  vi.unstubAllEnvs()
  await app.close()
})
