// The DNSSEC commands as typed, against a server: their output, effects and exit codes.
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { ADMIN_TOKEN, startTestApp, type TestApp } from '../testing/app.ts'
import { runCommand } from '../testing/run-command.ts'

let app: TestApp
let zone: string
beforeAll(async () => {
  app = await startTestApp()
  vi.stubEnv('ZONEREEVE_URL', `http://127.0.0.1:${app.port}/client/v4`)
  vi.stubEnv('ZONEREEVE_TOKEN', ADMIN_TOKEN)
  zone = (await app.must('POST', '/zones', { name: 'example.com' })).id
})
afterAll(async () => {
  vi.unstubAllEnvs()
  await app.close()
})

async function run(...argv: string[]) {
  const { code, out, err } = await runCommand('dnssec', ...argv, '-o', 'json')
  return { code, rows: out === '' ? [] : (JSON.parse(out) as Record<string, unknown>[]), err }
}

test('from the first signature to the last', async () => {
  expect(await run('status', 'example.com')).toMatchObject({ code: 0, rows: [], err: 'note: disabled\n' })
  const rehearsed = await run('enable', 'example.com', '--dry-run')
  expect(rehearsed).toMatchObject({ code: 0, rows: [{ status: 'pending' }] })
  expect((await run('status', 'example.com')).rows).toEqual([])
  const enabled = await run('enable', 'example.com')
  expect(enabled).toMatchObject({
    code: 0,
    rows: [
      {
        status: 'pending',
        ds: expect.stringMatching(/^example\.com\. 3600 IN DS \d+ 13 2 [0-9A-F]{64}$/) as string,
      },
    ],
  })
  const status = await run('status', 'example.com')
  expect(status.rows.map(({ role, state }) => `${String(role)} ${String(state)}`).toSorted()).toEqual([
    'ksk active',
    'zsk active',
  ])
  const tag = String(status.rows.find(({ role }) => role === 'ksk')?.['key_tag'])
  expect((await run('parent', 'example.com')).code).toBe(0)
  expect((await run('status', 'example.com')).err).toBe('note: pending\n')
  expect((await run('parent', 'example.com', tag)).code).toBe(0)
  expect((await run('status', 'example.com')).err).toBe('note: active\n')
  for (const role of ['zsk', 'ksk']) {
    expect(
      (await run(`roll-${role}`, 'example.com')).rows.filter((row) => row['role'] === role),
    ).toHaveLength(2)
  }
  expect((await run('disable', 'example.com')).rows).toMatchObject([{ status: 'pending-disabled' }])
})

test('another algorithm: shown with what it waits for, and completed when the parent has it', async () => {
  await app.must('POST', '/zones', { name: 'exchanged.example' })
  await run('enable', 'exchanged.example')
  const exchange = ['roll-algorithm', 'exchanged.example', 'ED25519']
  const shown = (rows: readonly Record<string, unknown>[]) =>
    rows.map((row) => [row['role'], row['algorithm'], row['state']].join(' ')).toSorted()
  const under = ['ksk 13 active', 'ksk 15 signing', 'zsk 13 active', 'zsk 15 signing']
  expect(shown((await run(...exchange, '--dry-run')).rows)).toEqual(under)
  expect(shown((await run('status', 'exchanged.example')).rows)).toEqual(['ksk 13 active', 'zsk 13 active'])
  expect(shown((await run(...exchange)).rows)).toEqual(under)
  for (const again of [exchange, ['roll-zsk', 'exchanged.example'], ['roll-ksk', 'exchanged.example']]) {
    const { code, err } = await run(...again)
    expect([code > 0, err]).toEqual([
      true,
      expect.stringContaining('A rollover of the algorithm has been running'),
    ])
  }
  for (const hours of [28, 5]) {
    app.clock.advance(hours * 3_600_000)
    await run('parent', 'exchanged.example', '--none')
  }
  const { rows } = await run('status', 'exchanged.example')
  expect(shown(rows)).toEqual(['ksk 13 active', 'ksk 15 ready', 'zsk 13 active', 'zsk 15 ready'])
  const tag = rows.find((row) => row['role'] === 'ksk' && row['algorithm'] === 15)?.['key_tag']
  await run('parent', 'exchanged.example', String(tag))
  expect(shown((await run('status', 'exchanged.example')).rows)).toEqual([
    'ksk 13 outgoing',
    'ksk 15 active',
    'zsk 13 outgoing',
    'zsk 15 active',
  ])
})

test.each([
  ['an unknown zone', ['status', 'nowhere.example']],
  ['a second rollover', ['roll-zsk', 'example.com']],
  ['an unsupported algorithm', ['roll-algorithm', 'example.com', 'RSASHA256']],
  ['a key tag that the zone does not have', ['parent', 'example.com', '65536']],
  ['key tags and none', ['parent', 'example.com', '1', '--none']],
  ['a key tag that is not a number', ['parent', 'example.com', 'mine']],
])('%s ends with an error, and changes nothing', async (_, argv) => {
  const before = await app.changeCount()
  const { code, rows, err } = await run(...argv)
  expect([code > 0, rows, err.length > 0]).toEqual([true, [], true])
  expect(await app.changeCount()).toBe(before)
  expect(zone).toMatch(/^[0-9a-f]{32}$/)
})
