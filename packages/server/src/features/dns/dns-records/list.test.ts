// Lists: filters, operators, orders and pages, each by name, and combined against a naive model.
import type { ResultInfo } from '@zonereeve/contract'
import * as fc from 'fast-check'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { startTestApp, type TestApp } from '../../../testing/app.ts'
import { scratchFolder } from '@zonereeve/platform/testing/scratch-folder.ts'

const RECORDS = [
  { type: 'A', name: '@', content: '192.0.2.1', comment: 'Web server', tags: ['Team:Web', 'prod'] },
  { type: 'A', name: 'www', content: '192.0.2.1', proxied: true, tags: ['team:web:front'] },
  { type: 'A', name: 'www', content: '192.0.2.2', ttl: 300, comment: 'École' },
  { type: 'AAAA', name: 'www', content: '2001:db8::1', ttl: 3600 },
  { type: 'A', name: 'www2', content: '198.51.100.7', proxied: true, comment: '100% web_server' },
  { type: 'CNAME', name: 'blog', content: 'www.example.com', comment: 'alias' },
  { type: 'CNAME', name: 'shop', content: 'shop.example.net', proxied: true, tags: ['team:shop'] },
  { type: 'MX', name: '@', content: 'mail.example.com', priority: 10, comment: 'first' },
  { type: 'MX', name: '@', content: 'mail.example.com', priority: 20 },
  { type: 'TXT', name: '@', content: '"v=spf1 mx -all"', comment: 'spf' },
  { type: 'TXT', name: '_dmarc', content: 'v=DMARC1; p=reject', ttl: 3600 },
  { type: 'TXT', name: 'a_b', content: '"100%" " sure_thing \\\\ x"', tags: ['a', 'a:b', 'ab:c'] },
  { type: 'TXT', name: 'axb', content: '"grüße \\"quoted\\""', tags: ['team:Shop-2'] },
  { type: 'SRV', name: '_sip._tcp', data: { priority: 1, weight: 2, port: 5060, target: 'sip.example.com' } },
  { type: 'CAA', name: '@', data: { flags: 0, tag: 'issue', value: 'ca.example.net' }, tags: ['team'] },
  { type: 'NS', name: 'sub', content: 'ns1.example.net' },
  { type: 'A', name: '*.wild', content: '203.0.113.9' },
]

interface Shown {
  readonly id: string
  readonly name: string
  readonly type: string
  readonly content: string
  readonly ttl: number
  readonly proxied: boolean
  readonly comment: string | null
  readonly tags: readonly string[]
}

let app: TestApp
let path: string
let all: readonly Shown[]
beforeAll(async () => {
  app = await startTestApp()
  const zone = await app.must('POST', '/zones', { name: 'example.com' })
  const other = await app.must('POST', '/zones', { name: 'example.org' })
  path = `/zones/${zone.id}/dns_records`
  const made = []
  for (const record of RECORDS) made.push(await app.must<Shown>('POST', path, record))
  // Another zone whose records must never appear.
  for (const record of RECORDS) await app.must('POST', `/zones/${other.id}/dns_records`, record)
  all = made
})
afterAll(() => app.close())

type Query = Readonly<Record<string, string | number | readonly string[]>>

async function list(query: Query): Promise<{ items: Shown[]; info: Partial<ResultInfo> }> {
  const search = new URLSearchParams(
    Object.entries(query).flatMap(([name, value]) =>
      [value].flat().map((item): [string, string] => [name, String(item)]),
    ),
  )
  const { status, json, text } = await app.call<Shown[]>({
    method: 'GET',
    path: `${path}?${search.toString()}`,
  })
  if (status !== 200) throw new Error(text)
  return { items: json.result, info: { ...json.result_info } }
}

/** Indexes of the records in the table above. */
const numbersOf = (items: readonly Shown[]) =>
  items.map(({ id }) => all.findIndex((record) => record.id === id))
const none: number[] = []

const filters: [query: Query, expected: number[]][] = [
  [{ name: 'www.example.com' }, [1, 2, 3]],
  [{ name: 'WWW.Example.Com.' }, [1, 2, 3]],
  [{ name: 'www' }, none],
  [{ 'name.exact': 'example.com' }, [0, 7, 8, 9, 14]],
  [{ 'name.contains': 'WW' }, [1, 2, 3, 4]],
  [{ 'name.startswith': 'www.' }, [1, 2, 3]],
  [{ 'name.startswith': 'a_b' }, [11]],
  [{ 'name.startswith': '_' }, [10, 13]],
  [{ 'name.contains': '*' }, [16]],
  [{ 'name.contains': '%' }, none],
  [{ 'name.endswith': 'wild.example.com.' }, [16]],
  [{ name: '' }, none],
  [{ 'name.contains': '' }, RECORDS.map((_, index) => index)],
  [{ type: 'A' }, [0, 1, 2, 4, 16]],
  [{ type: 'A,AAAA' }, [0, 1, 2, 3, 4, 16]],
  [{ type: 'mx' }, [7, 8]],
  [{ type: 'SOA' }, none],
  [{ type: '' }, none],
  [{ content: '192.0.2.1' }, [0, 1]],
  [{ content: 'MAIL.example.com.' }, [7, 8]],
  [{ content: 'v=spf1 mx -all' }, [9]],
  [{ content: '"v=spf1 mx -all"' }, [9]],
  [{ content: 'v=spf1  mx -all' }, none],
  [{ 'content.contains': 'example.net' }, [6, 14, 15]],
  [{ 'content.contains': '%' }, [11]],
  [{ 'content.contains': '100% sure_thing \\ x' }, [11]],
  [{ 'content.contains': 'GRÜSSE' }, none],
  [{ 'content.contains': 'GRÜßE "quoted"' }, [12]],
  [{ 'content.startswith': '192.' }, [0, 1, 2]],
  [{ 'content.startswith': 'v=' }, [9, 10]],
  [{ 'content.startswith': '"v=' }, [9, 10]],
  [{ 'content.endswith': '.7' }, [4]],
  [{ 'content.endswith': 'reject' }, [10]],
  [{ content: '2 5060 sip.example.com' }, [13]],
  [{ content: '2\t5060\tsip.example.com' }, [13]],
  [{ content: '0 issue "ca.example.net"' }, [14]],
  [{ comment: 'web server' }, [0]],
  [{ 'comment.exact': 'WEB SERVER' }, [0]],
  [{ comment: 'école' }, [2]],
  [{ 'comment.contains': 'web' }, [0, 4]],
  [{ 'comment.contains': 'web_' }, [4]],
  [{ 'comment.contains': '0% ' }, [4]],
  [{ 'comment.startswith': 'ÉC' }, [2]],
  [{ 'comment.endswith': 'server' }, [0, 4]],
  [{ 'comment.present': '' }, [0, 2, 4, 5, 7, 9]],
  [{ 'comment.present': 'false' }, [0, 2, 4, 5, 7, 9]],
  [{ 'comment.absent': 'true' }, [1, 3, 6, 8, 10, 11, 12, 13, 14, 15, 16]],
  [{ 'comment.present': '', 'comment.absent': '' }, none],
  [{ 'comment.present': '', 'comment.absent': '', match: 'any' }, RECORDS.map((_, index) => index)],
  [{ proxied: 'true' }, [1, 4, 6]],
  [{ proxied: 'false', type: 'A' }, [0, 2, 16]],
  [{ tag: 'prod' }, [0]],
  [{ tag: 'team' }, [0, 1, 6, 12, 14]],
  [{ tag: 'team:web' }, [0]],
  [{ tag: 'TEAM:WEB' }, [0]],
  [{ 'tag.exact': 'team:web:front' }, [1]],
  [{ 'tag.present': 'a' }, [11]],
  [{ 'tag.present': 'ab' }, [11]],
  [{ 'tag.present': 'b' }, none],
  [{ 'tag.absent': 'team', type: 'A' }, [2, 4, 16]],
  [{ 'tag.contains': 'team:sho' }, [6, 12]],
  [{ 'tag.startswith': 'team:web' }, [0, 1]],
  [{ 'tag.endswith': 'team:front' }, [1]],
  [{ 'tag.endswith': 'team:2' }, [12]],
  [{ 'tag.contains': 'a:c' }, none],
  [{ tag: ['team:web', 'prod'] }, [0]],
  [{ tag: ['team:web', 'team:shop'] }, none],
  [{ tag: ['team:web', 'team:shop'], tag_match: 'any' }, [0, 6]],
  [{ tag: ['team:web', 'team:shop'], 'tag-match': 'any' }, [0, 6]],
  [{ name: 'www.example.com', content: '192.0.2.1' }, [1]],
  [{ name: 'www.example.com', content: '192.0.2.1', match: 'any' }, [0, 1, 2, 3]],
  [{ type: 'MX', proxied: 'true', match: 'any' }, [1, 4, 6, 7, 8]],
  [{ tag: 'prod', type: 'NS', match: 'any' }, [0, 15]],
  [{ search: 'web' }, [0, 1, 4]],
  [{ search: 'web front' }, [1]],
  [{ search: 'WWW 192' }, [1, 2]],
  [{ search: 'dmarc' }, [10]],
  [{ search: 'reject' }, [10]],
  [{ search: 'quoted' }, [12]],
  [{ search: 'nothing at all' }, none],
  [{ search: ' ' }, RECORDS.map((_, index) => index)],
  [{ search: 'web', type: 'NS', match: 'any' }, none],
  [{ search: '%' }, [4, 11]],
]

describe('filters', () => {
  test('there are cases', () => expect(filters.length).toBeGreaterThan(0))

  test.each(filters.map(([query, expected]) => [JSON.stringify(query), query, expected] as const))(
    '%s',
    async (_, query, expected) => {
      const { items, info } = await list(query)
      expect(numbersOf(items).toSorted((a, b) => a - b)).toEqual(expected)
      expect(info).toEqual({
        page: 1,
        per_page: 100,
        count: expected.length,
        total_count: expected.length,
        total_pages: 1,
      })
    },
  )
})

const bytes = (a: string, b: string) => Buffer.compare(Buffer.from(a), Buffer.from(b))
const natural = (name: string) => name.replaceAll(/\d+/g, (digits) => digits.padStart(63, '0'))
/** Primary sort keys, before the columns that make the order total. */
const ORDERS: Readonly<Record<string, (a: Shown, b: Shown) => number>> = {
  type: (a, b) => bytes(a.type, b.type) || bytes(a.name, b.name),
  name: (a, b) => bytes(a.name, b.name) || bytes(a.type, b.type),
  natural_name: (a, b) => bytes(natural(a.name), natural(b.name)) || bytes(a.name, b.name),
  content: (a, b) => bytes(a.content, b.content) || bytes(a.name, b.name),
  ttl: (a, b) => a.ttl - b.ttl || bytes(a.type, b.type) || bytes(a.name, b.name),
  proxied: (a, b) => Number(a.proxied) - Number(b.proxied) || bytes(a.type, b.type) || bytes(a.name, b.name),
}

function expectOrdered(items: readonly Shown[], order: string, direction: string): void {
  const compare = ORDERS[order] ?? (() => 0)
  const sign = direction === 'desc' ? -1 : 1
  for (const [index, item] of items.entries()) {
    const next = items[index + 1]
    if (next !== undefined) expect(sign * compare(item, next)).toBeLessThanOrEqual(0)
  }
}

describe('orders', () => {
  test.each(
    Object.keys(ORDERS).flatMap((order) => ['asc', 'desc'].map((direction) => [order, direction] as const)),
  )('by %s, %s', async (order, direction) => {
    const { items } = await list({ order, direction })
    expect(items.length).toBe(RECORDS.length)
    expectOrdered(items, order, direction)
  })

  test('by type, ascending, by default', async () => {
    expect((await list({})).items).toEqual((await list({ order: 'type', direction: 'asc' })).items)
  })

  test('numbers in names by their value in natural order', async () => {
    const zone = await app.must('POST', '/zones', { name: 'natural.example' })
    const records = `/zones/${zone.id}/dns_records`
    for (const name of ['host10', 'host9', 'host1', 'h2.host', 'host009'])
      await app.must('POST', records, { type: 'A', name, content: '192.0.2.1' })
    const { json } = await app.call<Shown[]>({ method: 'GET', path: `${records}?order=natural_name` })
    const names = json.result.map(({ name }) => name.replace('.natural.example', ''))
    expect(names).toEqual(['h2.host', 'host1', 'host009', 'host9', 'host10'])
  })

  test('one direction is the reverse of the other', async () => {
    for (const order of Object.keys(ORDERS)) {
      const [up, down] = [await list({ order }), await list({ order, direction: 'desc' })]
      expect(down.items).toEqual(up.items.toReversed())
    }
  })
})

// A model without a database: each parameter in one line.
const word = fc.constantFrom(
  'www',
  'web',
  'example',
  '192.0.2',
  'a_b',
  '100%',
  '\\',
  'v=',
  '"v=',
  'team',
  'École',
  '.com',
  '*',
  'x',
)
const operators = ['', '.exact', '.contains', '.startswith', '.endswith']
const textParameters = (field: string) =>
  fc
    .tuple(fc.constantFrom(...operators), word)
    .map(([operator, value]): Query => ({ [field + operator]: value }))
const exactly = (field: 'name' | 'content' | 'comment') =>
  fc.nat(RECORDS.length - 1).map((number): Query => ({ [field]: all[number]?.[field] ?? 'nothing' }))
const tagOperators = [
  'tag',
  'tag.present',
  'tag.absent',
  'tag.exact',
  'tag.contains',
  'tag.startswith',
  'tag.endswith',
]
const tagParameter = fc
  .tuple(
    fc.constantFrom(...tagOperators),
    fc.constantFrom('team', 'prod', 'a', 'team:web', 'team:shop', 'team:sh', 'a:b', 'ab:c', 'team:2'),
  )
  .map(([operator, value]): Query => ({
    [operator]: operator === 'tag.present' || operator === 'tag.absent' ? (value.split(':')[0] ?? '') : value,
  }))
const parameter = fc.oneof(
  textParameters('name'),
  textParameters('content'),
  textParameters('comment'),
  exactly('name'),
  exactly('content'),
  exactly('comment'),
  tagParameter,
  fc.constantFrom('A', 'A,AAAA', 'TXT', 'mx,ns', 'X').map((type): Query => ({ type })),
  fc.boolean().map((proxied): Query => ({ proxied: String(proxied) })),
  fc.constantFrom<Query>({ 'comment.present': 'true' }, { 'comment.absent': 'true' }),
  fc.constantFrom('web', 'www example', 'team', '192', '"').map((search): Query => ({ search })),
)
const request = fc.record({
  filters: fc.array(parameter, { maxLength: 4 }).map((list) => Object.assign({}, ...list) as Query),
  match: fc.constantFrom('any', 'all'),
  tag_match: fc.constantFrom('any', 'all'),
  order: fc.constantFrom(...Object.keys(ORDERS)),
  direction: fc.constantFrom('asc', 'desc'),
  perPage: fc.integer({ min: 1, max: 8 }),
  turns: fc.boolean(),
})

const lower = (text: string) => text.toLowerCase()
const oneSpace = (text: string) => lower(text).trim().replace(/\s+/g, ' ')
/** The text of a TXT record of the table, without quotes and escapes. */
const bareText = (content: string) =>
  lower(
    content
      .replace(/^"|"$/g, '')
      .replace(/(?<!\\)" "/g, '')
      .replace(/\\(.)/g, '$1'),
  )

function holds(operator: string, subject: string, value: string): boolean {
  if (operator === 'contains') return subject.includes(value)
  if (operator === 'startswith') return subject.startsWith(value)
  return operator === 'endswith' ? subject.endsWith(value) : subject === value
}

function tagHolds(record: Shown, operator: string, chosenFilters: string): boolean {
  const tags = record.tags.map(lower)
  const [name = '', ...rest] = chosenFilters.split(':')
  const named = tags.filter((tag) => tag === name || tag.startsWith(`${name}:`))
  if (operator === 'absent') return named.length === 0
  if (operator === 'present' || rest.length === 0) return named.length > 0
  const values = named.filter((tag) => tag.includes(':')).map((tag) => tag.slice(name.length + 1))
  return values.some((value) => holds(operator, value, rest.join(':')))
}

function filterHolds(record: Shown, key: string, value: string): boolean {
  const [field = '', operator = 'exact'] = key.split('.')
  if (key === 'comment.present') return record.comment !== null
  if (key === 'comment.absent') return record.comment === null
  if (field === 'name') return holds(operator, record.name, lower(value))
  if (field === 'comment') return holds(operator, lower(record.comment ?? ''), lower(value))
  if (field === 'type') return value.toUpperCase().split(',').includes(record.type)
  if (field === 'proxied') return String(record.proxied) === value
  const whole = /^".*"$/s.test(value) ? bareText(value) : lower(value)
  return (
    holds(operator, oneSpace(record.content), oneSpace(value)) ||
    (record.type === 'TXT' && holds(operator, bareText(record.content), whole))
  )
}

function passes(record: Shown, query: Query, match: string, tagMatch: string): boolean {
  const entries = Object.entries(query).map(([key, value]) => [key, String(value)] as const)
  const tags = entries
    .filter(([key]) => key.startsWith('tag'))
    .map(([key, value]) => tagHolds(record, key.split('.')[1] ?? 'exact', lower(value)))
  const others = entries
    .filter(([key]) => !key.startsWith('tag') && key !== 'search')
    .map(([key, value]) => filterHolds(record, key, value))
  const group = tags.length === 0 ? [] : [tagMatch === 'any' ? tags.some(Boolean) : tags.every(Boolean)]
  const conditions = [...others, ...group]
  const combined =
    conditions.length === 0 || (match === 'any' ? conditions.some(Boolean) : conditions.every(Boolean))
  const strings = [
    record.name,
    oneSpace(record.content),
    record.type === 'TXT' ? bareText(record.content) : '',
    lower(record.comment ?? ''),
    `\n${record.tags.map(lower).join('\n')}\n`,
  ]
  const words = lower(String(query['search'] ?? '')).split(/\s+/)
  return combined && words.every((part) => strings.some((text) => text.includes(part)))
}

describe('lists against the model', () => {
  test('contain the matching records in order, in pages that add up to the whole', async () => {
    let nonEmpty = 0
    await fc.assert(
      fc.asyncProperty(
        request,
        async ({ filters: chosenFilters, match, tag_match, order, direction, perPage, turns }) => {
          const query = { ...chosenFilters, match, tag_match, order, direction }
          const { items, info } = await list(query)
          const expected = all.filter((record) => passes(record, chosenFilters, match, tag_match))
          expect(numbersOf(items).toSorted((a, b) => a - b)).toEqual(numbersOf(expected))
          expectOrdered(items, order, direction)
          expect(info).toMatchObject({ count: expected.length, total_count: expected.length })
          nonEmpty += expected.length > 0 ? 1 : 0

          const pageCount = Math.max(1, Math.ceil(items.length / perPage))
          const numbers = Array.from({ length: pageCount }, (_, index) => index + 1)
          const pages = new Map<number, Shown[]>()
          for (const page of turns ? numbers.toReversed() : numbers) {
            const part = await list({ ...query, page, per_page: perPage })
            expect(part.info).toEqual({
              page,
              per_page: perPage,
              count: part.items.length,
              total_count: items.length,
              total_pages: pageCount,
            })
            pages.set(page, part.items)
          }
          expect(numbers.flatMap((page) => pages.get(page) ?? [])).toEqual(items)
        },
      ),
      { numRuns: 120 },
    )
    expect(nonEmpty).toBeGreaterThan(20)
  })
})

describe('pages while the zone changes', () => {
  test('start at the right record after every write', async () => {
    const zone = await app.must('POST', '/zones', { name: 'moving.example' })
    const records = `/zones/${zone.id}/dns_records`
    const ids: string[] = []
    const page = (number: number) =>
      app.call<Shown[]>({ method: 'GET', path: `${records}?order=name&per_page=2&page=${number}` })
    const names = async () => {
      const shown = []
      for (const number of [1, 2, 3, 4])
        shown.push(...(await page(number)).json.result.map(({ name }) => name.split('.')[0]))
      return shown.join('')
    }
    for (const name of ['b', 'd', 'f', 'h'])
      ids.push((await app.must('POST', records, { type: 'A', name, content: '192.0.2.1' })).id)
    expect(await names()).toBe('bdfh')
    await app.must('POST', records, { type: 'A', name: 'a', content: '192.0.2.1' })
    expect(await names()).toBe('abdfh')
    await app.must('DELETE', `${records}/${ids[0]}`)
    expect(await names()).toBe('adfh')
    await app.must('PATCH', `${records}/${ids[3]}`, { name: 'c' })
    expect(await names()).toBe('acdf')
    await app.must('PATCH', `${records}/${ids[1]}`, { comment: 'd' })
    expect(await names()).toBe('acdf')
  })
})

describe('a list on disk that is too long for the main thread', () => {
  test('equals the list of a small zone, the record just written included', async () => {
    const large = await startTestApp({ database: join(scratchFolder(), 'large.db') })
    onTestFinished(() => large.close())
    const zone = await large.must('POST', '/zones', { name: 'example.com', plan: { id: 'enterprise' } })
    const records = `/zones/${zone.id}/dns_records`
    const count = 21_000
    const batch = 3_500
    for (let start = 0; start < count; start += batch) {
      const posts = Array.from({ length: batch }, (_, index) => ({
        type: 'A',
        name: `r${start + index}`,
        content: `192.0.2.${(start + index) % 200}`,
      }))
      await large.must('POST', `${records}/batch`, { posts })
    }
    await large.must('POST', records, { type: 'A', name: 'last', content: '198.51.100.1' })
    const cases: readonly (readonly [query: string, count: number, total: number])[] = [
      ['content.contains=192.0.2.7&per_page=500', 500, 1_155],
      ['content.contains=198.51.100.1', 1, 1],
      ['search=last', 1, 1],
      ['search=nowhere', 0, 0],
      ['per_page=100&page=211', 1, count + 1],
      ['per_page=100&page=212', 0, count + 1],
      ['per_page=30000', count + 1, count + 1],
    ]
    for (const [search, items, total] of cases) {
      const { json } = await large.call<Shown[]>({ method: 'GET', path: `${records}?${search}` })
      expect([search, json.result.length, json.result_info?.total_count]).toEqual([search, items, total])
    }
    // A page of this size is read and sent in chunks.
    const whole = await large.call<Shown[]>({ method: 'GET', path: `${records}?per_page=30000` })
    expect(whole.headers).toMatchObject({ 'transfer-encoding': 'chunked' })
    expect(whole.headers['content-length']).toBeUndefined()
    expect(new Set(whole.json.result.map(({ name }) => name)).size).toBe(count + 1)
    expect(whole.json.result_info).toMatchObject({ count: count + 1, total_pages: 1 })
  })
})
