// Named lists over HTTP: lists, items, pages, search, bulk operations, and what is refused.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startTestApp, type TestApp } from '../../../testing/app.ts'
import { scenarios, type Send } from '../../../testing/scenarios.ts'
import { allow, makeToken } from '../../../testing/test-tokens.ts'

const PATH = '/accounts/{account}/rules/lists'
const UNKNOWN = '0'.repeat(32)
let number = 0
/** A name of its own for each list: the rows share an account. */
const newName = () => `list_${(number += 1)}`
const make = (kind = 'ip', name = newName()): Send & { readonly as: string } => ({
  method: 'POST',
  path: PATH,
  body: { kind, name },
  as: 'list',
})
const items = (method: string, body?: unknown): Send => ({
  method,
  path: `${PATH}/{list}/items`,
  ...(body !== undefined && { body }),
})
const refused = (name: string, kind: string, body: unknown, codes: number[], pointers: string[]) => ({
  name: `refused: ${name}`,
  before: [make(kind)],
  send: items('POST', body),
  expect: { status: 400, codes, pointers },
})

scenarios(PATH, [
  {
    name: 'a list',
    send: { method: 'POST', path: PATH, body: { kind: 'ip', name: 'office', description: 'ours' } },
    expect: {
      status: 200,
      changes: 1,
      result: { kind: 'ip', name: 'office', num_items: 0, num_referencing_filters: 0 },
    },
  },
  {
    name: 'a name that is taken',
    send: { method: 'POST', path: PATH, body: { kind: 'asn', name: 'office' } },
    expect: { status: 400, codes: [20701], pointers: ['/name'] },
  },
  ...['', 'Office', 'of-fice', 'of.fice', 'a'.repeat(51)].map((name) => ({
    name: `the name ${name.slice(0, 10)} of ${name.length} characters`,
    send: { method: 'POST', path: PATH, body: { kind: 'ip', name } },
    expect: { status: 400, codes: [6008], pointers: ['/name'] },
  })),
  {
    name: 'an unknown kind',
    send: { method: 'POST', path: PATH, body: { kind: 'country', name: 'a' } },
    expect: { status: 400, codes: [6008], pointers: ['/kind'] },
  },
  {
    name: 'a new description',
    before: [make()],
    send: { method: 'PUT', path: `${PATH}/{list}`, body: { description: 'new' } },
    expect: { status: 200, changes: 1, result: { description: 'new' } },
  },
  {
    name: 'the name cannot change',
    before: [make()],
    send: { method: 'PUT', path: `${PATH}/{list}`, body: { name: 'other' } },
    expect: { status: 400, codes: [6008], pointers: ['/name'] },
  },
  {
    name: 'deleted',
    before: [make(), items('POST', [{ ip: '192.0.2.1' }])],
    send: { method: 'DELETE', path: `${PATH}/{list}` },
    expect: { status: 200, changes: 1 },
  },
  ...(['GET', 'PUT', 'DELETE'] as const).map((method) => ({
    name: `${method} of an unknown list`,
    send: { method, path: `${PATH}/${UNKNOWN}`, ...(method === 'PUT' && { body: {} }) },
    expect: { status: 404, codes: [20700] },
  })),
  {
    name: 'an unknown operation',
    send: { method: 'GET', path: `${PATH}/bulk_operations/${UNKNOWN}` },
    expect: { status: 404, codes: [20708] },
  },
  refused('a member of another kind', 'ip', [{ asn: 1 }], [20705], ['/0/ip']),
  refused('two values', 'ip', [{ ip: '192.0.2.1', asn: 1 }], [20705], ['/0/ip']),
  refused('no value', 'asn', [{ comment: 'none' }], [20705], ['/0/asn']),
  refused('a prefix that is too short', 'ip', [{ ip: '10.0.0.0/7' }], [20704], ['/0/ip']),
  refused(
    'one network in two spellings',
    'ip',
    [{ ip: '10.0.0.0/8' }, { ip: '192.0.2.1' }, { ip: '10.1.2.3/8' }],
    [20706],
    ['/2'],
  ),
  refused(
    'a bad redirect',
    'redirect',
    [{ redirect: { source_url: 'a b', target_url: 'x' } }],
    [20704],
    ['/0/redirect/source_url'],
  ),
  refused(
    'an unknown status',
    'redirect',
    [{ redirect: { source_url: 'a.example', target_url: 'https://b.example', status_code: 303 } }],
    [6008],
    ['/0/redirect/status_code'],
  ),
  refused('unknown members', 'ip', [{ ip: '192.0.2.1', note: 'x' }], [6008], ['/0/note']),
  {
    name: 'an item that is not there cannot be removed; nothing is',
    before: [make(), items('POST', [{ ip: '192.0.2.1' }])],
    send: items('DELETE', { items: [{ id: UNKNOWN }] }),
    expect: { status: 404, codes: [20707], pointers: ['/items/0/id'] },
  },
  {
    name: 'nothing is removed without items',
    before: [make(), items('POST', [{ ip: '192.0.2.1' }])],
    send: items('DELETE', {}),
    expect: { status: 400, codes: [6008], pointers: ['/items'] },
  },
  {
    name: 'an item of an unknown list',
    send: { method: 'GET', path: `${PATH}/${UNKNOWN}/items/${UNKNOWN}` },
    expect: { status: 404, codes: [20700] },
  },
  {
    name: 'a cursor of something else',
    before: [make()],
    send: { method: 'GET', path: `${PATH}/{list}/items?cursor=abc` },
    expect: { status: 400, codes: [6008], pointers: ['/cursor'] },
  },
])

interface Item {
  readonly id: string
  readonly ip?: string
  readonly comment?: string
}

describe('the items of a list', () => {
  let app: TestApp
  let path = ''
  beforeAll(async () => {
    app = await startTestApp()
  })
  afterAll(() => app.close())

  async function newList(kind: string): Promise<string> {
    const { id } = await app.must('POST', `/accounts/${app.accountId}/rules/lists`, { kind, name: newName() })
    path = `/accounts/${app.accountId}/rules/lists/${id}/items`
    return id
  }
  const send = (method: string, body: unknown) => app.must<{ operation_id: string }>(method, path, body)
  const ips = async (query = '') => (await app.must<Item[]>('GET', path + query)).map(({ ip }) => ip)

  test('are added, changed, replaced and removed; each operation is complete when it is answered', async () => {
    const id = await newList('ip')
    const { operation_id: operation } = await send('POST', [
      { ip: '192.0.2.1', comment: 'one' },
      { ip: '2001:db8::/32' },
    ])
    expect(
      await app.must('GET', `/accounts/${app.accountId}/rules/lists/bulk_operations/${operation}`),
    ).toMatchObject({
      id: operation,
      status: 'completed',
    })
    const [first] = await app.must<Item[]>('GET', path)
    expect(first).toMatchObject({ ip: '192.0.2.1', comment: 'one' })
    await send('POST', [{ ip: '192.0.2.1', comment: 'changed' }])
    expect(await app.must('GET', `${path}/${first?.id}`)).toMatchObject({ id: first?.id, comment: 'changed' })
    await send('PUT', [{ ip: '198.51.100.0/24' }, { ip: '192.0.2.1', comment: 'changed' }])
    expect(await app.must<Item[]>('GET', path)).toMatchObject([{ id: first?.id }, { ip: '198.51.100.0/24' }])
    await send('DELETE', { items: [{ id: first?.id }] })
    expect(await ips()).toEqual(['198.51.100.0/24'])
    expect(await app.must('GET', path.replace('/items', ''))).toMatchObject({ id, num_items: 1 })
    const kinds = (await app.changeLog(app.accountId)).flatMap(({ ops }) => ops.map(({ kind }) => kind))
    expect(kinds.slice(-7)).toEqual([
      'list.create',
      'list_item.create',
      'list_item.create',
      'list_item.update',
      'list_item.delete',
      'list_item.create',
      'list_item.delete',
    ])
  })

  test('an operation that changes nothing makes no change set', async () => {
    await newList('ip')
    await send('PUT', [{ ip: '192.0.2.1' }])
    const before = await app.changeCount()
    await send('PUT', [{ ip: '192.0.2.1/32' }])
    await send('POST', [{ ip: '192.0.2.1/32' }])
    expect((await app.changeCount()) - before).toBe(1) // the spelling is shown as sent
  })

  test('come in pages', async () => {
    await newList('ip')
    await send(
      'POST',
      Array.from({ length: 5 }, (_, index) => ({ ip: `192.0.2.${index}` })),
    )
    const seen: unknown[] = []
    let cursor = ''
    do {
      const { json } = await app.call({ method: 'GET', path: `${path}?per_page=2${cursor}` })
      seen.push(...(json.result as Item[]).map(({ ip }) => ip))
      const { after } = (json.result_info as { cursors?: { after?: string } } | undefined)?.cursors ?? {}
      cursor = after === undefined ? '' : `&cursor=${after}`
    } while (cursor !== '')
    expect(seen).toEqual(['192.0.2.0', '192.0.2.1', '192.0.2.2', '192.0.2.3', '192.0.2.4'])
  })

  test('are searched by the start of an address, a part of a name or URL, and a whole number', async () => {
    const found = async (search: string) =>
      (await app.must<Item[]>('GET', `${path}?search=${encodeURIComponent(search)}`)).length
    await newList('ip')
    await send('POST', [{ ip: '192.0.2.1' }, { ip: '10.192.0.2' }, { ip: '192.0.2.0/24' }])
    expect(await found('192.0.2')).toBe(2)
    await newList('hostname')
    await send('POST', [
      { hostname: { url_hostname: 'www.example.com' } },
      { hostname: { url_hostname: 'a.example' } },
    ])
    expect(await Promise.all([found('EXAMPLE.com'), found('example'), found('%')])).toEqual([1, 2, 0])
    await newList('asn')
    await send('POST', [{ asn: 64_500 }, { asn: 645 }])
    expect(await found('645')).toBe(1)
    await newList('redirect')
    await send('POST', [{ redirect: { source_url: 'a.example/x', target_url: 'https://b.example/y' } }])
    expect(await Promise.all([found('/X'), found('A.example'), found('b.example')])).toEqual([1, 1, 0])
  })

  test('at most 10,000, all or nothing', async () => {
    await newList('ip')
    const all = Array.from({ length: 10_000 }, (_, index) => ({ ip: `10.0.${index >> 8}.${index & 255}` }))
    await send('POST', all)
    const more = await app.call({ method: 'POST', path, body: [{ ip: '192.0.2.1' }] })
    expect(more.json.errors).toMatchObject([{ code: 20703 }])
    expect(await ips('?search=192.')).toEqual([])
    const tooMany = await app.call({ method: 'PUT', path, body: [...all, { ip: '192.0.2.1' }] })
    expect(tooMany.status).toBe(400)
  })

  test('of another account are not found', async () => {
    const id = await newList('ip')
    const other = await app.must('POST', '/accounts', { name: 'another one' })
    const { status } = await app.call({ method: 'GET', path: `/accounts/${other.id}/rules/lists/${id}` })
    expect(status).toBe(404)
  })

  test('need the permission for lists', async () => {
    await newList('ip')
    const token = await makeToken(app, [allow(['Account Rule Lists Read'], 'account.*')])
    expect((await app.call({ method: 'GET', path, token })).status).toBe(200)
    const { status } = await app.call({ method: 'POST', path, token, body: [{ ip: '192.0.2.1' }] })
    expect(status).toBe(403)
  })
})
