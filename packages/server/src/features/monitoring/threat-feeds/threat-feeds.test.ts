// Threat feeds over HTTP, their imports, and their effect on the inventory.
import { gzipSync } from 'node:zlib'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { query } from '@zonereeve/storage'
import { startTestApp, type TestApp } from '../../../testing/app.ts'
import { scenarios, type Send } from '../../../testing/scenarios.ts'
import { allow, ALL_GROUPS, deny, EVERYTHING, makeToken } from '../../../testing/test-tokens.ts'
import { THREAT_CATEGORIES } from '../page-shield/index.ts'
import type { FeedRequest, FetchedFeed } from './imports.service.ts'
import { MAX_FEEDS } from './threat-feeds.rules.ts'

const FEEDS = '/zonereeve/threat_feeds'
const MISSING = 'f'.repeat(32)
const URL = 'https://feeds.example.com/malware.txt'
const PLAIN = { name: 'own list', format: 'plain', categories: ['Malware'] }
const create = (body: object): Send => ({ method: 'POST', path: FEEDS, body })
const addFetched: Send = { ...create({ ...PLAIN, url: URL }), as: 'feed' }
const patch = (body: unknown): Send => ({ method: 'PATCH', path: `${FEEDS}/{feed}`, body })
const CHANGES = `${FEEDS}/changes`
const add: Send = { ...create(PLAIN), as: 'feed' }
const put = (body: string, headers: Record<string, string> = {}): Send => ({
  method: 'PUT',
  path: `${FEEDS}/{feed}/entries`,
  body,
  headers: { 'content-type': 'text/plain', ...headers },
})

scenarios(FEEDS, [
  {
    name: 'a feed with a URL: waiting, and due at once',
    send: create({ ...PLAIN, url: URL }),
    expect: {
      status: 200,
      changes: 1,
      result: {
        name: 'own list',
        format: 'plain',
        url: URL,
        categories: ['Malware'],
        interval_minutes: 360,
        status: { state: 'waiting', problem: null, entries: 0, imported_at: null, held_entries: null },
      },
    },
  },
  {
    name: 'a feed that is uploaded: never due',
    send: create(PLAIN),
    expect: {
      status: 200,
      changes: 1,
      result: { url: null, interval_minutes: null, status: { next_attempt_at: null } },
    },
  },
  {
    name: 'a feed whose entries have their own categories',
    send: create({ name: 'x', format: 'urlhaus', url: URL, interval_minutes: 5 }),
    expect: { status: 200, changes: 1, result: { categories: null, interval_minutes: 5 } },
  },
  ...(
    [
      ['no name', { format: 'plain', categories: ['Malware'] }, 6008, '/name'],
      ['an empty name', { ...PLAIN, name: '' }, 6008, '/name'],
      ['a name with a line feed', { ...PLAIN, name: 'a\nb' }, 6008, '/name'],
      ['no such format', { ...PLAIN, format: 'misp' }, 6008, '/format'],
      ['no such category', { ...PLAIN, categories: ['malware'] }, 6008, '/categories/0'],
      ['a category twice', { ...PLAIN, categories: ['Malware', 'Malware'] }, 6008, '/categories'],
      ['no category', { ...PLAIN, categories: [] }, 6008, '/categories'],
      ['an interval too short', { ...PLAIN, url: URL, interval_minutes: 4 }, 6008, '/interval_minutes'],
      ['an interval too long', { ...PLAIN, url: URL, interval_minutes: 43_201 }, 6008, '/interval_minutes'],
      ['an unknown member', { ...PLAIN, path: '/etc/passwd' }, 6008, '/path'],
      ['a file of the server', { ...PLAIN, url: 'file:///etc/passwd' }, 19672, '/url'],
      ['a path', { ...PLAIN, url: '/etc/passwd' }, 19672, '/url'],
      ['a URL with a password', { ...PLAIN, url: 'https://a:b@feeds.example.com/' }, 19672, '/url'],
      ['no categories where entries have none', { name: 'x', format: 'hosts' }, 19673, '/categories'],
      ['categories where entries have their own', { ...PLAIN, format: 'openphish' }, 19674, '/categories'],
      ['an interval without URL', { ...PLAIN, interval_minutes: 60 }, 19675, '/interval_minutes'],
    ] as const
  ).map(([name, body, code, pointer]) => ({
    name: `refused: ${name}`,
    send: create(body),
    expect: { status: 400, codes: [code], pointers: [pointer] },
  })),
  {
    name: 'refused: every error at once',
    send: create({ ...PLAIN, format: 'openphish', url: 'x', interval_minutes: 60 }),
    expect: { status: 400, codes: [19672, 19674], pointers: ['/url', '/categories'] },
  },
  {
    name: 'entries are uploaded',
    before: [add],
    send: put('# list\nevil.example\nhttps://two.example/x.js\ngithub.io\nlocalhost\n'),
    expect: {
      status: 200,
      changes: 1,
      result: { status: { state: 'imported', entries: 2, passed_over: 2, unreadable: 0, problem: null } },
    },
  },
  {
    name: 'refused: an HTML page instead of a feed',
    before: [add],
    send: put('<html><body>\n<h1>Sorry, not found</h1>\n'),
    expect: {
      status: 400,
      codes: [19678],
      pointers: ['/file'],
      text: '2 of 2 entries cannot be parsed as plain',
    },
  },
  {
    name: 'refused: an archive',
    before: [add],
    send: put('PK\u0003\u0004', { 'content-type': 'application/zip' }),
    expect: { status: 400, codes: [19678], pointers: ['/file'] },
  },
  {
    name: 'refused: another type of file',
    before: [add],
    send: put('evil.example', { 'content-type': 'image/png' }),
    expect: { status: 400, codes: [19820] },
  },
  {
    name: 'refused: an upload to a feed that is fetched',
    before: [{ ...create({ ...PLAIN, url: URL }), as: 'feed' }],
    send: put('evil.example\n'),
    expect: { status: 400, codes: [19677], pointers: ['/file'] },
  },
  {
    name: 'refused: to fetch a feed that is uploaded',
    before: [add],
    send: { method: 'POST', path: `${FEEDS}/{feed}/refresh` },
    expect: { status: 400, codes: [19676] },
  },
  {
    name: 'refused: to accept an import that was not held back',
    before: [add],
    send: { method: 'POST', path: `${FEEDS}/{feed}/accept` },
    expect: { status: 400, codes: [19679] },
  },
  {
    name: 'a feed that is created disabled',
    send: create({ ...PLAIN, url: URL, enabled: false }),
    expect: { status: 200, changes: 1, result: { enabled: false, status: { next_attempt_at: null } } },
  },
  {
    name: 'all editable members of a feed are edited',
    before: [addFetched],
    send: patch({
      name: 'other',
      url: `${URL}?key=2`,
      categories: ['Phishing'],
      interval_minutes: 60,
      enabled: false,
    }),
    expect: {
      status: 200,
      changes: 1,
      result: {
        name: 'other',
        format: 'plain',
        url: `${URL}?key=2`,
        categories: ['Phishing'],
        interval_minutes: 60,
        enabled: false,
      },
    },
  },
  {
    name: 'members not sent stay',
    before: [addFetched],
    send: patch({ enabled: false }),
    expect: {
      status: 200,
      changes: 1,
      result: { ...PLAIN, url: URL, interval_minutes: 360, enabled: false },
    },
  },
  {
    name: 'an edit to the current values: no change',
    before: [addFetched],
    send: patch({ ...PLAIN, format: undefined, url: URL, interval_minutes: 360, enabled: true }),
    expect: { status: 200, result: { enabled: true } },
  },
  ...(
    [
      ['nothing', {}, 6008, null],
      ['no object', [], 6008, null],
      ['another format', { format: 'hosts' }, 6008, '/format'],
      ['a read-only member', { status: { state: 'imported' } }, 6008, '/status'],
      ['no name', { name: '' }, 6008, '/name'],
      ['null', { url: null }, 6008, '/url'],
      ['no such category', { categories: ['malware'] }, 6008, '/categories/0'],
      ['an interval too short', { interval_minutes: 4 }, 6008, '/interval_minutes'],
      ['a string for a boolean', { enabled: 'false' }, 6008, '/enabled'],
      ['a file of the server', { url: 'file:///etc/passwd' }, 19672, '/url'],
    ] as const
  ).map(([name, body, code, pointer]) => ({
    name: `an edit is refused: ${name}`,
    before: [addFetched],
    send: patch(body),
    expect: { status: 400, codes: [code], pointers: [pointer] },
  })),
  {
    name: 'an edit is refused: a URL for a feed that is uploaded',
    before: [add],
    send: patch({ url: URL }),
    expect: { status: 400, codes: [19676], pointers: ['/url'] },
  },
  {
    name: 'an edit is refused: an interval for a feed that is uploaded',
    before: [add],
    send: patch({ interval_minutes: 60 }),
    expect: { status: 400, codes: [19675], pointers: ['/interval_minutes'] },
  },
  {
    name: 'an edit is refused: categories where entries have their own',
    before: [{ ...create({ name: 'x', format: 'urlhaus', url: URL }), as: 'feed' }],
    send: patch({ categories: ['Malware'] }),
    expect: { status: 400, codes: [19674], pointers: ['/categories'] },
  },
  {
    name: 'refused: to fetch a disabled feed',
    before: [{ ...create({ ...PLAIN, url: URL, enabled: false }), as: 'feed' }],
    send: { method: 'POST', path: `${FEEDS}/{feed}/refresh` },
    expect: { status: 400, codes: [19660] },
  },
  ...['0', 'x', '-1', '1.0'].map((number) => ({
    name: `not a change set number: ${number}`,
    send: { method: 'GET', path: `${CHANGES}/${number}` },
    expect: { status: 400, codes: [7003] },
  })),
  {
    name: 'no such change set',
    send: { method: 'GET', path: `${CHANGES}/999999` },
    expect: { status: 404, codes: [19604] },
  },
  {
    name: 'a feed is deleted',
    before: [add],
    send: { method: 'DELETE', path: `${FEEDS}/{feed}` },
    expect: { status: 200, changes: 1 },
  },
  {
    name: 'a requested fetch does not change the feed',
    before: [{ ...create({ ...PLAIN, url: URL }), as: 'feed' }],
    send: { method: 'POST', path: `${FEEDS}/{feed}/refresh` },
    expect: { status: 200 },
  },
  {
    name: 'entries that flag a URL: none',
    send: { method: 'GET', path: `${FEEDS}/matches?url=https://fine.example/` },
    expect: { status: 200, result: [] },
  },
  ...['', '?url=', '?url=fine.example', '?url=ftp://fine.example/'].map((text) => ({
    name: `entries that flag no URL: ${text}`,
    send: { method: 'GET', path: `${FEEDS}/matches${text}` },
    expect: { status: 400, codes: [6008], pointers: ['/url'] },
  })),
  ...(
    [
      ['GET', ''],
      ['DELETE', ''],
      ['POST', '/refresh'],
      ['POST', '/accept'],
    ] as const
  ).map(([method, path]) => ({
    name: `no such feed: ${method} ${path}`,
    send: { method, path: `${FEEDS}/${MISSING}${path}` },
    expect: { status: 404, codes: [19670] },
  })),
  {
    name: 'no such feed: its entries',
    send: { ...put('evil.example\n'), path: `${FEEDS}/${MISSING}/entries` },
    expect: { status: 404, codes: [19670] },
  },
  {
    name: 'no such feed: an edit',
    send: { method: 'PATCH', path: `${FEEDS}/${MISSING}`, body: { enabled: false } },
    expect: { status: 404, codes: [19670] },
  },
  {
    name: 'no identifier',
    send: { method: 'GET', path: `${FEEDS}/x` },
    expect: { status: 400, codes: [7003] },
  },
])

const FOUND = {
  scripts: ['https://evil.example/a.js', 'https://fine.example/a.js', 'https://fine.github.io/b.js'],
  connections: ['wss://live.evil.example/socket?secret=1'],
}

interface Resource {
  readonly url: string
  readonly domain_reported_malicious: boolean
  readonly url_reported_malicious: boolean
  readonly malicious_domain_categories?: readonly string[]
  readonly malicious_url_categories?: readonly string[]
}

interface ShownFeed {
  readonly id: string
  readonly status: Record<string, unknown>
}

describe('imports and the inventory', () => {
  let app: TestApp
  let zone: string
  let answer: (request: FeedRequest) => FetchedFeed | string
  let asked: FeedRequest[]

  beforeEach(async () => {
    asked = []
    answer = () => 'evil.example\n'
    app = await startTestApp({
      async fetchFeed(request, take) {
        asked.push(request)
        const answered = answer(request)
        if (typeof answered !== 'string') return answered
        // In chunks, as from a network.
        for (let at = 0; at < answered.length; at += 7) await take(Buffer.from(answered.slice(at, at + 7)))
        return { kind: 'content', validators: { url: request.url, etag: '"1"', lastModified: null } }
      },
    })
    zone = (await app.must('POST', '/zones', { name: 'example.com' })).id
    await app.must('PUT', `/zones/${zone}/page_shield`, { enabled: true })
  })
  afterEach(() => app.close())

  const observe = () =>
    app.must('POST', `/zonereeve/zones/${zone}/page_shield/observations`, {
      observations: [1, 2, 3].map(() => ({ page_url: 'https://example.com/', ...FOUND })),
    })
  const list = (kind: string) => app.must<Resource[]>('GET', `/zones/${zone}/page_shield/${kind}`)
  const flagged = async () =>
    [...(await list('scripts')), ...(await list('connections'))]
      .filter((one) => one.domain_reported_malicious || one.url_reported_malicious)
      .map(({ url }) => url)
  const kinds = async () =>
    (await app.must<{ kind: string }[]>('GET', `/zonereeve/zones/${zone}/page_shield/events`)).map(
      ({ kind }) => kind,
    )
  const addFeed = (more: object = { url: URL }) => app.must<ShownFeed>('POST', FEEDS, { ...PLAIN, ...more })
  const upload = async (id: string, body: string | Buffer) => {
    const headers = { 'content-type': 'text/plain' }
    const sent = await app.call({
      method: 'PUT',
      path: `${FEEDS}/${id}/entries`,
      body: String(body),
      headers,
    })
    expect([sent.status, sent.json.errors]).toEqual([200, []])
  }
  const show = (id: string) => app.must<ShownFeed>('GET', `${FEEDS}/${id}`)
  const rows = async (table: 'threat_entries' | 'threat_imports') =>
    (await app.storage.all(query.selectFrom(table).selectAll())).length
  const HOUR = 3_600_000

  test('resources are flagged when a feed is imported, cleared when the entry is removed, with an event both times', async () => {
    await observe()
    expect(await flagged()).toEqual([])
    const { id } = await addFeed()
    await app.workOnFeeds()
    expect(await flagged()).toEqual(['https://evil.example/a.js', 'wss://live.evil.example'])
    expect((await kinds()).slice(0, 2).toSorted()).toEqual(['connection.reported', 'script.reported'])

    answer = () => 'other.example\n'
    await app.must('POST', `${FEEDS}/${id}/refresh`)
    await app.workOnFeeds()
    expect(await flagged()).toEqual([])
    expect((await kinds()).slice(0, 2).toSorted()).toEqual(['connection.cleared', 'script.cleared'])
    expect(await rows('threat_entries')).toBe(1)
  })

  test('every documented category is accepted from a feed, and shown in catalog order', async () => {
    const { id } = await addFeed({ categories: THREAT_CATEGORIES.toReversed() })
    await upload(id, 'evil.example\n')
    await observe()
    const script = (await list('scripts')).find(({ url }) => url === 'https://evil.example/a.js')
    expect(script).toMatchObject({ malicious_domain_categories: THREAT_CATEGORIES })
    expect(await list('connections')).toMatchObject([{ malicious_domain_categories: THREAT_CATEGORIES }])
    const events = await app.must<{ kind: string }[]>('GET', `/zonereeve/zones/${zone}/page_shield/events`)
    expect(events.map(({ kind }) => kind).toSorted()).toEqual(
      expect.arrayContaining(['connection.reported', 'script.reported']),
    )
  })

  test('fields of a domain, of a URL, of both, and of neither', async () => {
    const { id } = await addFeed({})
    await upload(id, 'evil.example\nhttps://fine.github.io/b.js\n')
    const phishing = await addFeed({ categories: ['Phishing', 'Security threats'] })
    await upload(phishing.id, 'https://evil.example/a.js\n')
    await observe()
    const scripts = Object.fromEntries((await list('scripts')).map((one) => [one.url, one]))
    expect(scripts['https://evil.example/a.js']).toMatchObject({
      domain_reported_malicious: true,
      url_reported_malicious: true,
      malicious_domain_categories: ['Security threats', 'Phishing', 'Malware'],
      malicious_url_categories: ['Security threats', 'Phishing'],
    })
    expect(scripts['https://fine.github.io/b.js']).toMatchObject({
      domain_reported_malicious: false,
      url_reported_malicious: true,
      malicious_url_categories: ['Malware'],
    })
    expect(scripts['https://fine.github.io/b.js']).not.toHaveProperty('malicious_domain_categories')
    expect(scripts['https://fine.example/a.js']).toMatchObject({
      domain_reported_malicious: false,
      url_reported_malicious: false,
    })
    expect(scripts['https://fine.example/a.js']).not.toHaveProperty('malicious_url_categories')
    expect(await list('connections')).toMatchObject([
      {
        domain_reported_malicious: true,
        url_reported_malicious: false,
        malicious_domain_categories: ['Malware'],
        malicious_url_categories: [],
      },
    ])
    const [first] = await app.must<Resource[]>(
      'GET',
      `/zones/${zone}/page_shield/scripts?prioritize_malicious=true&order_by=first_seen_at&direction=asc`,
    )
    expect(first?.url).not.toBe('https://fine.example/a.js')
  })

  test('a disabled feed flags nothing and is not fetched, and has all its entries when enabled again', async () => {
    await observe()
    const { id } = await addFeed()
    await app.workOnFeeds()
    const edit = (body: object) => app.must<ShownFeed>('PATCH', `${FEEDS}/${id}`, body)
    await edit({ enabled: false })
    await app.workOnFeeds()
    expect(await flagged()).toEqual([])
    expect(await app.must('GET', `${FEEDS}/matches?url=https://evil.example/`)).toEqual([])
    app.clock.advance(7 * HOUR)
    await app.workOnFeeds()
    expect([asked.length, await rows('threat_entries')]).toEqual([1, 1])
    const on = await edit({ enabled: true })
    expect(on.status).toMatchObject({ entries: 1 })
    await app.workOnFeeds()
    expect([asked.length, await flagged()]).toEqual([
      2,
      ['https://evil.example/a.js', 'wss://live.evil.example'],
    ])
  })

  test('changed categories apply to existing entries', async () => {
    const { id } = await addFeed({})
    await upload(id, 'evil.example\n')
    await observe()
    await app.must('PATCH', `${FEEDS}/${id}`, { categories: ['Phishing', 'Spyware'] })
    await app.workOnFeeds()
    expect((await list('connections'))[0]).toMatchObject({
      malicious_domain_categories: ['Spyware', 'Phishing'],
    })
  })

  test('a new URL is fetched at once, and a running import of the old one is discarded', async () => {
    const { id } = await addFeed()
    const edit = (body: object) => app.must<ShownFeed>('PATCH', `${FEEDS}/${id}`, body)
    await app.workOnFeeds()
    const other = 'https://feeds.example.com/other.txt'
    app.clock.advance(7 * HOUR)
    let edited: Promise<unknown> = Promise.resolve()
    answer = ({ url }) => {
      if (url !== URL) return 'fine.example\n'
      edited = edit({ url: other })
      return 'late.example\nlater.example\n'
    }
    await app.workOnFeeds()
    await edited
    await app.workOnFeeds()
    await app.workOnFeeds()
    expect(asked.at(-1)).toMatchObject({ url: other, validators: null })
    expect((await show(id)).status).toMatchObject({ state: 'imported', entries: 1, problem: null })
    expect(await app.must('GET', `${FEEDS}/matches?url=https://late.example/`)).toEqual([])
    expect(await rows('threat_imports')).toBe(1)
  })

  test('a new interval counts from the last attempt', async () => {
    const { id } = await addFeed()
    await app.workOnFeeds()
    const { status } = await app.must<ShownFeed>('PATCH', `${FEEDS}/${id}`, { interval_minutes: 30 })
    const minutes =
      (Date.parse(String(status['next_attempt_at'])) - Date.parse(String(status['attempted_at']))) / 60_000
    expect(minutes).toBeGreaterThanOrEqual(30)
    expect(minutes).toBeLessThanOrEqual(33)
  })

  test('the history shows changes of feeds, with old and new values and the author', async () => {
    const { id } = await addFeed({})
    await app.must('PATCH', `${FEEDS}/${id}`, { name: 'renamed' })
    await upload(id, 'evil.example\n')
    await app.must('DELETE', `${FEEDS}/${id}`)
    const listed = await app.must<{ number: number; serial: null }[]>('GET', CHANGES)
    expect(listed.map(({ number, serial }) => [number, serial])).toEqual([4, 3, 2, 1].map((n) => [n, null]))
    const kinds = []
    for (const { number } of listed) {
      const set = await app.must<{ ops: { kind: string; object_id: string }[] }>(
        'GET',
        `${CHANGES}/${number}`,
      )
      kinds.push(...set.ops.map(({ kind, object_id }) => [kind, object_id]))
    }
    expect(kinds).toEqual(['delete', 'import', 'update', 'create'].map((what) => [`threat_feed.${what}`, id]))
    expect(await app.must('GET', `${CHANGES}/2`)).toMatchObject({
      actor: { kind: 'token' },
      ops: [{ before: { name: 'own list' }, after: { name: 'renamed', isEnabled: true } }],
    })
    const second = await app.call({ method: 'GET', path: `${CHANGES}?per_page=3&page=2` })
    expect(second.json).toMatchObject({ result: [{ number: 1 }], result_info: { total_count: 4, count: 1 } })
  })

  test('new resources are flagged at once, with an event; nothing is checked twice', async () => {
    const { id } = await addFeed({})
    await upload(id, 'evil.example\n')
    await observe()
    expect(await flagged()).toEqual(['https://evil.example/a.js', 'wss://live.evil.example'])
    const before = await kinds()
    expect(before.filter((kind) => kind.endsWith('.reported'))).toHaveLength(2)
    await app.workOnFeeds()
    expect(await kinds()).toEqual(before)
  })

  test('dry runs change nothing, and show what they would change', async () => {
    const made = await app.call<ShownFeed>({ method: 'POST', path: `${FEEDS}?dry_run=true`, body: PLAIN })
    expect([made.status, made.json.messages[0]?.code, await app.must('GET', FEEDS)]).toEqual([200, 19030, []])
    const { id } = await addFeed({})
    await upload(id, 'evil.example\n')
    const before = await app.changeCount()
    for (const [method, path] of [
      ['PUT', `${id}/entries`],
      ['DELETE', id],
      ['PATCH', id],
    ] as const) {
      const headers = { 'content-type': method === 'PATCH' ? 'application/json' : 'text/plain' }
      const bodies = { PUT: 'a.example\nb.example\n', DELETE: undefined, PATCH: '{"enabled":false}' }
      const body = bodies[method]
      const sent = await app.call({ method, path: `${FEEDS}/${path}?dry_run=true`, body, headers })
      expect([sent.status, sent.json.messages[0]?.code]).toEqual([200, 19030])
    }
    await app.workOnFeeds()
    expect((await show(id)).status).toMatchObject({ entries: 1 })
    expect([await rows('threat_entries'), await rows('threat_imports')]).toEqual([1, 1])
    expect(await app.changeCount()).toBe(before)
  })

  test('an empty file is a feed without entries', async () => {
    const { id } = await addFeed({})
    await upload(id, 'evil.example\n')
    await observe()
    await upload(id, ' \n')
    await app.workOnFeeds()
    expect([(await show(id)).status['entries'], await flagged(), await rows('threat_imports')]).toEqual([
      0,
      [],
      1,
    ])
  })

  test('entries that flag a URL are listed by feed', async () => {
    const { id } = await addFeed({})
    await upload(id, 'example.org\nhttps://cdn.example.org/kit/\n')
    const other = await addFeed({ name: 'other', categories: ['Phishing'] })
    await upload(other.id, 'https://cdn.example.org/kit/a.js#x\nhttps://elsewhere.example/\n')
    const found = await app.must('GET', `${FEEDS}/matches?url=https://cdn.example.org/kit/a.js%3Fv=1`)
    const own = { threat_feed_id: id, threat_feed_name: 'own list', categories: ['Malware'] }
    const others = { threat_feed_id: other.id, threat_feed_name: 'other', categories: ['Phishing'] }
    expect(found).toEqual([
      { ...own, kind: 'domain', entry: 'example.org' },
      { ...own, kind: 'host', entry: 'cdn.example.org' },
      { ...own, kind: 'url', entry: 'cdn.example.org/kit/' },
      { ...others, kind: 'host', entry: 'cdn.example.org' },
      { ...others, kind: 'url', entry: 'cdn.example.org/kit/a.js' },
    ])
    expect(await app.must('GET', `${FEEDS}/matches?url=https://fine.example/`)).toEqual([])
  })

  test('deleting a feed removes its flags and entries', async () => {
    const { id } = await addFeed({})
    const other = await addFeed({})
    await upload(id, 'evil.example\n')
    await upload(other.id, 'https://evil.example/a.js\n')
    await observe()
    await app.must('DELETE', `${FEEDS}/${id}`)
    await app.workOnFeeds()
    expect(await flagged()).toEqual(['https://evil.example/a.js'])
    await app.must('DELETE', `${FEEDS}/${other.id}`)
    await app.workOnFeeds()
    expect([await flagged(), await rows('threat_entries'), await rows('threat_imports')]).toEqual([[], 0, 0])
  })

  test.each<[string, FetchedFeed | string | Error, string]>([
    ['a failure', { kind: 'failed', problem: 'status: status 500' }, 'status: status 500'],
    ['a page', '<html>\n<body>x y\n', '2 of 2 entries cannot be parsed as plain; the first is number 1'],
    ['an unexpected error', new Error('secret detail'), 'it could not be read completely'],
  ])('%s keeps the previous import, and is reported', async (_, failing, problem) => {
    await observe()
    const { id } = await addFeed()
    await app.workOnFeeds()
    answer = () => {
      if (failing instanceof Error) throw failing
      return failing
    }
    app.clock.advance(7 * HOUR)
    await app.workOnFeeds()
    const { status } = await show(id)
    expect(status).toMatchObject({ state: 'failed', problem, entries: 1 })
    expect(await flagged()).toHaveLength(2)
    expect([await rows('threat_entries'), await rows('threat_imports')]).toEqual([1, 1])
    // Retried soon, then with growing delays.
    const pause = async () => {
      const { attempted_at, next_attempt_at } = (await show(id)).status
      return Math.round((Date.parse(String(next_attempt_at)) - Date.parse(String(attempted_at))) / 60_000)
    }
    expect(await pause()).toBeLessThanOrEqual(6)
    app.clock.advance(HOUR / 2)
    await app.workOnFeeds()
    expect(await pause()).toBeGreaterThanOrEqual(10)
    answer = () => 'evil.example\n'
    app.clock.advance(HOUR)
    await app.workOnFeeds()
    expect((await show(id)).status).toMatchObject({ state: 'imported', problem: null })
    expect(await pause()).toBeGreaterThanOrEqual(360)
  })

  test('an incomplete import is discarded', async () => {
    await observe()
    await app.close()
    app = await startTestApp({
      async fetchFeed(request, take) {
        await take(Buffer.from('evil.example\n'.repeat(10_000)))
        return { kind: 'failed', problem: `network: ${request.url} ends early` }
      },
    })
    const { id } = await addFeed()
    await app.workOnFeeds()
    expect((await show(id)).status).toMatchObject({ state: 'failed', entries: 0, imported_at: null })
    expect([await rows('threat_entries'), await rows('threat_imports')]).toEqual([0, 0])
  })

  test('nothing is fetched before it is due, and an unchanged feed is not imported again', async () => {
    const { id } = await addFeed()
    await app.workOnFeeds()
    await app.workOnFeeds()
    expect(asked.map(({ validators }) => validators)).toEqual([null])
    const imported = (await show(id)).status['imported_at']

    answer = () => ({ kind: 'unchanged' })
    app.clock.advance(7 * HOUR)
    await app.workOnFeeds()
    expect(asked[1]?.validators).toEqual({ url: URL, etag: '"1"', lastModified: null })
    answer = () => 'evil.example\n'
    app.clock.advance(7 * HOUR)
    await app.workOnFeeds()
    expect(asked).toHaveLength(3)
    expect((await show(id)).status).toMatchObject({ state: 'imported', imported_at: imported, entries: 1 })
    expect(await rows('threat_imports')).toBe(1)
  })

  test('after an upgrade, feeds are read again and matched with the inventory, once', async () => {
    await observe()
    const { id } = await addFeed()
    await app.workOnFeeds()
    const imported = (await show(id)).status['imported_at']
    const version = query.selectFrom('settings').select('value').where('name', '=', 'threat_feeds.version')
    const before = await app.storage.first(version)
    const older = query.updateTable('settings').set({ value: '0.0.1 other list' })
    await app.storage.write((tx) => tx.run(older.where('name', '=', 'threat_feeds.matching')))
    app.clock.advance(1000)
    await app.workOnFeeds()
    expect(asked.map(({ validators }) => validators)).toEqual([null, null])
    expect((await show(id)).status['imported_at']).not.toBe(imported)
    const after = await app.storage.first(version)
    expect(Number(after?.value)).toBe(Number(before?.value) + 2)
    await app.workOnFeeds()
    expect(asked).toHaveLength(2)
    expect(await app.storage.first(version)).toEqual(after)
  })

  test('an import that loses more than nine tenths of the entries is held back, and applies when accepted', async () => {
    await observe()
    const lines = (count: number, first = '') =>
      first + Array.from({ length: count }, (_, index) => `n${index}.example\n`).join('')
    answer = () => lines(19, 'evil.example\n')
    const { id } = await addFeed()
    await app.workOnFeeds()
    answer = () => lines(2)
    app.clock.advance(7 * HOUR)
    await app.workOnFeeds()
    expect((await show(id)).status).toMatchObject({ state: 'imported', entries: 2 }) // losing down to a tenth is accepted
    answer = () => lines(19, 'evil.example\n')
    app.clock.advance(7 * HOUR)
    await app.workOnFeeds()
    answer = () => lines(1)
    app.clock.advance(7 * HOUR)
    await app.workOnFeeds()
    expect((await show(id)).status).toMatchObject({ state: 'held_back', entries: 20, held_entries: 1 })
    expect(await flagged()).toHaveLength(2)

    answer = () => ({ kind: 'unchanged' })
    app.clock.advance(7 * HOUR)
    await app.workOnFeeds()
    expect((await show(id)).status).toMatchObject({ state: 'held_back', entries: 20, held_entries: 1 })
    const before = await app.changeCount()
    await app.must('POST', `${FEEDS}/${id}/accept`)
    await app.workOnFeeds()
    expect((await show(id)).status).toMatchObject({ state: 'imported', entries: 1, held_entries: null })
    expect([await flagged(), await rows('threat_entries'), await app.changeCount()]).toEqual([
      [],
      1,
      before + 1,
    ])
  })

  test('a held-back import is discarded when its source is as before', async () => {
    answer = () => Array.from({ length: 20 }, (_, index) => `n${index}.example\n`).join('')
    const { id } = await addFeed()
    await app.workOnFeeds()
    answer = () => ''
    app.clock.advance(7 * HOUR)
    await app.workOnFeeds()
    expect((await show(id)).status).toMatchObject({ state: 'held_back', held_entries: 0 })
    answer = () => Array.from({ length: 20 }, (_, index) => `n${index}.example\n`).join('')
    app.clock.advance(7 * HOUR)
    await app.workOnFeeds()
    expect((await show(id)).status).toMatchObject({ state: 'imported', held_entries: null, problem: null })
    expect(await rows('threat_imports')).toBe(1)
  })

  test('two entries for the same resource add their categories', async () => {
    const { id } = await app.must<ShownFeed>('POST', FEEDS, { name: 'x', format: 'urlhaus' })
    await upload(
      id,
      '"1","d","https://evil.example/a.js","online","l","malware_download","phishing","u","r"\n"2","d","https://evil.example/a.js","online","l","malware_download","c2","u","r"\n',
    )
    await observe()
    const [script] = (await list('scripts')).filter(({ url }) => url === 'https://evil.example/a.js')
    expect(script?.malicious_url_categories).toEqual([
      'Command-and-Control (C2) & Botnet',
      'Phishing',
      'Malware',
    ])
  })

  test('gzip is decompressed, wherever its chunks end', async () => {
    const packedZip = gzipSync('evil.example\n')
    await app.close()
    app = await startTestApp({
      async fetchFeed(_request, take) {
        for (const octet of packedZip) await take(Uint8Array.of(octet))
        return { kind: 'content', validators: null }
      },
    })
    const { id } = await addFeed()
    await app.workOnFeeds()
    expect((await show(id)).status).toMatchObject({ state: 'imported', entries: 1 })
  })

  test('a stop aborts a download without counting a failure', async () => {
    const { id } = await addFeed()
    const stopping = new AbortController()
    answer = ({ signal }) => {
      stopping.abort()
      expect(signal.aborted).toBe(true)
      return { kind: 'failed', problem: 'stopped' }
    }
    await app.workOnFeeds(stopping.signal)
    expect((await show(id)).status).toMatchObject({ state: 'waiting', problem: null, attempted_at: null })
    answer = () => 'evil.example\n'
    await app.workOnFeeds()
    expect((await show(id)).status).toMatchObject({ state: 'imported' })
  })

  test('a feed that is deleted while it is fetched stays deleted', async () => {
    const { id } = await addFeed()
    await app.close()
    app = await startTestApp({
      async fetchFeed(_request, take) {
        await take(Buffer.from('evil.example\n'))
        for (const feed of await app.must<ShownFeed[]>('GET', FEEDS))
          await app.must('DELETE', `${FEEDS}/${feed.id}`)
        return { kind: 'content', validators: null }
      },
    })
    await addFeed()
    await app.workOnFeeds()
    expect(id).toMatch(/^[0-9a-f]{32}$/)
    expect([
      await app.must('GET', FEEDS),
      await rows('threat_entries'),
      await rows('threat_imports'),
    ]).toEqual([[], 0, 0])
  })

  test('the number of feeds is limited', async () => {
    for (let count = 0; count < MAX_FEEDS; count++) await addFeed({})
    const { status, json } = await app.call({ method: 'POST', path: FEEDS, body: PLAIN })
    expect([status, json.errors[0]?.code]).toEqual([400, 19671])
    const second = await app.call({ method: 'GET', path: `${FEEDS}?page=2&per_page=40` })
    expect(second.json.result_info).toMatchObject({ count: 10, total_count: MAX_FEEDS })
  })

  test('they are global: a token without access to an account has no access to them', async () => {
    const { id } = await app.must('POST', '/accounts', { name: 'other' })
    const denied = [allow(ALL_GROUPS, ...EVERYTHING), deny(ALL_GROUPS, `account.${id}`)]
    for (const policies of [[allow(ALL_GROUPS, `account.${id}`, 'account.zone.*')], denied]) {
      const token = await makeToken(app, policies)
      const before = await app.changeCount()
      const made = await app.call({ method: 'POST', path: FEEDS, body: PLAIN, token })
      const seen = await app.call({ method: 'GET', path: FEEDS, token })
      expect([made.status, seen.status, made.json.messages[0]?.code]).toEqual([403, 403, 19001])
      expect(await app.changeCount()).toBe(before)
    }
    const reader = await makeToken(app, [allow(['Account Settings Read'], 'account.*')])
    expect((await app.call({ method: 'GET', path: FEEDS, token: reader })).status).toBe(200)
    const refused = await app.call({ method: 'POST', path: FEEDS, body: PLAIN, token: reader })
    expect(refused.status).toBe(403)
  })
})
