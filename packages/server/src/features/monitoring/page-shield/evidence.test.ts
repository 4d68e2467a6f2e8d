// Authorizations, events and evidence over HTTP: what is recorded, what is rejected, and that no output can execute.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { ADMIN_TOKEN, startTestApp, type TestApp } from '../../../testing/app.ts'
import { scenarios } from '../../../testing/scenarios.ts'
import { get, observe, ON, OWN, SETTINGS, views } from './observing.cases.ts'
import { NO_SCORES } from './scores.rules.ts'
import { resourceId } from './resources.rules.ts'

const MISSING = 'f'.repeat(32)
const EVENTS = `${OWN}/events`
const EVIDENCE = `${OWN}/evidence`
const evidenceOf = (zoneId: string, format: string) =>
  `/zonereeve/zones/${zoneId}/page_shield/evidence?format=${format}`

scenarios('authorisations of what is not there', [
  {
    name: 'none to get',
    send: get(`${OWN}/scripts/${MISSING}/authorization`),
    expect: { status: 404, codes: [19610] },
  },
  {
    name: 'none to delete',
    send: { method: 'DELETE', path: `${OWN}/scripts/${MISSING}/authorization` },
    expect: { status: 404, codes: [19610] },
  },
  {
    name: 'no script to authorize',
    send: {
      method: 'PUT',
      path: `${OWN}/scripts/${MISSING}/authorization`,
      body: { owner: 'a', justification: 'b' },
    },
    expect: { status: 404, codes: [19621] },
  },
  ...(
    [
      [{}, ['/owner', '/justification']],
      [{ owner: '', justification: 'b' }, ['/owner']],
      [{ owner: ' ', justification: '\u00a0 ' }, ['/owner', '/justification']],
      [{ owner: 'a', justification: 'b', authorized_by: ' ' }, ['/authorized_by']],
      [{ owner: 'a', justification: 'b', content_sha256: 'A'.repeat(64) }, ['/content_sha256']],
      [{ owner: 'a', justification: 'b'.repeat(2001) }, ['/justification']],
      [{ owner: 'a', justification: 'b\n' }, ['/justification']],
      [{ owner: 'a', justification: 'b', expires_at: 'tomorrow' }, ['/expires_at']],
      [{ owner: 'a', justification: 'b', approved: true }, ['/approved']],
    ] as const
  ).map(([body, pointers]) => ({
    name: `refused: ${JSON.stringify(body).slice(0, 50)}`,
    send: { method: 'PUT', path: `${OWN}/scripts/${MISSING}/authorization`, body },
    expect: { status: 400, codes: pointers.map(() => 6008), pointers },
  })),
])

scenarios('events and evidence', [
  { name: 'no events', send: get(EVENTS), expect: { status: 200, result: [], info: { per_page: 50 } } },
  {
    name: 'events of one kind',
    before: [
      ON,
      observe(
        ...views(3, {
          page_url: 'https://example.com/',
          scripts: ['https://a.example/'],
          connections: ['https://b.example/'],
        }),
      ),
    ],
    send: get(`${EVENTS}?kind=connection.new`),
    expect: {
      status: 200,
      result: [{ kind: 'connection.new', url: 'https://b.example', page_url: 'example.com/', hash: null }],
    },
  },
  {
    name: 'no such kind',
    send: get(`${EVENTS}?kind=new`),
    expect: { status: 400, codes: [6008], pointers: ['/kind'] },
  },
  {
    name: 'empty evidence is a header line',
    send: get(EVIDENCE),
    expect: {
      status: 200,
      file: 'text/csv; charset=utf-8',
      text: /^script_id,url,host,status,[a-z0-9_,]+\r\n$/,
    },
  },
  {
    name: 'no such format',
    send: get(`${EVIDENCE}?format=pdf`),
    expect: { status: 400, codes: [6008], pointers: ['/format'] },
  },
  {
    name: 'settings and lists are separate',
    send: get(`${SETTINGS}/evidence`),
    expect: { status: 404, codes: [7000] },
  },
])

describe('an authorization', () => {
  let app: TestApp
  let zoneId: string
  let script: string
  beforeAll(async () => {
    app = await startTestApp()
    zoneId = (await app.must('POST', '/zones', { name: 'pay.example' })).id
    await app.must('PUT', `/zones/${zoneId}/page_shield`, { enabled: true })
    await app.must('POST', `${own()}/observations`, {
      observations: views(3, {
        page_url: 'https://pay.example/',
        scripts: ["https://cdn.example/a.js?=<img src=x>'"],
      }),
    })
    script = resourceId(zoneId, 'script', 'pay.example', 'https://cdn.example/a.js?=%3Cimg%20src=x%3E%27')
  })
  afterAll(() => app.close())

  const own = () => `/zonereeve/zones/${zoneId}/page_shield`
  const place = () => `${own()}/scripts/${script}/authorization`
  const hash = (digit: string) => digit.repeat(64)
  const fetched = (digit: string, sha256 = digit) =>
    app.pageShield.contents.saveFetch(zoneId, script, {
      hash: hash(digit),
      memory: null,
      contentSha256: hash(sha256),
      sri: 'sha384-x',
      scores: NO_SCORES,
      reasons: [],
      source: { bytes: Buffer.from(`content ${digit}`), charset: null },
    })

  test('before the first fetch is unverified, and stays unverified for any fetched content', async () => {
    const body = { owner: 'Web team', justification: 'Takes card data' }
    const unverified = { state: 'unverified', hash: null, content_sha256: null }
    expect(await app.must('PUT', place(), body)).toMatchObject(unverified)
    await fetched('9')
    expect(await app.must('GET', place())).toMatchObject(unverified)
    const html = await app.call({ method: 'GET', path: `${own()}/evidence?format=html` })
    expect(html.text).toContain('<b>1</b> whose authorization names no content yet')
    expect(html.text).toContain('<b>0</b> authorised')
  })

  test('can name the reviewed content', async () => {
    const body = { owner: 'Web team', justification: 'Takes card data', content_sha256: hash('8') }
    expect(await app.must('PUT', place(), body)).toMatchObject({
      state: 'changed',
      hash: null,
      content_sha256: hash('8'),
    })
    await fetched('8')
    expect(await app.must('GET', place())).toMatchObject({ state: 'valid' })
  })

  test('is created by the caller, for the current content, in one change set', async () => {
    await fetched('a')
    const before = await app.changeCount()
    const made = await app.must('PUT', place(), { owner: 'Web team', justification: 'Takes card data' })
    expect(made).toMatchObject({
      script_id: script,
      host: 'pay.example',
      owner: 'Web team',
      justification: 'Takes card data',
      authorized_by: 'administrator',
      expires_at: null,
      hash: hash('a'),
      content_sha256: hash('a'),
      state: 'valid',
    })
    expect(await app.must('GET', place())).toEqual(made)
    expect(await app.changeCount()).toBe(before + 1)
    const [set] = (await app.changeLog(zoneId)).slice(-1)
    expect([set?.serial, set?.ops.map(({ kind, object_id }) => [kind, object_id])]).toEqual([
      null,
      [['page_shield.authorization', script]],
    ])
    expect(JSON.stringify(set)).not.toContain(ADMIN_TOKEN)
  })

  test('shows that the content has changed, until it is authorized again', async () => {
    await fetched('b')
    expect(await app.must('GET', place())).toMatchObject({ state: 'changed', hash: hash('a') })
    const body = { owner: 'Web team', justification: 'Checked', authorized_by: 'Security' }
    expect(await app.must('PUT', place(), body)).toMatchObject({
      state: 'valid',
      authorized_by: 'Security',
      hash: hash('b'),
    })
  })

  test('shows that the octets have changed, even with the same structure', async () => {
    await fetched('b', 'c')
    expect(await app.must('GET', place())).toMatchObject({
      state: 'bytes_changed',
      hash: hash('b'),
      content_sha256: hash('b'),
    })
    const csv = await app.call({ method: 'GET', path: evidenceOf(zoneId, 'csv') })
    expect(csv.text).toContain(`,bytes_changed,Web team,Checked,Security,`)
    await fetched('b')
    expect(await app.must('GET', place())).toMatchObject({ state: 'valid' })
  })

  test('shows that a browser ran content that was never fetched, until it is authorized again', async () => {
    await app.pageShield.detections.record([
      {
        zoneId,
        kind: 'script',
        hasCdnCgi: false,
        host: 'pay.example',
        url: 'https://cdn.example/a.js?=%3Cimg%20src=x%3E%27',
        urlHost: 'cdn.example',
        pageUrls: ['pay.example/'],
        seenAt: '2026-01-05T10:20:30Z',
        pageViews: 0,
        browserHashes: ['sha256-other'],
        reporters: null,
      },
    ])
    app.clock.advance(1000)
    await fetched('b')
    expect(await app.must('GET', place())).toMatchObject({ state: 'unfetched' })
    const csv = await app.call({ method: 'GET', path: evidenceOf(zoneId, 'csv') })
    expect(csv.text).toContain(`,unfetched,Web team,`)
    const events = await app.call({ method: 'GET', path: evidenceOf(zoneId, 'csv_events') })
    expect(events.headers['content-disposition']).toBe(
      'attachment; filename="events-pay.example-2026-01-05.csv"',
    )
    const [names, first] = events.text.split('\r\n')
    expect(names).toBe('number,at,kind,resource_id,url,host,page_url,previous_hash,hash')
    expect(first).toMatch(/^\d+,[^,]+,script\.unfetched,.*,sha256-other$/)
    const contents = await app.call({ method: 'GET', path: evidenceOf(zoneId, 'csv_contents') })
    const [columns, newest, before] = contents.text.split('\r\n')
    expect(columns).toBe(
      'script_id,url,host,content_sha256,hash,bytes,first_fetched_at,last_fetched_at,first_run_at,last_run_at',
    )
    expect(newest).toContain(`,pay.example,${hash('b')},${hash('b')},9,`)
    expect(before).toContain(`,pay.example,${hash('c')},${hash('b')},`)
    const page = await app.call({ method: 'GET', path: evidenceOf(zoneId, 'html') })
    expect(page.text).toContain('<h2>Contents</h2>')
    app.clock.advance(1000)
    const body = { owner: 'Web team', justification: 'Differs by country', authorized_by: 'Security' }
    expect(await app.must('PUT', place(), body)).toMatchObject({ state: 'valid' })
    expect(await app.must('GET', place())).toMatchObject({ state: 'valid' })
  })

  test('expires at its end, not before', async () => {
    const body = { owner: 'Web team', justification: 'For the sale', expires_at: '2026-01-05T12:00:00+01:00' }
    expect(await app.must('PUT', place(), body)).toMatchObject({
      state: 'valid',
      expires_at: '2026-01-05T11:00:00.000Z',
    })
    app.clock.advance(3_600_000)
    expect(await app.must('GET', place())).toMatchObject({ state: 'expired' })
    const late = await app.call({ method: 'PUT', path: place(), body })
    expect([late.status, late.json.errors[0]?.code, late.json.errors[0]?.source?.pointer]).toEqual([
      400,
      19615,
      '/expires_at',
    ])
  })

  test('is in the evidence, as text that neither a spreadsheet nor a browser executes', async () => {
    await app.must('PUT', place(), { owner: '=HYPERLINK("x")', justification: '<script>alert(1)</script>"' })
    const csv = await app.call({ method: 'GET', path: `${own()}/evidence?format=csv` })
    expect(csv.headers['content-disposition']).toBe(
      'attachment; filename="evidence-pay.example-2026-01-05.csv"',
    )
    expect(csv.text).toContain(`,valid,"'=HYPERLINK(""x"")","<script>alert(1)</script>""",administrator,`)
    const html = await app.call({ method: 'GET', path: `${own()}/evidence?format=html` })
    expect(html.headers).toMatchObject({
      'content-type': 'text/html; charset=utf-8',
      'x-content-type-options': 'nosniff',
      'content-security-policy': expect.stringMatching(/^default-src 'none'.*; sandbox$/),
    })
    expect(html.headers['content-disposition']).toBeUndefined()
    expect(html.text).toContain('&#60;script&#62;alert(1)&#60;/script&#62;&#34;')
    expect(html.text).toContain('<b>1</b> authorised')
    expect(html.text).not.toMatch(/<script|<img|javascript:|<link|src=x>|\son\w+=/i)
    expect(html.text).toContain('script.changed')
  })

  test('a dry run changes nothing; deleting is a change set; the script stays', async () => {
    const dry = await app.call({ method: 'DELETE', path: `${place()}?dry_run=true` })
    expect([dry.status, (await app.call({ method: 'GET', path: place() })).status]).toEqual([200, 200])
    expect(await app.must('DELETE', place())).toEqual({ script_id: script })
    expect((await app.call({ method: 'GET', path: place() })).status).toBe(404)
    expect(await app.must('GET', `/zones/${zoneId}/page_shield/scripts/${script}`)).toMatchObject({
      id: script,
    })
    const html = await app.call({ method: 'GET', path: `${own()}/evidence?format=html` })
    expect(html.text).toContain('<b>1</b> without authorisation')
  })

  test('is deleted with its zone, in the same change set', async () => {
    await app.must('PUT', place(), { owner: 'Web team', justification: 'Again' })
    await app.must('DELETE', `/zones/${zoneId}`)
    const [last] = (await app.changeLog(zoneId)).slice(-1)
    expect(last?.ops.map(({ kind }) => kind)).toEqual([
      'zone.delete',
      'page_shield.settings',
      'page_shield.authorization',
    ])
  })
})
