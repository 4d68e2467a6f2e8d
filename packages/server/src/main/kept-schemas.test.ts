// Databases created by earlier versions, one per schema (scripts/keep-schema.ts): this program opens them,
// migrates them, and serves what they served.
import { createHash } from 'node:crypto'
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { gunzipSync } from 'node:zlib'
import { describe, expect, onTestFinished, test } from 'vitest'
import { loadConfig } from '@zonereeve/config'
import { type Clock, manualClock, randomIds, silentLog } from '@zonereeve/platform'
import { MIGRATIONS } from '@zonereeve/storage'
import { createHttpClient } from '../testing/http-client.ts'
import { scratchFolder } from '@zonereeve/platform/testing/scratch-folder.ts'
import { startApp } from './app.ts'

const FOLDER = fileURLToPath(new URL('../../../storage/src/schemas', import.meta.url))
const TOKEN = 'token-of-the-kept-schemas-0123456789-abcdef'
const SECRET = 'secret-of-the-kept-schemas-0123456789-abcdef'
const remaining = readdirSync(FOLDER)
  .filter((file) => file.endsWith('.db.gz'))
  .map((file) => file.slice(0, -'.db.gz'.length))

/** The time of the database: later, signatures are renewed, and other things are due. */
function clockAt(served: string): Clock {
  const times = served.match(/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d/gu)?.toSorted() ?? []
  return manualClock(Date.parse(`${times.at(-1)}Z`) + 60_000)
}

async function start(schema: string, clock: Clock) {
  const data = scratchFolder()
  writeFileSync(join(data, 'zonereeve.db'), gunzipSync(readFileSync(join(FOLDER, `${schema}.db.gz`))))
  const app = await startApp({
    config: loadConfig({
      flags: { http: '127.0.0.1:0', dns: '127.0.0.1:0', 'dns-threads': '0', resolver: 'off', data },
      environment: { ZONEREEVE_ADMIN_TOKEN: TOKEN, ZONEREEVE_KEY_ENCRYPTION_SECRET: SECRET },
    }),
    clock,
    ids: randomIds(),
    log: silentLog,
  })
  onTestFinished(() => app.close())
  const client = createHttpClient()
  onTestFinished(() => client.close())
  return async (path: string) => {
    const { status, text } = await client.send(app.http.port, {
      method: 'GET',
      path: `/client/v4${path}`,
      headers: { authorization: `Bearer ${TOKEN}` },
    })
    const value: unknown = text.startsWith('{') ? JSON.parse(text).result : text
    return { status, value }
  }
}

/** Allowed differences: values that change by themselves, and intended changes of later versions. */
const CHANGED_ON_PURPOSE = [
  // Feeds are fetched when they are due.
  /^\/zonereeve\/threat_feeds\/\d+\/status\//,
  // The administrator's token has all permissions of the program.
  /^\/user\/tokens\/0\/(?:modified_on|policies)/,
  // Clients expect a string.
  /\/dns_settings\/soa\/mname: null is/,
  // A webhook without a choice of kinds has all of them, also those of later versions.
  /\/webhooks\/\d+\/kinds: \d+ elements are \d+$/,
  // Absent until there is a time.
  /\/outgoing\/\w+_time: null is undefined$/,
]

/** JSON pointers where the current response lacks or contradicts the earlier one; new members are not differences. */
function differences(before: unknown, now: unknown, pointer: string): string[] {
  if (typeof before !== 'object' || before === null || typeof now !== 'object' || now === null)
    return Object.is(before, now) ? [] : [`${pointer}: ${JSON.stringify(before)} is ${JSON.stringify(now)}`]
  if (Array.isArray(before) && Array.isArray(now) && before.length !== now.length)
    return [`${pointer}: ${before.length} elements are ${now.length}`]
  return Object.entries(before).flatMap(([name, value]) =>
    differences(value, (now as Readonly<Record<string, unknown>>)[name], `${pointer}/${name}`),
  )
}

/** The records of a zone file, without the SOA, whose serial is the time of the export. */
function comparable(served: unknown): unknown {
  if (typeof served !== 'string') return served
  return served
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith(';') && !line.includes('\tSOA\t'))
}

describe('a kept database of schema', () => {
  test.each(remaining)('%s is served unchanged', async (schema) => {
    const text = gunzipSync(readFileSync(join(FOLDER, `${schema}.json.gz`))).toString()
    const get = await start(schema, clockAt(text))
    const served = JSON.parse(text) as object
    const found: string[] = []
    for (const [path, before] of Object.entries(served)) {
      const { status, value } = await get(path)
      if (status === 200) found.push(...differences(comparable(before), comparable(value), path))
      else found.push(`${path}: ${status}`)
    }
    const unexpected = found.filter((difference) => !CHANGED_ON_PURPOSE.some((each) => each.test(difference)))
    expect(unexpected).toEqual([])
    const [zone] = /\/zones\/[\da-f]{32}/.exec(Object.keys(served).join(' ')) ?? []
    const { value } = await get(`/zonereeve${zone}/query?name=www.example.com&type=A`)
    expect(value).toMatchObject({ rcode: 'NOERROR', answer: ['www.example.com. 300 IN A 192.0.2.1'] })
  })

  test('exists for the newest schema: npm run keep-schema creates it', () => {
    expect(Number(remaining.at(-1))).toBe(MIGRATIONS.at(-1)?.version)
  })
})

/**
 * Hashes added by hand with each migration: changing a landed migration would leave existing databases with the
 * old schema.
 */
const LANDED: Readonly<Record<number, string>> = {
  1: '624be906c8ed5030',
  2: 'a23783a2b95e2e4d',
  3: 'a95181fc49717b77',
  4: '98e31cc5d76280cb',
  5: '618f2b0706485a4d',
  6: '477dd352a04a4d21',
  7: '1dd7139ba75e62fc',
  8: 'f4b49ce5f92f9387',
  9: '075b47b9a1e81adc',
  10: 'f7656bf3e5ebabbe',
  11: '46539540c86a1c81',
  12: '5b6fc13a9ab2e1ed',
  13: '0cdedf377c77ea41',
  14: '83cedb5a6ad426cc',
  15: '4d50f750496f47fa',
  16: '92cef77b743defe8',
  17: '108f7182fed882f0',
  18: '3de3383fad306c13',
  19: '45043f270bc2a511',
  21: '9fe2c311715bc904',
  22: 'b010c06d772599d6',
  23: '89561305036c495c',
  24: '3d78eef96d9c2b08',
  26: 'f2282b2b55ad553d',
  27: 'd0e01e5758050be8',
  28: '60e8f0106c618563',
  29: '1effcbcee9b9e625',
  30: '0c2a84bb507e0f9a',
  31: '74cd53e6ecb5cc3e',
  32: '96681090b9266677',
  33: 'b6dc3a68425fd76c',
  34: '76b9e120448f1891',
  36: 'c62491ebf4f7e1b8',
  39: 'e11d40f5e305d46b',
  40: '4f9107b58503c88d',
  43: 'be44d04379a7d4df',
  47: '7a7ab2c5d4897b05',
  48: 'a0c533e54ae10f66',
  49: '2324c447b6d4a5c3',
  50: 'f71949dcb245f400',
  55: '7d8c636b8eb51e57',
  56: 'bb03d999e8078860',
  57: '92ebd26844a005be',
  58: '4f0ad73e750c8918',
  59: 'f414a58b602c334d',
  60: 'e321b133fcd1c301',
  61: '7bc968d1e4feb7d6',
  62: '90495cfd277e3fc8',
  63: '0616ea1e778004ff',
  // Only in PostgreSQL.
  64: 'e3b0c44298fc1c14',
  65: 'a519c1239c67127b',
}

test('no migration was changed after it landed: a later one repairs errors', () => {
  const hash = (statements: readonly string[]) =>
    createHash('sha256').update(statements.join(';').replaceAll(/\s+/g, ' ')).digest('hex').slice(0, 16)
  expect(Object.fromEntries(MIGRATIONS.map(({ version, sqlite }) => [version, hash(sqlite)]))).toEqual(LANDED)
})
