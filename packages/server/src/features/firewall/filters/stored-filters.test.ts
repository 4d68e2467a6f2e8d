// Filters over HTTP: written many at once, unique per zone, not deletable while a rule uses them.
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { startTestApp, type TestApp } from '../../../testing/app.ts'
import { scenarios, type Send } from '../../../testing/scenarios.ts'
import { MAX_FILTERS } from './filters.service.ts'

const path = '/zones/{zone}/filters'
const NOWHERE = 'f'.repeat(32)
const expression = 'ip.src in {192.0.2.0/24}'
const post = (body: unknown): Send => ({ method: 'POST', path, body })
const FRAME = 'Filter parsing error (1:1):\\nip.source eq 192.0.2.1\\n^^^^^^^^^ unknown identifier\\n'

scenarios('/zones/:id/filters', [
  {
    name: 'none',
    send: { method: 'GET', path },
    expect: { status: 200, result: [], info: { per_page: 25 } },
  },
  {
    name: 'only the required members: members that are not sent are not returned',
    send: post([{ expression }]),
    expect: {
      status: 200,
      changes: 1,
      result: [{ expression, paused: false }],
      text: /"paused":false,"expression"/,
    },
  },
  {
    name: 'all members, and read-only ones that clients send along',
    send: post([{ id: '', expression, paused: true, description: 'office', ref: 'F-1', created_on: 'x' }]),
    expect: {
      status: 200,
      changes: 1,
      result: [{ paused: true, description: 'office', expression, ref: 'F-1' }],
    },
  },
  {
    name: 'several in one change set, in request order',
    send: post([{ expression: 'ssl' }, { expression: 'not ssl' }]),
    expect: { status: 200, changes: 1, result: [{ expression: 'ssl' }, { expression: 'not ssl' }] },
  },
  {
    name: 'a single one, as the SDKs send it',
    send: post({ expression }),
    expect: { status: 200, changes: 1, result: [{ expression }] },
  },
  {
    name: 'an invalid expression is reported with its frame; nothing is created',
    send: post([{ expression: 'ssl' }, { expression: 'ip.source eq 192.0.2.1' }]),
    expect: { status: 400, codes: [19701], pointers: ['/1/expression'], text: FRAME },
  },
  {
    name: 'every invalid one is reported',
    send: post([{ expression: 'a' }, { expression: 'ssl' }, { expression: 'b' }]),
    expect: { status: 400, codes: [19701, 19701], pointers: ['/0/expression', '/2/expression'] },
  },
  {
    name: 'the same twice in one request',
    send: post([{ expression }, { expression, description: 'again' }]),
    expect: { status: 400, codes: [10102], pointers: ['/1'] },
  },
  {
    name: 'the same as an existing one: the error has its ID, for clients that then use it',
    before: [post([{ expression }])],
    send: post([{ expression }]),
    expect: {
      status: 400,
      codes: [10102],
      pointers: ['/0'],
      text: /"message":"config duplicates an already existing config","source":\{"pointer":"\/0"\},"meta":\{"id":"[0-9a-f]{32}"\}/,
    },
  },
  ...[
    ['no expression', [{}], ['/0/expression']],
    ['an expression that is not a string', [{ expression: 1 }], ['/0/expression']],
    ['paused that is not a boolean', [{ expression, paused: 'no' }], ['/0/paused']],
    ['a description of 501 characters', [{ expression, description: 'x'.repeat(501) }], ['/0/description']],
    ['a description with NUL', [{ expression, description: 'a\0' }], ['/0/description']],
    ['a ref of 51 characters', [{ expression, ref: 'x'.repeat(51) }], ['/0/ref']],
    ['an empty list', [], [null]],
    ['a string', '"filter"', [null]],
    ['more than one request allows', Array.from({ length: 1_001 }, () => ({ expression })), [null]],
  ].map(([name, body, pointers]) => ({
    name: String(name),
    send: post(body),
    expect: { status: 400, codes: [6008], pointers: pointers as (string | null)[] },
  })),
  ...[`${path}/${NOWHERE}`, `${path}/first`].flatMap((at) => [
    { name: `GET ${at}`, send: { method: 'GET', path: at }, expect: { status: 404, codes: [1000] } },
    {
      name: `PUT ${at}`,
      send: { method: 'PUT', path: at, body: { expression } },
      expect: { status: 404, codes: [1000] },
    },
    {
      name: `DELETE ${at}: already deleted`,
      send: { method: 'DELETE', path: at },
      expect: { status: 200, result: { id: at.split('/').at(-1) } },
    },
  ]),
  {
    name: 'PUT several, one of which does not exist',
    send: { method: 'PUT', path, body: [{ id: NOWHERE, expression }] },
    expect: { status: 404, codes: [1000], pointers: ['/0/id'] },
  },
  {
    name: 'PUT several without an ID',
    send: { method: 'PUT', path, body: [{ expression }] },
    expect: { status: 400, codes: [6008], pointers: ['/0/id'] },
  },
  ...['', '?id=', '?id=,'].map((sent) => ({
    name: `DELETE without IDs: ${sent}`,
    send: { method: 'DELETE', path: path + sent },
    expect: { status: 400, codes: [6008], pointers: ['/id'] },
  })),
  {
    name: 'an unknown zone',
    send: { method: 'GET', path: `/zones/${NOWHERE}/filters` },
    expect: { status: 404, codes: [1001] },
  },
])

interface Shown {
  readonly id: string
  readonly expression: string
}

describe('beyond the table', () => {
  let app: TestApp
  let zone: string
  beforeAll(async () => {
    app = await startTestApp()
  })
  afterAll(() => app.close())
  beforeEach(async () => {
    zone = (await app.must('POST', '/zones', { name: `z${crypto.randomUUID()}.example` })).id
  })

  const filters = () => `/zones/${zone}/filters`
  const make = async (...bodies: object[]) => app.must<Shown[]>('POST', filters(), bodies)
  const found = async (query: string) =>
    (await app.must<Shown[]>('GET', `${filters()}?${query}`)).map((filter) => filter.expression)

  test('members are in the order of the live API', async () => {
    const [{ id } = { id: '' }] = await make({ ref: 'r', expression, description: 'd', paused: true })
    const { text } = await app.call({ method: 'GET', path: `${filters()}/${id}` })
    expect(text).toBe(
      `{"result":{"id":"${id}","paused":true,"description":"d","expression":"${expression}","ref":"r"},"success":true,"errors":[],"messages":[]}`,
    )
  })

  test('lists are filtered by each parameter, and paged', async () => {
    const made = await make(
      { expression: 'ssl', description: 'All of TLS', ref: 'one' },
      { expression: 'http.host eq "a.example"', paused: true, ref: 'One' },
      { expression: 'ip.src eq 192.0.2.1', description: 'office' },
    )
    expect(await found('expression=HOST')).toEqual(['http.host eq "a.example"'])
    expect(await found('description=tls')).toEqual(['ssl'])
    expect(await found('ref=one')).toEqual(['ssl'])
    expect(await found('paused=true')).toEqual(['http.host eq "a.example"'])
    expect(await found('paused=false&description=o')).toEqual(['ssl', 'ip.src eq 192.0.2.1'])
    expect(await found(`id=${made[2]?.id}`)).toEqual(['ip.src eq 192.0.2.1'])
    expect(await found('per_page=2&page=2')).toHaveLength(1)
    const { json } = await app.call({ method: 'GET', path: `${filters()}?per_page=2` })
    expect(json.result_info).toEqual({ page: 1, per_page: 2, count: 2, total_count: 3, total_pages: 2 })
  })

  test('PUT replaces: members that are not sent are removed; repeating it is not a change', async () => {
    const [{ id } = { id: '' }] = await make({ expression, description: 'office', ref: 'r' })
    const at = `${filters()}/${id}`
    expect(await app.must<object>('PUT', at, { id, expression: 'ssl' })).toEqual({
      id,
      paused: false,
      expression: 'ssl',
    })
    const count = await app.changeCount()
    await app.must('PUT', at, { id, expression: 'ssl' })
    expect(await app.changeCount()).toBe(count)
    const wrong = await app.call({ method: 'PUT', path: at, body: { expression: 'sssl' } })
    expect([wrong.status, wrong.json.errors[0]?.code]).toEqual([400, 19701])
    expect(await app.must<Shown>('GET', at)).toMatchObject({ expression: 'ssl' })
  })

  test('PUT of several is all or nothing, and must not make two equal', async () => {
    const [one, two] = await make({ expression: 'ssl' }, { expression: 'not ssl' })
    const body = [
      { id: one?.id, expression: 'http.host eq "same.example"' },
      { id: two?.id, expression: 'http.host eq "same.example"' },
    ]
    const { status, json } = await app.call({ method: 'PUT', path: filters(), body })
    expect([status, json.errors[0]?.code, json.errors[0]?.source?.pointer]).toEqual([400, 10102, '/1'])
    expect((await found('')).toSorted()).toEqual(['not ssl', 'ssl'])
    const changed = [{ id: one?.id, expression: 'http.host eq "bot.example"' }]
    expect(await app.must<object[]>('PUT', filters(), changed)).toMatchObject(changed)
  })

  test('several are deleted at once, with repeated or comma-separated IDs', async () => {
    const [a, b, c] = await make({ expression: 'ssl' }, { expression: 'not ssl' }, { expression })
    const before = await app.changeCount()
    expect(await app.must<object[]>('DELETE', `${filters()}?id=${a?.id}&id=${b?.id}`)).toEqual([
      { id: a?.id },
      { id: b?.id },
    ])
    expect(await app.changeCount()).toBe(before + 1)
    await app.must('DELETE', `${filters()}?id=${c?.id},${NOWHERE}`)
    expect(await found('')).toEqual([])
  })

  test('one that a rule uses is not deleted, nor are the others of the request', async () => {
    const [a, b] = await make({ expression: 'ssl' }, { expression: 'not ssl' })
    await app.must('POST', `/zones/${zone}/firewall/rules`, [{ action: 'block', filter: { id: b?.id } }])
    const { status, json } = await app.call({
      method: 'DELETE',
      path: `${filters()}?id=${a?.id}&id=${b?.id}`,
    })
    expect([status, json.errors[0]?.code, json.errors[0]?.message]).toEqual([
      400,
      19557,
      expect.stringContaining(b?.id ?? 'nothing'),
    ])
    expect(await found('')).toHaveLength(2)
  })

  test('a filter of another zone is not found, and both zones may have the same expression', async () => {
    const [{ id } = { id: '' }] = await make({ expression })
    const other = (await app.must('POST', '/zones', { name: `o${crypto.randomUUID()}.example` })).id
    expect((await app.call({ method: 'GET', path: `/zones/${other}/filters/${id}` })).status).toBe(404)
    await app.must('DELETE', `/zones/${other}/filters/${id}`)
    await app.must('POST', `/zones/${other}/filters`, [{ expression }])
    expect(await found('')).toEqual([expression])
  })

  test('a zone can have the maximum number, and not one more', async () => {
    const numbered = (from: number, count: number) =>
      Array.from({ length: count }, (_, index) => ({ expression: `cf.threat_score eq ${from + index}` }))
    for (let from = 0; from < MAX_FILTERS; from += 1_000) await make(...numbered(from, 1_000))
    const { status, json } = await app.call({ method: 'POST', path: filters(), body: [{ expression }] })
    expect([status, json.errors[0]?.code]).toEqual([400, 19558])
  })

  test('a dry run shows the change and stores nothing', async () => {
    const answer = await app.call({
      method: 'POST',
      path: `${filters()}?dry_run=true`,
      body: [{ expression }],
    })
    expect(answer.json).toMatchObject({ changes: [{ serial: null, ops: [{ kind: 'filter.create' }] }] })
    expect(await found('')).toEqual([])
  })
})
