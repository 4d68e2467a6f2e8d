// Records stored before a rule was introduced: they can be read, corrected, reverted and deleted, but not written
// again.
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { query, RECORD_JSON } from '@zonereeve/storage'
import { startTestApp, type TestApp } from '../../../testing/app.ts'
import { expectConsistent } from '../../../testing/change-log.ts'

let app: TestApp
beforeAll(async () => {
  app = await startTestApp()
})
afterAll(() => app.close())

interface Shown {
  readonly id: string
  readonly content: string
}

/** The name `x:/a.` on the wire: one label. */
const URL_RDATA = Buffer.from('\x04x:/a\0')

/** Old records: what they are, a valid draft, and the part of its text that is replaced in the database. */
const CASES: readonly (readonly [name: string, draft: object, from: string, to: string, code: number])[] = [
  ['a CNAME to a URL', { type: 'CNAME', name: 'a', content: 'x.example.net' }, 'x.example.net', 'x:/a', 9007],
  ['NS at a wildcard', { type: 'NS', name: 'w', content: 'ns.example.net' }, 'w.', '*.', 9000],
  ['a PTR to a URL', { type: 'PTR', name: '4', content: 'x.example.net' }, 'x.example.net', 'x:/a', 9007],
]

describe.each(CASES)('%s', (_, draft, from, to, code) => {
  const zoneName = `zone-${CASES.findIndex(([, each]) => each === draft)}.example`

  async function storeOld(): Promise<{ readonly path: string; readonly zone: string }> {
    const zone = await app.must<Shown>('POST', '/zones', { name: zoneName })
    const record = await app.must<Shown>('POST', `/zones/${zone.id}/dns_records`, draft)
    const aged = query
      .updateTable('dns_records')
      .set(({ fn, ref }) => ({
        stored_body: fn<string>('replace', [RECORD_JSON, sql.lit(`"${from}`), sql.lit(`"${to}`)]),
        name: fn<string>('replace', [ref('name'), sql.lit(from), sql.lit(to)]),
        ...(to === 'x:/a' ? { rdata: URL_RDATA } : {}),
        body_checksum: null,
        served_checksum: null,
      }))
      .where('id', '=', record.id)
    await app.storage.write((tx) => tx.run(aged))
    return { path: `/zones/${zone.id}/dns_records/${record.id}`, zone: zone.id }
  }

  test('is shown, cannot be written again, and can be deleted', async () => {
    const { path, zone } = await storeOld()
    const before = await app.call<Shown>({ method: 'GET', path })
    expect(before.text).toContain(`"${to}`)
    const edited = await app.call({ method: 'PATCH', path, body: { comment: 'c' } })
    expect([edited.status, edited.json.errors.map((error) => error.code)]).toEqual([400, [code]])
    expect((await app.call({ method: 'GET', path })).text).toBe(before.text)
    await app.must('DELETE', path)
    expect(await app.must('GET', `/zones/${zone}/dns_records`)).toEqual([])
    await app.must('DELETE', `/zones/${zone}`)
    await expectConsistent(app.storage)
  })

  test('can be corrected', async () => {
    const { path, zone } = await storeOld()
    const corrected = await app.call<Shown>({ method: 'PUT', path, body: draft })
    expect([corrected.status, corrected.json.errors]).toEqual([200, []])
    await app.must('DELETE', `/zones/${zone}`)
  })
})
