// A file that is read in a thread gives the same rows, history, events and errors as one that the main thread reads; and a
// thread that fails changes nothing.
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { DomainError, threadFile } from '@zonereeve/platform'
import { type ChangeEvent, query, RECORD_JSON } from '@zonereeve/storage'
import { PROFILES } from '../../../http/index.ts'
import { startTestApp, type TestApp } from '../../../testing/app.ts'
import { expectConsistent } from '../../../testing/change-log.ts'
import type { FileThreadOptions } from './file-thread.store.ts'
import { createZoneFiles } from './zone-file.service.ts'

const ZONE = 'example.com'
const RULES = { rules: PROFILES.documented, edgeAddresses: ['192.0.2.200'] }
const ACTOR = { kind: 'token', id: 'token', name: 'test', requestId: 'request' } as const
/** Operations of a change set beyond the first thousand are packed, and rows are inserted in blocks of a hundred. */
const MANY = 2_345
const lines = (count: number, line: (index: number) => string): string =>
  Array.from({ length: count }, (_, index) => line(index)).join('\n')
const many = lines(MANY, (index) => `h${index} 300 A 192.0.2.${index % 200}`)

let apps: { readonly main: TestApp; readonly thread: TestApp }
beforeEach(async () => {
  apps = { main: await startTestApp(RULES), thread: await startTestApp(RULES) }
})
afterEach(async () => {
  for (const app of Object.values(apps)) {
    await expectConsistent(app.storage)
    await app.close()
  }
})

interface Sent {
  readonly file: string | Uint8Array
  /** A file that the zone was filled with before. */
  readonly given?: string
  readonly force?: boolean
  readonly clampTtl?: boolean
  readonly expected?: readonly string[]
  readonly signal?: AbortSignal
}

const IN_THREAD = { minOctets: 0 }
const IN_MAIN_THREAD = { minOctets: Number.POSITIVE_INFINITY }
type Where = Pick<FileThreadOptions, 'minOctets' | 'thread' | 'beginPublication'>

/** A zone in its own app, where one file replaces its records. */
async function createFilledZone(app: TestApp, given: string | undefined) {
  const { id } = await app.must('POST', '/zones', { name: ZONE })
  if (given !== undefined) await replace(app, id, { file: given, force: true }, IN_MAIN_THREAD)
  app.events.length = 0
  return id
}

function replace(app: TestApp, zoneId: string, sent: Sent, where: Where) {
  const { force = false, clampTtl = false, expected, signal = new AbortController().signal } = sent
  const { storage, clock, records } = app
  const files = createZoneFiles({ storage, clock, records, ...RULES, ...where })
  return files.replace(zoneId, Buffer.from(sent.file), ACTOR, { force, clampTtl, expected, signal })
}

/** What the client receives. */
async function outcomeOf(work: ReturnType<typeof replace>) {
  try {
    const { added, changed, removed, unchanged, notices, proxiedAliases } = await work
    return { added, changed, removed, unchanged, notices, proxiedAliases }
  } catch (error) {
    if (!(error instanceof DomainError)) throw error
    return { issues: error.issues, notices: error.notices }
  }
}

/** All that was stored and published, with IDs replaced by the places of their rows. */
async function stateOf(app: TestApp, zoneId: string) {
  const rows = await app.storage.all(
    query.selectFrom('dns_records').selectAll().select(RECORD_JSON.as('body')).orderBy('id'),
  )
  const places = new Map(rows.map(({ id }, index) => [id, `row ${index}`]))
  const plain = (text: string): string =>
    text.replaceAll(/[0-9a-f]{32}/g, (id) => (id === zoneId ? 'zone' : (places.get(id) ?? 'gone')))
  const audited = await app.storage.all(query.selectFrom('audit_log').selectAll().orderBy('number'))
  return {
    rows: rows.map(({ body_checksum: sum, ...row }) => ({
      ...row,
      id: '',
      zone_id: '',
      isChecked: sum !== null,
      rdata: Buffer.from(row.rdata).toString('hex'),
      body: plain(row.body),
      stored_body: plain(row.stored_body),
    })),
    log: (await app.changeLog(zoneId)).map(({ ops, ...change }) => ({
      ...change,
      scope_id: '',
      ops: ops.map(({ kind, before, after }) => [kind, plain(before ?? ''), plain(after ?? '')]),
    })),
    zones: (await app.storage.all(query.selectFrom('zones').selectAll())).map((zone) => ({
      ...zone,
      id: '',
      account_id: '',
    })),
    events: app.events.map((event) => plain(JSON.stringify(publishedBy(event)))),
    audited: audited.map(({ action, detail, succeeded, at }) => [action, plain(detail), succeeded, at]),
  }
}

function publishedBy(event: ChangeEvent): object {
  if (event.topic !== 'records' || event.delta === undefined) return event
  const { removed, added, ...delta } = event.delta
  const records = (list: typeof added) =>
    Array.from(list, ({ rdata, ...record }) => ({ ...record, rdata: Buffer.from(rdata).toString('hex') }))
  return { ...event, delta: { ...delta, removed: records(removed), added: records(added) } }
}

const EVERYTHING = String.raw`
$ORIGIN example.com.
$TTL 300
@ SOA ns1.zonereeve.internal. dns.example.com. 1 2 3 4 5
@ NS ns1.zonereeve.internal.
child DS 12345 13 2 ${'ab'.repeat(32)}
child NS ns1.example.net.
@ NS ns.example.net.
www A 192.0.2.1
www 60 AAAA 2001:DB8::1
alias CNAME www
plain TXT "v=spf1 -all"
@ MX 10 Mail.Example.NET.
unicode TXT "größe ☃"
_sip._tcp SRV 5 0 5060 sip.example.net.
svc HTTPS 1 . alpn="h2,h3"
odd TYPE65280 \# 4 0a000001
noted A 192.0.2.6 ; a comment
tagged A 192.0.2.7 ; cf_tags=test:1
proxied A 192.0.2.8 ; cf_tags=cf-proxied:true
flat CNAME www ; cf_tags=cf-flatten-cname,cf-proxied:true
d TYPE39 \# 16 06746172676574076578616d706c6500
`

const NEW = `${EVERYTHING}\n${many}`

describe('as the main thread', () => {
  test.each<[string, Sent, Partial<Awaited<ReturnType<typeof outcomeOf>>>]>([
    ['fills an empty zone', { file: NEW }, { added: MANY + 17 }],
    [
      'adds, changes, removes and leaves records',
      {
        given: NEW,
        file: many.replaceAll('192.0.2.7\n', '192.0.2.9\n').slice('h0 300 A 192.0.2.0\n'.length),
        force: true,
      },
      { added: 0, changed: 12, removed: 18 },
    ],
    ['leaves all records', { given: many, file: many }, { unchanged: MANY, added: 0 }],
    ['empties a zone', { given: many, file: '; nothing', force: true }, { removed: MANY }],
    ['fills a zone with nothing', { file: '@ NS ns1.zonereeve.internal.' }, { added: 0 }],
    [
      'lowers TTLs',
      { file: lines(150, (index) => `h${index} 90000 A 192.0.2.1`), clampTtl: true },
      { added: 150 },
    ],
    [
      'rejects lines before anything else',
      { file: `${many}\nwww 1 A 192.0.2.1\nwww A x\nb A`, expected: ['"other"'] },
      {},
    ],
    ['rejects octets that are not UTF-8', { file: Buffer.from(`${many}\nw TXT "\xff"`, 'latin1') }, {}],
    ['rejects a file without records', { given: many, file: '' }, {}],
    [
      'rejects the first hundred records that break rules',
      { file: `${many}\n${lines(150, (index) => `r${index} 7 A 192.0.2.1`)}` },
      {},
    ],
    [
      'rejects records that conflict',
      {
        file: `${many}\nh1 300 CNAME a.\nh2 300 A 192.0.2.2\nx DS 1 13 2 ${'ab'.repeat(32)}\nd TYPE39 \\# 3 016100\na.d A 192.0.2.1`,
      },
      {},
    ],
    ['rejects a replacement of too much', { given: many, file: 'www A 192.0.2.1' }, {}],
    ['rejects another version', { file: many, expected: ['"other"'] }, {}],
  ])(
    '%s',
    async (_, sent, expected) => {
      const ids = {
        main: await createFilledZone(apps.main, sent.given),
        thread: await createFilledZone(apps.thread, sent.given),
      }
      const byMain = await outcomeOf(replace(apps.main, ids.main, sent, IN_MAIN_THREAD))
      const byThread = await outcomeOf(replace(apps.thread, ids.thread, sent, IN_THREAD))
      expect(byThread).toEqual(byMain)
      expect(byThread).toMatchObject(expected)
      expect('issues' in byThread).toBe(Object.keys(expected).length === 0)
      expect(await stateOf(apps.thread, ids.thread)).toEqual(await stateOf(apps.main, ids.main))
    },
    60_000,
  )
})

describe('the publication of added records', () => {
  const long = lines(12_345, (index) => `h${index} 300 A 192.0.2.${index % 200}`)
  const conflict = `${long}\nh1 300 CNAME a.`
  type Fate = 'none' | 'dropped' | 'published'

  test.each<[string, Sent, Fate, isRefused: boolean]>([
    ['begins with the first of an empty zone', { file: long }, 'published', false],
    ['begins when all are known, if they are few', { file: many }, 'published', false],
    ['is dropped if the file is refused at its end', { file: conflict }, 'dropped', true],
    ['does not begin before a line is refused', { file: `${long}\nwww A x` }, 'none', true],
    ['does not begin in a zone that has records', { given: many, file: long, force: true }, 'none', false],
  ])(
    '%s',
    async (_, sent, fate, isRefused) => {
      const app = apps.thread
      const zoneId = await createFilledZone(app, sent.given)
      const taken: (readonly string[])[] = []
      const calls: string[] = []
      const own = {
        *add(list: Iterable<{ readonly id: string }>) {
          taken.push(Array.from(list, ({ id }) => id))
          yield
        },
        drop: () => void calls.push(`dropped after ${app.events.length} events`),
      }
      const beginPublication = (id: string) => {
        calls.push(id)
        return own
      }
      const outcome = await outcomeOf(replace(app, zoneId, sent, { ...IN_THREAD, beginPublication }))
      expect('issues' in outcome).toBe(isRefused)
      expect(calls).toEqual(fate === 'none' ? [] : [zoneId, `dropped after ${app.events.length} events`])
      const deltas = app.events.flatMap((event) => (event.topic === 'records' ? [event.delta] : []))
      expect(deltas.map((each) => each?.begun)).toEqual(
        isRefused ? [] : [fate === 'published' ? own : undefined],
      )
      if (fate !== 'published') return
      // What was begun has just the added records, in their order.
      expect(taken.flat()).toEqual(Array.from(deltas[0]?.added ?? [], ({ id }) => id))
      expect(taken.length > 2).toBe(sent.file === long)
    },
    60_000,
  )

  test('is complete with the change set, and leaves nothing of a file that is refused', async () => {
    const app = apps.thread
    const { table, answers } = app.zonePublication
    const zoneId = await createFilledZone(app, undefined)
    const wereOpen: boolean[] = []
    const beginPublication = (id: string) => {
      const own = answers.beginPublication(id)
      const drop = () => {
        wereOpen.push(own?.ahead.isOpen === true)
        own?.drop()
      }
      return own && { ...own, drop }
    }
    const where = { ...IN_THREAD, beginPublication }
    const recordsAt = (name: string) => table.records(zoneId, `${name}.${ZONE}`).length
    expect(await outcomeOf(replace(app, zoneId, { file: conflict }, where))).toHaveProperty('issues')
    expect(await outcomeOf(replace(app, zoneId, { file: long }, where))).toMatchObject({ added: 12_345 })
    // A change set that makes its records again drops what was begun before.
    expect(wereOpen).toEqual([true, true])
    expect([recordsAt('h0'), recordsAt('h12344'), recordsAt('h12345')]).toEqual([1, 1, 0])
    expect(table.zone(zoneId)?.records).toBe(12_345)
    expect(table.zone(zoneId)?.isDerivable).toBe(true)
  }, 60_000)

  test('may not be possible', async () => {
    const zoneId = await createFilledZone(apps.thread, undefined)
    const where = { ...IN_THREAD, beginPublication: () => undefined }
    const added = { added: 12_345 }
    expect(await outcomeOf(replace(apps.thread, zoneId, { file: long }, where))).toMatchObject(added)
    expect(
      apps.thread.events.flatMap((event) => ('delta' in event ? [event.delta?.added.length] : [])),
    ).toEqual([12_345])
  })
})

/** The thread, which does something else as well when it has results for the second time. */
const failingThread = (failure: string): URL => {
  const { href } = threadFile('./zone-file.worker', import.meta.url)
  // Messages are delivered from the first listener on, which has to be that of the thread.
  const code = `import { parentPort } from 'node:worker_threads'
    let received = 0
    const timer = setInterval(() => {
      if (parentPort.listenerCount('message') === 0) return
      clearInterval(timer)
      parentPort.on('message', ({ kind }) => { if (kind === 'results' && ++received === 2) { ${failure} } })
    }, 1)
    await import(${JSON.stringify(href)})`
  return new URL(`data:text/javascript,${encodeURIComponent(code)}`)
}

describe('a thread that fails midway changes nothing, and the next file is read', () => {
  test.each([
    ['it ends', 'process.exit(3)', /ended/],
    ['it throws', "throw new Error('broken')", /failed/],
    ['it rejects', "void Promise.reject(new Error('broken'))", /failed/],
    [
      'its memory is used up',
      'const all = []; parentPort.removeAllListeners(); setInterval(() => { for (let i = 0; i < 1e6; i++) all.push({ i }) })',
      /failed/,
    ],
  ])(
    '%s',
    async (_, failure, message) => {
      const app = apps.thread
      const zoneId = await createFilledZone(app, undefined)
      const before = await stateOf(app, zoneId)
      const where = { ...IN_THREAD, thread: { file: failingThread(failure), maxHeapMib: 256 } }
      await expect(replace(app, zoneId, { file: many }, where)).rejects.toThrow(message)
      expect(await stateOf(app, zoneId)).toEqual(before)
      expect(await outcomeOf(replace(app, zoneId, { file: many }, IN_THREAD))).toMatchObject({ added: MANY })
      // Those of the main thread are counted here.
      const ids = await app.storage.all(query.selectFrom('dns_records').select('id'))
      expect(ids.filter(({ id }) => id.startsWith('0000'))).toEqual([])
    },
    60_000,
  )
})

test('a client that leaves while the file is read ends the thread', async () => {
  const zoneId = await createFilledZone(apps.thread, undefined)
  const leaving = new AbortController()
  const work = replace(apps.thread, zoneId, { file: many, signal: leaving.signal }, IN_THREAD)
  leaving.abort(new Error('left'))
  await expect(work).rejects.toThrow('left')
  expect(apps.thread.events).toEqual([])
})
