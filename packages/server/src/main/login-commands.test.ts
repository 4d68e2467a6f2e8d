// Stored servers and the tokens of the user, as typed at a prompt.
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { scratchFolder } from '@zonereeve/platform/testing/scratch-folder.ts'
import { ADMIN_TOKEN, startTestApp, type TestApp } from '../testing/app.ts'
import { runCommand } from '../testing/run-command.ts'
import { allow, wirePolicy } from '../testing/test-tokens.ts'

let app: TestApp
let folder: string
let url: string
beforeAll(async () => {
  app = await startTestApp()
  url = `http://127.0.0.1:${app.port}`
})
afterAll(() => app.close())
beforeEach(() => {
  folder = scratchFolder()
  vi.stubEnv('XDG_CONFIG_HOME', folder)
  vi.stubEnv('ZONEREEVE_TOKEN', ADMIN_TOKEN)
})
afterEach(() => vi.unstubAllEnvs())

const file = () => join(folder, 'zonereeve/servers.json')

describe('login', () => {
  test('stores a server, which client commands use, until logout', async () => {
    const { code, out, err } = await runCommand('login', 'home', '--url', url)
    expect([code, out]).toEqual([0, ''])
    expect(err).toContain(`client commands use home (${url}/client/v4) from now on`)
    vi.stubEnv('ZONEREEVE_TOKEN', undefined)
    expect(await runCommand('zones', 'list', '--json')).toMatchObject({ code: 0, out: '[]\n' })
    expect(await runCommand('zones', 'list', '--json', '--server', 'home')).toMatchObject({ code: 0 })
    const { out: listed } = await runCommand('servers', 'list', '--json')
    expect(JSON.parse(listed)).toEqual([{ name: 'home', url: `${url}/client/v4`, current: true }])
    expect(await runCommand('servers', 'use', 'away')).toMatchObject({
      code: 2,
      err: 'zonereeve: unknown server away: stored are home\n',
    })
    expect(await runCommand('logout')).toMatchObject({ code: 0 })
    expect(readFileSync(file(), 'utf8')).not.toContain(ADMIN_TOKEN)
    expect(await runCommand('zones', 'list')).toMatchObject({ code: 2 })
  })

  test.each([
    ['a token that the server refuses', 'home', () => url, 'z'.repeat(40), 4, /Invalid|token/i],
    ['a name that is none', '../x', () => url, ADMIN_TOKEN, 2, /must be at most 63 letters/],
    ['an address that is none', 'home', () => 'dns.example.com', ADMIN_TOKEN, 2, /must be an HTTP URL/],
    ['no server there', 'home', () => 'http://127.0.0.1:1', ADMIN_TOKEN, 1, /does not answer/],
  ])('%s is refused, and nothing is stored', async (_, name, address, token, expected, message) => {
    vi.stubEnv('ZONEREEVE_TOKEN', token)
    const { code, err } = await runCommand('login', name, '--url', address())
    expect([code, existsSync(file())]).toEqual([expected, false])
    expect(err).toMatch(message)
    expect(err).not.toContain(token)
  })
})

describe('tokens', () => {
  beforeEach(() => vi.stubEnv('ZONEREEVE_URL', url))
  const make = async (name: string) => {
    const policies = [wirePolicy(allow(['Zone Read'], 'account.zone.*'))]
    return (await app.must<{ value: string }>('POST', '/user/tokens', { name, policies })).value
  }
  const isAccepted = async (token: string) =>
    (await app.call({ method: 'GET', path: '/zones', token })).status

  test('are listed without their values, revoked, and rolled', async () => {
    const [revoked, rolled] = [await make('revoked'), await make('rolled')]
    const { out } = await runCommand('tokens', 'list', '--json')
    expect(out).not.toContain(revoked)
    const listed = JSON.parse(out) as { name: string; id: string }[]
    expect(listed.map(({ name }) => name)).toEqual(expect.arrayContaining(['revoked', 'rolled']))
    expect(await runCommand('tokens', 'revoke', 'revoked')).toMatchObject({
      code: 1,
      err: expect.stringMatching(/nothing was changed: without a terminal, --yes is needed/) as string,
    })
    expect(await isAccepted(revoked)).toBe(200)
    expect(await runCommand('tokens', 'revoke', 'revoked', '--yes')).toMatchObject({ code: 0 })
    expect(await isAccepted(revoked)).not.toBe(200)
    const id = listed.find(({ name }) => name === 'rolled')?.id ?? ''
    const { out: rolledOut } = await runCommand('tokens', 'roll', id, '--yes', '--json')
    const [{ value } = { value: '' }] = JSON.parse(rolledOut) as { value: string }[]
    expect([await isAccepted(value), await isAccepted(rolled)]).toEqual([
      200,
      expect.not.stringMatching(/200/),
    ])
  })

  test('an unknown name, and a name of two', async () => {
    await make('twice')
    await make('twice')
    expect((await runCommand('tokens', 'revoke', 'nothing', '--yes')).err).toContain('unknown token nothing')
    expect((await runCommand('tokens', 'revoke', 'twice', '--yes')).err).toContain(
      '2 tokens are called twice',
    )
  })
})
