// The JSON that the database makes from a row is the JSON that was stored, whatever the record contains.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import * as fc from 'fast-check'
import type { Name } from '@zonereeve/dns'
import { silentLog } from '@zonereeve/platform'
import {
  IN_MEMORY,
  openPostgresStorage,
  openSqliteStorage,
  query,
  RECORD_JSON,
  type Storage,
  type Transaction,
} from '@zonereeve/storage'
import { type PostgresServer, START_MILLIS, startPostgres } from '@zonereeve/storage/testing/postgres.ts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { POSTGRESQL } from '../../../../../../scripts/requirements.ts'
import { describeWith } from '../../../../../../scripts/test-requirements.ts'
import type { DnsRecord } from './dns-record.ts'
import { insertRecord, insertRecords, updateRecord } from './record-rows.store.ts'
import { toRecordText } from './dns-records.wire.ts'
import { shortBody } from './record-body.store.ts'

const AT = '2026-01-02T03:04:05.600700Z'
const WWW: DnsRecord = {
  id: '0123456789abcdef0123456789abcdef',
  zoneId: 'fedcba9876543210fedcba9876543210',
  zoneName: 'example.com',
  name: 'www.example.com' as Name,
  type: 'A',
  content: '192.0.2.1',
  text: null,
  rdata: Uint8Array.of(192, 0, 2, 1),
  ttl: 300,
  proxied: false,
  proxiable: true,
  settings: {},
  comment: null,
  tags: [],
  createdOn: AT,
  modifiedOn: AT,
  commentModifiedOn: null,
  tagsModifiedOn: null,
}

const ENGINES = [
  { engine: 'SQLite', needed: [] },
  { engine: 'PostgreSQL', needed: ['postgresql'] },
  { engine: 'PostgreSQL whose strings have escapes by default', needed: ['postgresql'] },
] as const

let postgres: PostgresServer | undefined
let storage: Storage
const folder = mkdtempSync(join(tmpdir(), 'zonereeve-record-body-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

async function openPostgres(hasEscapes: boolean): Promise<Storage> {
  postgres = await startPostgres(POSTGRESQL)
  const url = await postgres.createDatabase()
  const name = new URL(url).pathname.slice(1)
  if (hasEscapes) await postgres.execute(`ALTER DATABASE ${name} SET standard_conforming_strings = off`)
  return openPostgresStorage({ url, keyFile: join(folder, 'key') }, silentLog)
}

/** As long as if its comment were null and its content had no quotes. */
const PGP_KEY = { type: 'OPENPGPKEY', content: '""', proxiable: false } as const

const CASES: readonly (readonly [title: string, record: Partial<DnsRecord>, stored: string])[] = [
  ['that can be proxied', {}, 'p'],
  ['that cannot be proxied', { proxiable: false }, 'n'],
  ['that is proxied', { proxied: true, ttl: 1 }, 'p'],
  [
    'with a priority',
    { type: 'MX', content: 'a.example', priority: 10, proxiable: false },
    'n,"priority":10',
  ],
  ['whose comment is an empty text', PGP_KEY, toRecordText({ ...WWW, ...PGP_KEY })],
  ['with settings', { type: 'CNAME', content: 'a.example', settings: { flatten_cname: true } }, 'p'],
  ['with quotes', { type: 'TXT', content: '"a" "b"', proxiable: false }, 'n'],
  [
    'with a backslash',
    { type: 'TXT', content: '"\\\\"', proxiable: false },
    String.raw`m"\"\\\\\"","proxiable":false,"proxied":false,"ttl":300,"locked":false,"settings":{}`,
  ],
  [
    'with data',
    { type: 'CAA', content: '0 issue x', data: { flags: 0 }, proxiable: false },
    'm"0 issue x","proxiable":false,"proxied":false,"ttl":300,"locked":false,"data":{"flags":0},"settings":{}',
  ],
  ['whose times differ', { modifiedOn: '2026-01-02T03:04:06Z' }, 'p'],
  ['at the apex', { name: 'example.com' as Name }, 'p'],
]

const octets = fc.uint8Array({ maxLength: 20 })
const anyRecord = fc
  .record({
    content: fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.string({ unit: fc.constantFrom('"', '\\', 'a', '\u0001', '\ud800') }),
    ),
    type: fc.constantFrom('A', 'TXT', 'MX', 'SRV', 'OPENPGPKEY'),
    priority: fc.option(fc.nat(65_535), { nil: undefined }),
    data: fc.option(fc.dictionary(fc.string(), fc.oneof(fc.string(), fc.nat())), { nil: undefined }),
    rdata: octets,
    ttl: fc.nat(86_400),
    proxied: fc.boolean(),
    proxiable: fc.boolean(),
    settings: fc.constantFrom({}, { flatten_cname: true }, { ipv4_only: true }),
    comment: fc.option(fc.string()),
    tags: fc.array(fc.string(), { maxLength: 2 }),
    zoneName: fc.constantFrom('example.com', 'com', 'other.example'),
    createdOn: fc.constantFrom(AT, '2026-01-02T03:04:00Z', '2026-01-02T03:04:05.000000Z'),
    modifiedOn: fc.constantFrom(AT, '2026-01-02T03:04:05Z'),
  })
  .map(({ priority, data, ...all }) => ({
    ...WWW,
    ...all,
    ...(priority === undefined ? {} : { priority }),
    ...(data === undefined ? {} : { data }),
  })) as fc.Arbitrary<DnsRecord>

for (const { engine, needed } of ENGINES)
  describeWith(needed, `in ${engine}`, () => {
    beforeAll(async () => {
      storage = await (engine === 'SQLite'
        ? openSqliteStorage(IN_MEMORY, silentLog)
        : openPostgres(engine !== 'PostgreSQL'))
    }, START_MILLIS)
    afterAll(async () => {
      await storage.close()
      if (engine !== 'SQLite') await postgres?.stop()
    })

    describe('of a record', () => {
      test.each(CASES)('%s, only what its columns lack is stored', async (_, changed, stored) => {
        const record = { ...WWW, ...changed }
        expect(shortBody(record, JSON.stringify(record.settings), toRecordText(record))).toBe(stored)
        expect(await storedAndRead(record)).toBe(toRecordText(record))
      })

      const whole = {
        comment: { comment: 'c', commentModifiedOn: AT },
        tag: { tags: ['a'], tagsModifiedOn: AT },
      }
      test.each([...Object.entries(whole), ['name in Unicode', { zoneName: 'bücher.example' }] as const])(
        'with a %s, the whole JSON is stored',
        async (_, changed) => {
          const record = { ...WWW, ...changed }
          const body = toRecordText(record)
          expect(shortBody(record, JSON.stringify(record.settings), body)).toBe(body)
          expect(await storedAndRead(record)).toBe(body)
        },
      )
    })

    test('of any record, the JSON is read as it was written', async () => {
      await fc.assert(
        fc.asyncProperty(anyRecord, async (record) => {
          // PostgreSQL has no texts with it.
          if (engine !== 'SQLite' && record.content.includes('\0')) return
          expect(await storedAndRead(record)).toBe(toRecordText(record))
        }),
        { numRuns: engine === 'SQLite' ? 300 : 60 },
      )
    })
  })

test('records of several types and options are inserted by one statement', async () => {
  const sent: unknown[] = []
  const submit = async (insert: unknown): Promise<void> => void sent.push(insert)
  const tx = { engine: 'sqlite', submit } as unknown as Transaction // nothing else is used
  const alias = { ...WWW, type: 'CNAME', proxiable: true, settings: { flatten_cname: false } } as const
  const added = Array.from({ length: 100 }, (_, index) => {
    const record = index % 10 === 0 ? alias : WWW
    return { record, body: toRecordText(record), identity: String(index) }
  })
  await insertRecords(tx, added)
  expect(sent).toHaveLength(1)
})

/** Inserts and reads the record, and again after an update of another one of the same ID. */
async function storedAndRead(record: DnsRecord): Promise<string> {
  const body = toRecordText(record)
  const rows = query.selectFrom('dns_records').select(RECORD_JSON.as('body'))
  const bodies = await storage.write(async (tx) => {
    await insertRecord(tx, record, body, 'x')
    const inserted = await tx.first(rows)
    await updateRecord(tx, { ...WWW, content: 'other' }, '{}', 'x')
    expect(await tx.first(rows)).toEqual({ body: '{}' })
    await updateRecord(tx, record, body, 'x')
    const updated = await tx.first(rows)
    await tx.run(query.deleteFrom('dns_records'))
    return [inserted?.body, updated?.body]
  })
  expect(bodies[0]).toBe(bodies[1])
  return bodies[0] ?? ''
}
