// Sources of scripts: what is stored, for how long, how it is returned, and how two contents are compared.
import { createHash } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { query } from '@zonereeve/storage'
import { startTestApp, type TestApp } from '../../../testing/app.ts'
import { views } from './observing.cases.ts'
import { NO_SCORES } from './scores.rules.ts'
import { CONTENTS_KEPT, findSource, saveSource, storedBytesOf } from './sources.store.ts'

const MINUTE = 60_000
const DAY = 24 * 60 * MINUTE
const digestOf = (text: string) => createHash('sha256').update(text).digest('hex')
const MOVED = 'function one(){var q=1;return fetch("/a",{method:"post"}).then(function(r){return r.json()})}'
const two = (text: string) => `function two(){first("of several statements");second();third("${text}")}`

describe('sources', () => {
  let app: TestApp
  let zoneId: string
  beforeAll(async () => {
    app = await startTestApp()
  })
  afterAll(() => app.close())

  const own = (text: string) => `/zonereeve/zones/${zoneId}/page_shield${text}`
  const get = (path: string) => app.call({ method: 'GET', path: own(path) })

  /** Creates a zone with two scripts. @returns their ids. */
  async function seeded(name: string): Promise<readonly [string, string]> {
    zoneId = (await app.must('POST', '/zones', { name })).id
    await app.must('PUT', `/zones/${zoneId}/page_shield`, { enabled: true })
    const scripts = ['https://cdn.example.net/a.js', 'https://cdn.example.net/b.js']
    await app.must('POST', own('/observations'), {
      observations: views(3, { page_url: `https://${name}/`, scripts }),
    })
    const found = await app.must<{ id: string; url: string }[]>('GET', `/zones/${zoneId}/page_shield/scripts`)
    const idOf = (url: string) => found.find((one) => one.url === url)?.id ?? ''
    return [idOf(scripts[0] ?? ''), idOf(scripts[1] ?? '')]
  }

  async function save(script: string, text: string, hash = digestOf(text), charset: string | null = null) {
    const bytes = Buffer.from(text)
    const fetched = { hash, contentSha256: digestOf(text), sri: 'sha384-x', scores: NO_SCORES, reasons: [] }
    await app.pageShield.contents.saveFetch(zoneId, script, {
      ...fetched,
      memory: null,
      source: { bytes, charset },
    })
    return digestOf(text)
  }

  const history = async (script: string) =>
    (await app.must<{ history: Record<string, unknown>[] }>('GET', own(`/scripts/${script}/contents`)))
      .history
  const storedRows = async () =>
    (
      await app.storage.all(
        query.selectFrom('page_shield_sources').select('position').where('zone_id', '=', zoneId),
      )
    ).length

  test('each content is stored once, with the times at which it was fetched and run', async () => {
    const [script, other] = await seeded('stored.example')
    const first = await save(script, 'a(1)', 'f'.repeat(64))
    await save(other, 'a(1)')
    app.clock.advance(DAY)
    await save(script, 'a(1)', 'f'.repeat(64))
    app.clock.advance(DAY)
    const second = await save(script, 'a(2)', 'f'.repeat(64)) // the same structure
    app.clock.advance(DAY)
    await save(script, 'a(1)', 'f'.repeat(64))
    expect(await history(script)).toMatchObject([
      { content_sha256: first, first_fetched_at: '2026-01-08T10:20:30Z', source: true, first_run_at: null },
      { content_sha256: second, bytes: 4, last_fetched_at: '2026-01-07T10:20:30Z', source: true },
      {
        content_sha256: first,
        first_fetched_at: '2026-01-05T10:20:30Z',
        last_fetched_at: '2026-01-06T10:20:30Z',
        source: true,
      },
    ])
    expect(await storedRows()).toBe(2)
  })

  test('a source is a file that no browser runs or displays', async () => {
    const [script, other] = await seeded('file.example')
    const text = '<script>alert("grün")</script>'
    const digest = await save(script, text, undefined, 'ISO-8859-1')
    const file = await get(`/scripts/${script}/contents/${digest}`)
    expect([file.status, file.text]).toEqual([200, text])
    expect(Object.fromEntries(Object.entries(file.headers))).toMatchObject({
      'content-type': 'text/plain; charset=ISO-8859-1',
      'content-disposition': `attachment; filename="${digest}.txt"`,
      'x-content-type-options': 'nosniff',
      'content-security-policy': expect.stringContaining('sandbox'),
    })
    const odd = await save(script, 'b', undefined, 'x\r\nset-cookie: a=b')
    expect((await get(`/scripts/${script}/contents/${odd}`)).headers).toMatchObject({
      'content-type': 'text/plain; charset=utf-8',
    })
    const empty = await save(script, '')
    expect(await get(`/scripts/${script}/contents/${empty}`)).toMatchObject({ status: 200, text: '' })
    const codes = await Promise.all(
      [`/scripts/${other}/contents/${digest}`, `/scripts/${'0'.repeat(32)}/contents/${digest}`].map(get),
    )
    expect(codes.map(({ status, json }) => [status, json.errors[0]?.code])).toEqual([
      [404, 20422],
      [404, 19621],
    ])
  })

  test('a difference is between beautified contents, by default the last two', async () => {
    const [script] = await seeded('diff.example')
    expect((await get(`/scripts/${script}/diff`)).json.errors).toMatchObject([{ code: 20422 }])
    const first = await save(script, `${MOVED}${two('one')}`)
    expect((await get(`/scripts/${script}/diff`)).json.errors).toMatchObject([{ code: 20424 }])
    const second = await save(script, `${two('two')}${MOVED}`)
    const third = await save(script, `${two('three')}${MOVED}`)
    const diff = (queried: string) =>
      app.must<{ hunks: { lines: { kind: string; text: string }[] }[] }>(
        'GET',
        own(`/scripts/${script}/diff${queried}`),
      )
    const changed = ({ hunks }: Awaited<ReturnType<typeof diff>>) =>
      hunks
        .flatMap(({ lines }) => lines)
        .flatMap(({ kind, text }) => (kind === 'same' ? [] : `${kind} ${text.trim()}`))
    const last = await diff('')
    expect(last).toMatchObject({
      from: { content_sha256: second },
      to: { content_sha256: third },
      form: 'syntax',
    })
    expect(changed(last)).toEqual(['removed third("two");', 'added third("three");'])
    const whole = await diff(`?from=${first}&to=${third}`)
    expect(whole).toMatchObject({ from: { content_sha256: first }, removed: 2, added: 2, moved: 3 })
    const unknown = await get(`/scripts/${script}/diff?from=${'0'.repeat(64)}`)
    expect([unknown.status, unknown.json.errors]).toMatchObject([
      404,
      [{ code: 20422, source: { pointer: '/from' } }],
    ])
    expect((await get(`/scripts/${script}/diff?from=abc`)).status).toBe(400)
  })

  test('contents beyond the limit are forgotten with their sources', async () => {
    const [script] = await seeded('many.example')
    for (let index = 0; index <= CONTENTS_KEPT; index++) await save(script, `a(${index})`)
    const newest = await history(script)
    expect(newest).toHaveLength(CONTENTS_KEPT)
    expect(newest.at(-1)).toMatchObject({ content_sha256: digestOf('a(1)') })
    expect(await storedRows()).toBe(CONTENTS_KEPT)
  })

  test('sources are removed with their scripts, and with their zone', async () => {
    const [script] = await seeded('swept.example')
    await save(script, 'a()')
    app.clock.advance(29 * DAY)
    await app.pageShield.sweep()
    expect(await storedRows()).toBe(1)
    app.clock.advance(2 * DAY)
    await app.pageShield.sweep()
    expect(await storedRows()).toBe(0)
    const [again] = await seeded('deleted.example')
    await save(again, 'a()')
    await app.must('DELETE', `/zones/${zoneId}`)
    expect(await storedRows()).toBe(0)
  })

  test('the sources of a zone are limited: the oldest make room, but not current ones', async () => {
    const [script] = await seeded('limit.example')
    const current = await save(script, 'current()')
    const source = (digit: string, storedBytes: number) => ({
      zoneId,
      contentSha256: digit.repeat(64),
      charset: null,
      storedBytes,
      source: new Uint8Array(storedBytes),
    })
    const present = async (...digits: string[]) => {
      const found = await Promise.all(
        digits.map((digit) => findSource(app.storage, zoneId, digit.repeat(64))),
      )
      return found.map((one) => one !== undefined)
    }
    await app.storage.write(async (tx) => {
      const budget = (await storedBytesOf(tx, zoneId)) + 100
      for (const digit of ['1', '2']) await saveSource(tx, source(digit, 50), budget)
      await saveSource(tx, source('3', 60), budget)
      await saveSource(tx, source('4', 101), budget) // does not fit
    })
    expect(await present('1', '2', '3', '4')).toEqual([false, false, false, false])
    expect(await findSource(app.storage, zoneId, current)).toBeDefined()
  })

  test('an interval applies at once, to a zone or to a script; failed fetches keep their delay', async () => {
    const [script, other] = await seeded('interval.example')
    await save(script, 'a()')
    await save(other, 'b()')
    const put = (body: object) => app.must('PUT', own('/fetching'), body)
    const dueIn = async (id: string) => {
      const { next_fetch_at: at } = await app.must<{ next_fetch_at: string }>(
        'GET',
        own(`/scripts/${id}/contents`),
      )
      return Math.round((Date.parse(at) - app.clock.now()) / MINUTE)
    }
    expect([await dueIn(script), await dueIn(other)]).toEqual([1440, 1440])
    await put({ scripts: [{ url: 'https://cdn.example.net/a.js', interval_minutes: 30 }] })
    expect([await dueIn(script), await dueIn(other)]).toEqual([30, 1440])
    await put({ interval_minutes: 120 })
    expect([await dueIn(script), await dueIn(other)]).toEqual([30, 120])
    await save(script, 'a()')
    expect(await dueIn(script)).toBe(30)
    await app.pageShield.contents.saveFailure(zoneId, other, 'status')
    const delayed = await dueIn(other)
    await put({ interval_minutes: 10 })
    expect(await dueIn(other)).toBe(delayed)
  })

  test('if sources are not stored, those that are stored are deleted', async () => {
    const [script] = await seeded('off.example')
    const digest = await save(script, 'a()')
    expect(await app.must('PUT', own('/fetching'), { store_sources: false })).toMatchObject({
      stored_bytes: 0,
    })
    const gone = await get(`/scripts/${script}/contents/${digest}`)
    expect([gone.status, gone.json.errors[0]?.code]).toEqual([404, 20423])
    await save(script, 'b()')
    expect(await history(script)).toMatchObject([{ source: false }, { source: false }])
    expect(await storedRows()).toBe(0)
  })
})

describe('fetching settings', () => {
  test('have defaults, and a change is a change set', async () => {
    const app = await startTestApp()
    try {
      const { id } = await app.must('POST', '/zones', { name: 'settings.example' })
      const path = `/zonereeve/zones/${id}/page_shield/fetching`
      const shown = { interval_minutes: 1440, scripts: [], store_sources: true, stored_bytes: 0 }
      expect(await app.must('GET', path)).toEqual(shown)
      expect(await app.must('PUT', path, { interval_minutes: 10 })).toEqual({
        ...shown,
        interval_minutes: 10,
      })
      const refused = [
        { interval_minutes: 9 },
        { interval_minutes: 10_081 },
        { unknown: 1 },
        { scripts: [{ url: 'x' }] },
      ]
      for (const body of refused) expect((await app.call({ method: 'PUT', path, body })).status).toBe(400)
      expect(await app.must('GET', path)).toEqual({ ...shown, interval_minutes: 10 })
    } finally {
      await app.close()
    }
  })
})
