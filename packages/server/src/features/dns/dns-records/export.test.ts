// Zones exported as zone files and imported again: records of every type are unchanged.
import * as fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { query } from '@zonereeve/storage'
import { ADMIN_TOKEN, startTestApp, type TestApp } from '../../../testing/app.ts'
import { expectConsistent } from '../../../testing/change-log.ts'
import { fileForm, FORM_HEADERS } from '../../../testing/multipart.ts'
import { CASES } from './types/all.cases.ts'

/** The code of the notice about an NS record whose name looks like an address. */
const NS_ADDRESS = 19_858

const ZONE = 'example.com'
const RUNS = 12

describe('an export', () => {
  let app: TestApp
  let zoneId: string
  beforeAll(async () => {
    app = await startTestApp()
    zoneId = (await app.must('POST', '/zones', { name: ZONE })).id
  })
  afterAll(async () => {
    await expectConsistent(app.storage)
    await app.close()
  })

  async function get(id = zoneId) {
    const reply = await fetch(`http://127.0.0.1:${app.port}/client/v4/zones/${id}/dns_records/export`, {
      headers: { authorization: `Bearer ${ADMIN_TOKEN}` },
    })
    return { status: reply.status, type: reply.headers.get('content-type'), text: await reply.text() }
  }
  const add = (body: object) => app.must('POST', `/zones/${zoneId}/dns_records`, body)
  async function fresh() {
    await app.must('DELETE', `/zones/${zoneId}`)
    zoneId = (await app.must('POST', '/zones', { name: ZONE })).id
  }

  test('has a header, sections by type, and every member of a record', async () => {
    await fresh()
    await add({
      type: 'A',
      name: 'www',
      content: '192.0.2.1',
      proxied: true,
      comment: 'the comment',
      tags: ['test:1'],
    })
    await add({ type: 'A', name: '@', content: '192.0.2.2', ttl: 300 })
    await add({
      type: 'CNAME',
      name: 'x',
      content: 'example.com',
      tags: ['test:1'],
      settings: { flatten_cname: true },
    })
    await add({ type: 'MX', name: '@', content: 'mail.example.com', priority: 10 })
    await add({ type: 'TXT', name: '@', content: '"v=spf1 -all"', comment: 'a; b' })
    await add({ type: 'TYPE65280', name: 'odd', content: '\\# 4 0a000001' })
    await add({ type: 'TYPE13', name: 'host', content: '\\# 4 01780179' })
    const before = await app.changeCount()
    const { status, type, text } = await get()
    const [zone] = await app.storage.all(query.selectFrom('zones').select('serial'))
    expect([status, type]).toEqual([200, 'text/plain; charset=utf-8'])
    expect(text.split('\n').slice(6)).toEqual([
      '',
      ';; SOA Records',
      `example.com.\t3600\tIN\tSOA\tns1.zonereeve.internal. hostmaster.example.com. ${zone?.serial} 10000 2400 604800 1800`,
      '',
      ';; NS Records',
      'example.com.\t86400\tIN\tNS\tns1.zonereeve.internal.',
      'example.com.\t86400\tIN\tNS\tns2.zonereeve.internal.',
      '',
      ';; A Records',
      'example.com.\t300\tIN\tA\t192.0.2.2 ; cf_tags=cf-proxied:false',
      'www.example.com.\t1\tIN\tA\t192.0.2.1 ; the comment cf_tags=test:1,cf-proxied:true',
      '',
      ';; CNAME Records',
      'x.example.com.\t1\tIN\tCNAME\texample.com. ; cf_tags=test:1,cf-proxied:false,cf-flatten-cname',
      '',
      ';; HINFO Records',
      'host.example.com.\t1\tIN\tHINFO\t"x" "y"',
      '',
      ';; MX Records',
      'example.com.\t1\tIN\tMX\t10 mail.example.com.',
      '',
      ';; TXT Records',
      'example.com.\t1\tIN\tTXT\t"v=spf1 -all" ; a; b',
      '',
      ';; TYPE65280 Records',
      'odd.example.com.\t1\tIN\tTYPE65280\t\\# 4 0a000001',
      '',
    ])
    expect(text).toMatch(/^;;\n;; Domain: {5}example\.com\.\n;; Exported: {3}2026-01-05 10:20:30\n/)
    expect(await app.changeCount()).toBe(before)
  })

  test('gives all name servers at the apex one TTL, own and assigned ones', async () => {
    await fresh()
    await add({ type: 'NS', name: '@', content: 'ns.example.net', ttl: 600 })
    await add({ type: 'NS', name: 'sub', content: 'ns.example.net', ttl: 900 })
    const lines = (await get()).text.split('\n').filter((line) => line.includes('\tNS\t'))
    expect(lines.map((line) => line.split('\t').slice(0, 2).join(' '))).toEqual([
      'example.com. 600',
      'example.com. 600',
      'example.com. 600',
      'sub.example.com. 900',
    ])
  })

  test('of a zone without records contains its SOA and name servers', async () => {
    await fresh()
    const { text } = await get()
    expect(text.match(/^example\.com\.\t/gm)).toHaveLength(3)
  })

  test('of an unknown zone fails with JSON', async () => {
    const { status, type, text } = await get('f'.repeat(32))
    expect([status, type]).toEqual([404, 'application/json'])
    expect(JSON.parse(text)).toMatchObject({ success: false, errors: [{ code: 1001 }] })
  })

  test('of more records than one chunk contains each of them once, in order', async () => {
    await fresh()
    const lines = Array.from({ length: 2_345 }, (_, i) => `h${String(i).padStart(5, '0')} 60 A 192.0.2.1`)
    await app.call({
      method: 'POST',
      path: `/zones/${zoneId}/dns_records/import`,
      body: fileForm(lines.join('\n')),
      headers: FORM_HEADERS,
    })
    const { text } = await get()
    const names = [...text.matchAll(/^h(\d+)\.example\.com\.\t/gm)].map(([, number]) => Number(number))
    expect(names).toEqual(lines.map((_, i) => i))
  })

  /** What an import must restore: everything but ids, times, and how TXT was quoted and split into strings. */
  const remaining = async () => {
    const records = await app.must<readonly Record<string, unknown>[]>(
      'GET',
      `/zones/${zoneId}/dns_records?per_page=1000`,
    )
    const values = new Map(
      (await app.storage.all(query.selectFrom('dns_records').select(['id', 'rdata']))).map(
        ({ id, rdata }) => [id, Buffer.from(rdata).toString('hex')],
      ),
    )
    return records
      .map(({ id, type, name, content, data, priority, ttl, proxied, settings, comment, tags }) =>
        JSON.stringify({
          type,
          name,
          content: type === 'TXT' ? '' : content,
          data,
          priority,
          ttl,
          proxied,
          settings,
          comment,
          tags,
          rdata: values.get(String(id)),
        }),
      )
      .toSorted()
  }

  const drafts = Object.entries(CASES).flatMap(([type, { name, valid }]) =>
    valid.map(([, draft]) => ({ type, name, ...draft }) as { readonly type: string; readonly name: string }),
  )
  const annotated = fc.record({
    draft: fc.constantFrom(...drafts),
    ttl: fc.constantFrom(undefined, 1, 60, 86_400),
    comment: fc.option(
      fc.string({ maxLength: 30 }).filter((text) => !/\p{Cc}/u.test(text)),
      { nil: undefined },
    ),
    tags: fc.array(
      fc.stringMatching(/^[a-z]{1,5}(:[ -~]{0,9})?$/).filter((tag) => !tag.startsWith('cf-')),
      { maxLength: 3 },
    ),
  })

  test('every type is generated', () =>
    expect(new Set(drafts.map(({ type }) => type)).size).toBe(Object.keys(CASES).length))

  test('imported into an empty zone gives the same zone', async () => {
    let compared = 0
    await fc.assert(
      fc.asyncProperty(fc.array(annotated, { minLength: 5, maxLength: 30 }), async (chosen) => {
        await fresh()
        for (const { draft, ...rest } of chosen) {
          const body = {
            ...draft,
            ...Object.fromEntries(Object.entries(rest).filter(([, value]) => value !== undefined)),
          }
          // Some combinations are not allowed at one name: records that the API rejects are not in the zone.
          await app.call({ method: 'POST', path: `/zones/${zoneId}/dns_records`, body })
        }
        const before = await remaining()
        const { text } = await get()
        await fresh()
        const { json } = await app.call<{ recs_added: number }>({
          method: 'POST',
          path: `/zones/${zoneId}/dns_records/import`,
          body: fileForm(text),
          headers: FORM_HEADERS,
        })
        // The notice that an NS name looks like an address appears for each such record, also where nothing differs.
        const notices = json.messages.filter(({ code }) => code !== NS_ADDRESS)
        expect(notices.filter(({ code }) => code >= 19_800 || code < 19_000)).toEqual([])
        expect(await remaining()).toEqual(before)
        expect(json.result.recs_added).toBe(before.length)
        compared += before.length
      }),
      { numRuns: RUNS },
    )
    expect(compared).toBeGreaterThan(RUNS)
  })
})
