// Where client commands find the server and their token, and what they say if something is missing or wrong.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { ClientConfigError, loadClientConfig } from './client-config.ts'

const folder = mkdtempSync(join(tmpdir(), 'zonereeve-client-'))
const tokenFile = join(folder, 'token')
writeFileSync(tokenFile, ' from-file\n')
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const DEFAULT = 'http://127.0.0.1:8080/client/v4'
const TOKEN = { ZONEREEVE_TOKEN: 'own' }

const STORED = { url: 'https://stored.example.com', token: 'stored' }
const stored = (name: string | undefined) =>
  name === undefined || name === 'home' ? STORED : { url: 'https://other.example.com/v4', token: 'other' }

describe('stored servers', () => {
  test.each<
    [name: string, flags: object, environment: Record<string, string>, baseUrl: string, token: string]
  >([
    ['the current one', {}, {}, 'https://stored.example.com/client/v4', 'stored'],
    ['by flag, before the environment', { server: 'b' }, TOKEN, 'https://other.example.com/v4', 'other'],
    ['by variable', {}, { ...TOKEN, ZONEREEVE_SERVER: 'b' }, 'https://other.example.com/v4', 'other'],
    ['not, with a token of the environment', {}, TOKEN, DEFAULT, 'own'],
    [
      'not, with an address',
      { url: 'https://api.example.com/v4' },
      { ...TOKEN, ZONEREEVE_SERVER: 'b' },
      'https://api.example.com/v4',
      'own',
    ],
  ])('%s', (_, flags, environment, baseUrl, token) => {
    expect(loadClientConfig(flags, environment, stored)).toMatchObject({ baseUrl, token })
  })

  test('a stored token is not sent to another address', () => {
    expect(() => loadClientConfig({ url: 'https://api.example.com/v4' }, {}, stored)).toThrow(/no token/)
    expect(() => loadClientConfig({}, { ZONEREEVE_URL: 'https://api.example.com/v4' }, stored)).toThrow(
      /no token/,
    )
  })
})

describe('settings of the client commands', () => {
  test.each([
    ['the default address', {}, TOKEN, { baseUrl: DEFAULT, token: 'own', notes: [] }],
    [
      'the flag before the environment, without trailing slashes',
      { url: 'https://api.example.com/v4//' },
      { ...TOKEN, ZONEREEVE_URL: 'http://other.example.com/v4' },
      { baseUrl: 'https://api.example.com/v4', token: 'own', notes: [] },
    ],
    [
      'an address without a path',
      {},
      { ...TOKEN, ZONEREEVE_URL: 'http://api.example.com' },
      {
        baseUrl: 'http://api.example.com/client/v4',
        token: 'own',
        notes: ['the URL http://api.example.com has no path; using http://api.example.com/client/v4'],
      },
    ],
    [
      'variables of the public API',
      {},
      { CLOUDFLARE_BASE_URL: 'http://api.example.com/v4', CLOUDFLARE_API_TOKEN: 'public' },
      { baseUrl: 'http://api.example.com/v4', token: 'public', notes: [] },
    ],
    [
      'a token file, before tokens of other tools',
      {},
      { ZONEREEVE_TOKEN_FILE: tokenFile, CLOUDFLARE_API_TOKEN: 'public' },
      { baseUrl: DEFAULT, token: 'from-file', notes: [] },
    ],
    [
      'a token before the token file, which is not read',
      {},
      { ...TOKEN, ZONEREEVE_TOKEN_FILE: join(folder, 'missing') },
      { baseUrl: DEFAULT, token: 'own', notes: [] },
    ],
  ])('%s', (_, flags, environment, expected) => {
    expect(loadClientConfig(flags, environment)).toEqual(expected)
  })

  test.each([
    [
      'no token',
      {},
      {},
      'no token: set ZONEREEVE_TOKEN (or ZONEREEVE_TOKEN_FILE), or use zonereeve login',
      undefined,
    ],
    [
      'an address of another protocol',
      { url: 'ftp://api.example.com' },
      TOKEN,
      `url "ftp://api.example.com": must be an HTTP URL, like ${DEFAULT}`,
      undefined,
    ],
    [
      'a token file that cannot be read',
      {},
      { ZONEREEVE_TOKEN_FILE: join(folder, 'missing') },
      'environment ZONEREEVE_TOKEN_FILE',
      expect.objectContaining({ code: 'ENOENT' }),
    ],
  ])('%s is refused', (_, flags, environment, message, cause) => {
    let refused: unknown
    try {
      loadClientConfig(flags, environment)
    } catch (error) {
      refused = error
    }
    expect(refused).toBeInstanceOf(ClientConfigError)
    expect(refused).toMatchObject({ message, ...(cause === undefined ? {} : { cause }) })
  })
})
