// The history of a zone: change sets, revert and restore.
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { PermissionGroupName } from '@zonereeve/contract'
import { rehearseChanges } from '../../../main/api.ts'
import { SYSTEM } from '@zonereeve/platform'
import type { Storage } from '@zonereeve/storage'
import { startTestApp, type TestApp } from '../../../testing/app.ts'
import { expectConsistent } from '../../../testing/change-log.ts'
import { fileForm, FORM_HEADERS } from '../../../testing/multipart.ts'
import { allow, makeToken } from '../../../testing/test-tokens.ts'
import { createHistory } from './history.service.ts'

interface Shown {
  readonly ops: readonly object[]
}

interface RecordText {
  readonly id: string
  readonly name: string
  readonly content: string
}

let app: TestApp
let zone: string
beforeAll(async () => {
  app = await startTestApp()
})
afterAll(() => app.close())
beforeEach(async () => {
  const [account] = await app.must<{ id: string }[]>('GET', '/accounts')
  zone = (await app.must('POST', '/zones', { name: `z${crypto.randomUUID()}.example`, account })).id
})

const history = () => `/zonereeve/zones/${zone}`
const records = () => app.must<RecordText[]>('GET', `/zones/${zone}/dns_records?per_page=1000`)
const add = (name: string, content = '192.0.2.1') =>
  app.must<RecordText>('POST', `/zones/${zone}/dns_records`, { type: 'A', name, content })
const post = (path: string, body: unknown = {}, headers = {}) =>
  app.call<Record<string, number>>({ method: 'POST', path: `${history()}${path}`, body, headers })

describe('GET changes', () => {
  test('newest first, in pages, with actor, time and serial', async () => {
    await add('a')
    await add('b')
    const { json } = await app.call<object[]>({ method: 'GET', path: `${history()}/changes?per_page=2` })
    expect(json.result).toMatchObject([
      { number: 3, actor: { kind: 'token', name: 'administrator' }, operations: 1 },
      { number: 2, operations: 1 },
    ])
    expect(json).toMatchObject({ result_info: { count: 2, total_count: 3, total_pages: 2 } })
    const rest = await app.call<object[]>({ method: 'GET', path: `${history()}/changes?per_page=2&page=2` })
    expect(rest.json.result).toMatchObject([{ number: 1 }])
  })

  test('each says what kinds of operations it has, and the first record', async () => {
    const record = await add('a')
    await app.must('PATCH', `/zones/${zone}/dns_records/${record.id}`, { content: '192.0.2.2' })
    await app.must('PATCH', `/zones/${zone}/dns_settings`, { ns_ttl: 3600 })
    const list = await app.must<object[]>('GET', `${history()}/changes`)
    expect(list).toMatchObject([
      { kinds: [{ kind: 'dns_settings.update', operations: 1 }], first_record: null },
      {
        kinds: [{ kind: 'dns_record.update', operations: 1 }],
        first_record: { before: { content: '192.0.2.1' }, after: { content: '192.0.2.2' } },
      },
      { kinds: [{ kind: 'dns_record.create', operations: 1 }], first_record: { before: null } },
      { number: 1, first_record: null },
    ])
  })

  test.each([
    ['no filter that matches nothing', '', [4, 3, 2, 1]],
    ['name', '?name=WWW', [4, 2]],
    ['name with characters of a pattern', '?name=w%25', []],
    ['kind', '?kind=dns_record.delete', [4]],
    ['kind of object', '?kind=dns_record', [4, 3, 2]],
    ['kind is no part of a word', '?kind=dns', []],
    ['actor', '?actor=ADMIN', [4, 3, 2, 1]],
    ['another actor', '?actor=somebody', []],
    ['time', '?since=2000-01-01T00:00:00Z', [4, 3, 2, 1]],
    ['time before', '?before=2000-01-01T00:00:00Z', []],
    ['several at once', '?kind=dns_record&name=www&per_page=1&page=2', [2]],
  ])('filtered by %s', async (_, filter, numbers) => {
    const { id } = await add('www')
    await add('mail')
    await app.must('DELETE', `/zones/${zone}/dns_records/${id}`)
    const list = await app.must<{ number: number }[]>('GET', `${history()}/changes${filter}`)
    expect(list.map(({ number }) => number)).toEqual(numbers)
  })

  test('a filtered list is counted', async () => {
    await add('www')
    await add('mail')
    const { json } = await app.call<object[]>({
      method: 'GET',
      path: `${history()}/changes?kind=dns_record&per_page=1`,
    })
    expect(json).toMatchObject({ result_info: { count: 1, total_count: 2, total_pages: 2 } })
  })

  test.each([
    ['a kind in capitals', '?kind=DNS'],
    ['an empty name', '?name='],
    ['no time', '?since=yesterday'],
    ['an unknown filter', '?who=x'],
  ])('refuses %s', async (_, filter) => {
    const answer = await app.call({ method: 'GET', path: `${history()}/changes${filter}` })
    expect(answer.status).toBe(400)
  })

  test('a single change set has each object before and after', async () => {
    const record = await add('a')
    await app.must('PATCH', `/zones/${zone}/dns_records/${record.id}`, { content: '192.0.2.2' })
    const change = await app.must<object>('GET', `${history()}/changes/3`)
    expect(change).toMatchObject({
      ops: [
        {
          kind: 'dns_record.update',
          object_id: record.id,
          before: { content: '192.0.2.1' },
          after: { content: '192.0.2.2' },
        },
      ],
    })
  })

  test.each([
    ['an unknown number', '/changes/99', 404, 19604],
    ['a value that is not a number', '/changes/x', 400, 7003],
    ['zero', '/changes/0', 400, 7003],
  ])('%s', async (_, path, status, code) => {
    const answer = await app.call({ method: 'GET', path: history() + path })
    expect([answer.status, answer.json.errors[0]?.code]).toEqual([status, code])
  })
})

describe('POST changes/:number/revert', () => {
  test('a creation is reverted', async () => {
    const record = await add('a')
    expect((await post('/changes/2/revert')).json.result).toEqual({ restored: 0, changed: 0, removed: 1 })
    expect((await records()).map(({ id }) => id)).not.toContain(record.id)
    await expectConsistent(app.storage)
  })

  test('a deleted record is restored under its id, with its times', async () => {
    const record = await add('a')
    await app.must('DELETE', `/zones/${zone}/dns_records/${record.id}`)
    expect((await post('/changes/3/revert')).json.result).toEqual({ restored: 1, changed: 0, removed: 0 })
    expect(await records()).toEqual([record])
    await expectConsistent(app.storage)
  })

  test('an edit is reverted, and the revert can be reverted too', async () => {
    const record = await add('a')
    await app.must('PATCH', `/zones/${zone}/dns_records/${record.id}`, { content: '192.0.2.2' })
    await post('/changes/3/revert')
    expect(await records()).toMatchObject([{ content: '192.0.2.1' }])
    await post('/changes/4/revert')
    expect(await records()).toMatchObject([{ content: '192.0.2.2' }])
  })

  test('rejected if the record has changed since; nothing is written', async () => {
    const record = await add('a')
    await app.must('PATCH', `/zones/${zone}/dns_records/${record.id}`, { content: '192.0.2.2' })
    const answer = await post('/changes/2/revert')
    expect([answer.status, answer.json.errors[0]?.code]).toEqual([400, 19601])
    expect(await records()).toMatchObject([{ content: '192.0.2.2' }])
  })

  test('rejected if the change set contains more than records', async () => {
    const answer = await post('/changes/1/revert')
    expect([answer.status, answer.json.errors[0]?.code]).toEqual([400, 19602])
    expect(answer.json.errors[0]?.message).toContain('zone.create')
  })

  test('the same rules apply: a conflict with a newer record is rejected', async () => {
    const record = await add('a')
    await app.must('DELETE', `/zones/${zone}/dns_records/${record.id}`)
    await app.must('POST', `/zones/${zone}/dns_records`, { type: 'CNAME', name: 'a', content: 'example.net' })
    const answer = await post('/changes/3/revert')
    expect([answer.status, answer.json.errors[0]?.code]).toEqual([400, 81054])
  })

  test('an unknown member is rejected', async () => {
    await add('a')
    const answer = await post('/changes/2/revert', { dry_run: true })
    expect([answer.status, answer.json.errors[0]?.code]).toEqual([400, 6008])
    expect(await records()).toHaveLength(1)
  })
})

describe('POST restore', () => {
  test('all records are as they were after a change set, in one change set', async () => {
    const remaining = await add('kept')
    const edited = await add('edited')
    const deleted = await add('deleted')
    await app.must('PATCH', `/zones/${zone}/dns_records/${edited.id}`, { content: '192.0.2.9' })
    await app.must('DELETE', `/zones/${zone}/dns_records/${deleted.id}`)
    await add('later')
    app.events.length = 0
    expect((await post('/restore', { number: 4 })).json.result).toEqual({
      restored: 1,
      changed: 1,
      removed: 1,
    })
    expect(await records()).toEqual([deleted, edited, remaining])
    expect(app.events).toHaveLength(1)
    await expectConsistent(app.storage)
  })

  test('names that were swapped are swapped back', async () => {
    const one = await add('one', '192.0.2.1')
    const two = await add('two', '192.0.2.1')
    await app.must('POST', `/zones/${zone}/dns_records/batch`, {
      patches: [
        { id: one.id, name: 'other' },
        { id: two.id, name: 'one' },
      ],
      puts: [{ id: one.id, type: 'A', name: 'two', content: '192.0.2.1' }],
    })
    expect((await post('/restore', { number: 3 })).status).toBe(200)
    expect(await records()).toEqual([one, two])
  })

  test('to a time', async () => {
    await add('a')
    const { at } = await app.must<{ at: string }>('GET', `${history()}/changes/2`)
    app.clock.advance(5_000)
    await add('b')
    expect((await post('/restore', { at })).json.result).toEqual({ restored: 0, changed: 0, removed: 1 })
    expect(await records()).toMatchObject([{ name: expect.stringMatching(/^a\./) as string }])
  })

  test('if nothing has changed since, nothing is written', async () => {
    await add('a')
    const before = await app.changeLog(zone)
    expect((await post('/restore', { number: 2 })).json.result).toEqual({
      restored: 0,
      changed: 0,
      removed: 0,
    })
    expect(await app.changeLog(zone)).toEqual(before)
  })

  test.each([
    ['neither number nor time', {}, 400, 19603],
    ['both', { number: 1, at: '2026-01-01T00:00:00Z' }, 400, 19603],
    ['a time before the zone existed', { at: '2001-01-01T00:00:00Z' }, 400, 19603],
    ['an unknown number', { number: 99 }, 404, 19604],
  ])('%s', async (_, body, status, code) => {
    const answer = await post('/restore', body)
    expect([answer.status, answer.json.errors[0]?.code]).toEqual([status, code])
  })
})

describe('?dry_run=true', () => {
  test('shows the result, and changes nothing', async () => {
    const before = await app.changeLog(zone)
    app.events.length = 0
    const answer = await app.call({
      method: 'POST',
      path: `/zones/${zone}/dns_records?dry_run=true`,
      body: { type: 'A', name: 'a', content: '192.0.2.1' },
    })
    expect(answer.json).toMatchObject({
      result: { content: '192.0.2.1' },
      messages: [{ code: 19030 }],
      changes: [{ number: 2, ops: [{ kind: 'dns_record.create', before: null, after: { type: 'A' } }] }],
    })
    expect(await records()).toEqual([])
    expect(await app.changeLog(zone)).toEqual(before)
    expect(app.events).toEqual([])
  })

  test('is isolated from concurrent real writes', async () => {
    const write = (index: number, query: string) =>
      app.call({
        method: 'POST',
        path: `/zones/${zone}/dns_records${query}`,
        body: { type: 'A', name: `n${index}`, content: '192.0.2.1' },
      })
    const answers = await Promise.all(
      Array.from({ length: 40 }, (_, index) => write(index, index % 2 === 0 ? '' : '?dry_run=1')),
    )
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200))
    expect(answers.map(({ json }) => 'changes' in json)).toEqual(answers.map((_, index) => index % 2 === 1))
    expect(await records()).toHaveLength(20)
    await expectConsistent(app.storage)
  })

  test.each([
    ['reports broken rules as usual', 'true', { type: 'A', name: 'a', content: 'x' }, 9005],
    ['any other value is rejected', 'maybe', { type: 'A', name: 'a', content: '192.0.2.1' }, 6008],
  ])('%s', async (_, asked, body, code) => {
    const answer = await app.call({
      method: 'POST',
      path: `/zones/${zone}/dns_records?dry_run=${asked}`,
      body,
    })
    expect([answer.status, answer.json.errors[0]?.code]).toEqual([400, code])
    expect(await records()).toEqual([])
  })
})

describe('what a token may see of a change set', () => {
  const entryPoint = () => `/zones/${zone}/rulesets/phases/http_request_firewall_custom/entrypoint`
  const secret = 'http.host eq "hidden.example"'
  const writes: [noun: string, group: PermissionGroupName, write: () => Promise<unknown>][] = [
    [
      'ruleset',
      'Zone WAF Read',
      () =>
        app.must('PUT', entryPoint(), { rules: [{ action: 'block', expression: secret, description: 'x' }] }),
    ],
    [
      'firewall rule',
      'Firewall Services Read',
      () =>
        app.must('POST', `/zones/${zone}/firewall/rules`, [
          { action: 'block', filter: { expression: secret } },
        ]),
    ],
    [
      'page rule',
      'Page Rules Read',
      () =>
        app.must('POST', `/zones/${zone}/pagerules`, {
          targets: [{ target: 'url', constraint: { operator: 'matches', value: 'hidden.example/*' } }],
          actions: [{ id: 'disable_security' }],
        }),
    ],
    [
      'policy',
      'Domain Page Shield Read',
      () =>
        app.must('POST', `/zones/${zone}/page_shield/policies`, {
          description: 'hidden.example',
          action: 'log',
          expression: 'true',
          enabled: true,
          value: "script-src 'self'",
        }),
    ],
  ]

  const latest = async (...groups: PermissionGroupName[]) => {
    const token = await makeToken(app, [allow(groups, `account.zone.${zone}`)])
    const { json } = await app.call<object[]>({ method: 'GET', path: `${history()}/changes?per_page=1` })
    const { number } = json.result[0] as { number: number } // the newest
    const answer = await app.call<Shown>({ method: 'GET', path: `${history()}/changes/${number}`, token })
    return { ...answer.json.result, codes: answer.json.messages.map(({ code }) => code) }
  }

  test.each(writes)('a %s is hidden from tokens that may read only DNS', async (_, group, write) => {
    await write()
    const hidden = await latest('DNS Read')
    expect(JSON.stringify(hidden)).not.toContain('hidden.example')
    expect(hidden.codes).toEqual([19001])
    expect(hidden.ops.length).toBeGreaterThan(0)
    for (const op of hidden.ops) expect(op).toMatchObject({ before: null, after: null })
    const shown = await latest('DNS Read', group)
    expect(JSON.stringify(shown)).toContain('hidden.example')
    expect(shown.codes).toEqual([])
  })

  test('records are visible to them', async () => {
    await add('a')
    expect(await latest('DNS Read')).toMatchObject({ codes: [], ops: [{ after: { content: '192.0.2.1' } }] })
  })
})

describe('If-Match', () => {
  test('a record is changed only by clients that have seen its current version', async () => {
    const { id } = await add('a')
    const path = `/zones/${zone}/dns_records/${id}`
    const seen = (await app.call({ method: 'GET', path })).headers['etag'] ?? ''
    const patch = (tag: string, content: string) =>
      app.call({ method: 'PATCH', path, body: { content }, headers: { 'if-match': tag } })
    expect((await patch(String(seen), '192.0.2.2')).status).toBe(200)
    const late = await patch(String(seen), '192.0.2.3')
    expect([late.status, late.json.errors[0]?.code]).toEqual([412, 19412])
    expect(await records()).toMatchObject([{ content: '192.0.2.2' }])
    expect((await patch('*', '192.0.2.4')).status).toBe(200)
  })

  test('a zone’s tag changes with its records', async () => {
    const zonePath = `/zones/${zone}`
    const seen = String((await app.call({ method: 'GET', path: zonePath })).headers['etag'])
    await add('a')
    const answer = await app.call({ method: 'DELETE', path: zonePath, headers: { 'if-match': seen } })
    expect(answer.status).toBe(412)
    expect(await records()).toHaveLength(1)
  })

  test('rejected where it is not supported', async () => {
    const answer = await app.call({ method: 'GET', path: '/zones', headers: { 'if-match': '"x"' } })
    expect([answer.status, answer.json.errors[0]?.code]).toEqual([400, 19400])
  })
})

describe('a change of very many records', () => {
  test('is reverted and restored, dry run included, and yields in between', async () => {
    const count = 1_000
    const body = fileForm(`$GENERATE 1-${count} r$ 300 A 192.0.2.1\n`)
    const path = `/zones/${zone}/dns_records/import`
    expect((await app.call({ method: 'POST', path, body, headers: FORM_HEADERS })).status).toBe(200)
    const before = await app.must<RecordText[]>('GET', `/zones/${zone}/dns_records?per_page=5000`)

    let pauses = 0
    const storage: Storage = {
      ...app.storage,
      write: (unit) =>
        app.storage.write((tx) => {
          const yieldIfDue = (): Promise<void> => {
            pauses += 1
            return tx.yieldIfDue()
          }
          return unit({ ...tx, yieldIfDue })
        }),
    }
    const own = createHistory({ storage, records: app.records })
    const restore = (number: number) => own.restore(zone, { number, at: undefined }, SYSTEM, undefined)

    const rehearsed = await rehearseChanges(() => restore(1), new AbortController().signal)
    expect(rehearsed.result).toMatchObject({ restored: 0, changed: 0, removed: count })
    expect((JSON.parse(rehearsed.changes[0] ?? '') as Shown).ops).toHaveLength(count)
    expect(await restore(1)).toMatchObject({ restored: 0, changed: 0, removed: count })
    expect(await restore(2)).toMatchObject({ restored: count, changed: 0, removed: 0 })
    // One per hundred records written, and one per five hundred looked up, read or logged.
    expect(pauses).toBeGreaterThanOrEqual(3 * (count / 100 + (3 * count) / 500))
    expect(await app.must('GET', `/zones/${zone}/dns_records?per_page=5000`)).toEqual(before)
    await expectConsistent(app.storage)
  })
})
