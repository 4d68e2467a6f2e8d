// Deleted zones: the records of small zones are deleted in the same transaction, those of large zones are swept
// later.
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { query } from '@zonereeve/storage'
import { startTestApp, type TestApp } from '../../../testing/app.ts'
import { expectConsistent } from '../../../testing/change-log.ts'
import { fileForm, FORM_HEADERS } from '../../../testing/multipart.ts'
import { MAX_DELETED_WITH_ZONE } from './deleted-zones.store.ts'

const NAME = 'example.com'
const LARGE = MAX_DELETED_WITH_ZONE + 1
/** Records deleted by a sweep that is aborted at once. */
const ONE_SLICE = 250

let app: TestApp
beforeEach(async () => {
  app = await startTestApp()
})
afterEach(() => app.close())

async function zoneOf(records: number): Promise<string> {
  const { id } = await app.must('POST', '/zones', { name: NAME })
  const file = fileForm(`$GENERATE 1-${records} r$ 300 A 192.0.2.1\n`)
  const path = `/zones/${id}/dns_records/import`
  const { status } = await app.call({ method: 'POST', path, body: file, headers: FORM_HEADERS })
  expect(status).toBe(200)
  return id
}

const left = async (table: 'dns_records' | 'record_counts' | 'deleted_zones', zoneId: string) =>
  (await app.storage.all(query.selectFrom(table).select('zone_id').where('zone_id', '=', zoneId))).length

const codeOf = async (path: string): Promise<number | undefined> =>
  (await app.call({ method: 'GET', path })).json.errors[0]?.code

const sweep = () => app.records.sweepDeletedZones(new AbortController().signal)

describe('a deleted zone', () => {
  test.each([
    ['with as many records as are deleted at once', MAX_DELETED_WITH_ZONE, 0],
    ['with one more', LARGE, LARGE],
  ])('%s is deleted, and its last change set contains every record', async (_, records, swept) => {
    const id = await zoneOf(records)
    const listed = await app.must<{ id: string }[]>('GET', `/zones/${id}/dns_records?per_page=5000`)
    expect(listed).toHaveLength(records)
    await app.must('DELETE', `/zones/${id}`)
    expect(await left('dns_records', id)).toBe(swept)
    const record = `/zones/${id}/dns_records/${listed[0]?.id}`
    expect([await codeOf(`/zones/${id}/dns_records`), await codeOf(record)]).toEqual([1001, 1001])
    await expect(app.records.get(id, listed[0]?.id ?? '')).rejects.toThrow('record.unknown')

    expect(await sweep()).toBe(swept)
    expect([await left('dns_records', id), await left('record_counts', id)]).toEqual([0, 0])
    expect(await left('deleted_zones', id)).toBe(0)
    const [, , deletion] = await app.changeLog(id)
    const [first, ...ops] = deletion?.ops ?? []
    expect(first?.kind).toBe('zone.delete')
    expect(new Set(ops.map(({ object_id }) => object_id))).toEqual(new Set(listed.map((one) => one.id)))
    expect(
      ops.every(
        ({ kind, before, after }) => kind === 'dns_record.delete' && before !== null && after === null,
      ),
    ).toBe(true)
    expect(ops).toHaveLength(records)
    await expectConsistent(app.storage)
  })

  test('does not block a new zone of the same name, which starts without its records', async () => {
    const old = await zoneOf(LARGE)
    await app.must('DELETE', `/zones/${old}`)
    const { id } = await app.must('POST', '/zones', { name: NAME })
    expect(await app.must('GET', `/zones/${id}/dns_records`)).toEqual([])
    const made = await app.must('POST', `/zones/${id}/dns_records`, {
      type: 'A',
      name: `r1.${NAME}`,
      content: '192.0.2.1',
    })
    expect(await sweep()).toBe(LARGE)
    expect(await app.must('GET', `/zones/${id}/dns_records`)).toEqual([made])
    await expectConsistent(app.storage)
  })

  test('is swept in chunks, and the sweep resumes where it stopped', async () => {
    const id = await zoneOf(LARGE)
    await app.must('DELETE', `/zones/${id}`)
    const ending = new AbortController()
    const begun = app.records.sweepDeletedZones(ending.signal)
    setImmediate(() => ending.abort())
    expect(await begun).toBe(ONE_SLICE)
    expect(await left('dns_records', id)).toBe(LARGE - ONE_SLICE)
    expect(await sweep()).toBe(LARGE - ONE_SLICE)
    const [, , deletion] = await app.changeLog(id)
    expect(new Set(deletion?.ops.map(({ object_id }) => object_id)).size).toBe(LARGE + 1)
    expect(await left('deleted_zones', id)).toBe(0)
  })

  test('is complete after a dry run', async () => {
    const id = await zoneOf(LARGE)
    const before = await app.changeCount()
    await app.must('DELETE', `/zones/${id}?dry_run=true`)
    expect(await sweep()).toBe(0)
    expect([await left('dns_records', id), await left('deleted_zones', id)]).toEqual([LARGE, 0])
    expect(await app.changeCount()).toBe(before)
  })
})
