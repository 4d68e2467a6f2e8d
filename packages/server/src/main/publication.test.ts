// The whole program over its sockets: what is written over HTTP is what DNS answers, even with slow outside
// nameservers.
import { createSocket } from 'node:dgram'
import {
  CLASS,
  decodeMessage,
  encodeMessage,
  parseName,
  plainMessage,
  rcodeText,
  rdataTextByCode,
  typeCode,
} from '@zonereeve/dns'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { loadConfig, type Endpoint } from '@zonereeve/config'
import { randomIds, silentLog, systemClock } from '@zonereeve/platform'
import { ADMIN_TOKEN } from '../testing/app.ts'
import {
  fromTable,
  replyTo,
  silence,
  startFakeResolver,
  type FakeResolver,
} from '@zonereeve/resolver/fake-resolver.cases.ts'
import { callProgram } from '../testing/program-calls.ts'
import { startApp, type App } from './app.ts'

const EDGE = '198.51.100.1,2001:db8:ed::1'
const open: { close(): Promise<unknown> }[] = []
let outside: FakeResolver

beforeEach(async () => {
  outside = await startFakeResolver(silence)
  open.push(outside)
})
afterEach(async () => {
  for (const each of open.splice(0).toReversed()) await each.close()
})

async function start(flags: Readonly<Record<string, string>> = {}): Promise<App> {
  const config = loadConfig({
    flags: {
      http: '127.0.0.1:0',
      dns: '127.0.0.1:0',
      'dns-threads': '0',
      resolver: `${outside.host}:${outside.port}`,
      ...flags,
    },
    environment: { ZONEREEVE_ADMIN_TOKEN: ADMIN_TOKEN },
  })
  const app = await startApp({
    config,
    clock: systemClock(),
    ids: randomIds(),
    log: silentLog,
    inMemory: true,
  })
  open.push(app)
  return app
}

async function call(app: App, method: string, path: string, body?: object) {
  const { status, envelope } = await callProgram(app, method, path, body)
  expect(status).toBe(200)
  return envelope
}

async function createZone(app: App, name = 'example.com') {
  const { result } = await call(app, 'POST', '/zones', { name })
  const records = `/zones/${result.id}/dns_records`
  return {
    id: result.id,
    write: (record: object) => call(app, 'POST', records, record),
    edit: (id: string, patch: object) => call(app, 'PATCH', `${records}/${id}`, patch),
    remove: (id: string) => call(app, 'DELETE', `${records}/${id}`),
  }
}

/** "TYPE TTL VALUE" of each answer, sorted; the response code if it is not NOERROR. */
function ask({ dns }: { readonly dns: Endpoint }, question: string): Promise<readonly string[] | string> {
  const [name = '', type = ''] = question.split(' ')
  const expected = { name: parseName(name), type: typeCode(type) ?? 0, class: CLASS.IN }
  const socket = createSocket('udp4')
  return new Promise((resolve) => {
    socket.on('message', (packet) => {
      socket.close()
      const { rcode, answers } = decodeMessage(packet)
      const lines = answers.map(
        ({ type: code, ttl, rdata }) => `${code} ${ttl} ${rdataTextByCode(code, rdata)}`,
      )
      resolve(rcode === 0 ? lines.toSorted() : rcodeText(rcode))
    })
    socket.send(encodeMessage(plainMessage({ id: 1, rd: true, questions: [expected] })), dns.port, dns.host)
  })
}

/** Queries until the answer is this one: outside nameservers take their time. */
async function expectSoon(app: App, question: string, expected: readonly string[] | string): Promise<void> {
  const deadline = performance.now() + 3000
  let last = await ask(app, question)
  while (JSON.stringify(last) !== JSON.stringify(expected) && performance.now() < deadline) {
    await new Promise((done) => setTimeout(done, 10))
    last = await ask(app, question)
  }
  expect(last).toEqual(expected)
}

describe('with an edge', () => {
  test('proxied names change with their records, between the response and the next query', async () => {
    const app = await start({ 'edge-addresses': EDGE })
    const { write, edit, remove } = await createZone(app)
    const { result, messages } = await write({ type: 'A', name: 'www', content: '192.0.2.1', proxied: true })
    expect(messages).toEqual([])
    expect(await ask(app, 'www.example.com A')).toEqual(['1 300 198.51.100.1'])
    expect(await ask(app, 'www.example.com AAAA')).toEqual(['28 300 2001:db8:ed::1'])
    expect(await ask(app, 'www.example.com HTTPS')).toEqual([expect.stringMatching(/^65 300 /)])
    await edit(result.id, { settings: { ipv4_only: true } })
    expect(await ask(app, 'www.example.com AAAA')).toEqual([])
    await edit(result.id, { proxied: false, settings: {} })
    expect(await ask(app, 'www.example.com A')).toEqual(['1 300 192.0.2.1'])
    expect(await ask(app, 'www.example.com HTTPS')).toEqual([])
    await remove(result.id)
    expect(await ask(app, 'www.example.com A')).toBe('NXDOMAIN')
  })

  test('a proxied CNAME causes a notice while its target has no addresses, in our zones and outside', async () => {
    outside.answer = fromTable({ 'cdn.example.net A': ['cdn.example.net 60 A 203.0.113.1'] })
    const app = await start({ 'edge-addresses': EDGE })
    const { write } = await createZone(app)
    const codes = async (name: string, content: string) =>
      (await write({ type: 'CNAME', name, content, proxied: true })).messages.map(({ code }) => code)
    expect(await codes('a', 'cdn.example.net')).toEqual([19013])
    expect(await codes('b', 'gone.example.net')).toEqual([19013, 19040])
    expect(await codes('c', 'a.example.com')).toEqual([19013])
    expect(await codes('d', 'e.example.com')).toEqual([19013, 19040])
    expect(await ask(app, 'd.example.com A')).toEqual(['1 300 198.51.100.1'])
  })
})

describe('settings', () => {
  test('of the zone and of DNS affect the same records, each change at once', async () => {
    const app = await start({ 'edge-addresses': '198.51.100.1' })
    const { id, write } = await createZone(app)
    const dns = (settings: object) => call(app, 'PATCH', `/zones/${id}/dns_settings`, settings)
    const set = (name: string, value: string) =>
      call(app, 'PATCH', `/zones/${id}/settings/${name}`, { value })
    await write({ type: 'A', name: 'www', content: '192.0.2.1', proxied: true })
    await write({ type: 'A', name: 'direct', content: '192.0.2.2' })
    await write({ type: 'CNAME', name: 'alias', content: 'direct.example.com' })
    const now = () =>
      Promise.all(
        ['www A', 'direct A', 'alias A'].map((each) => ask(app, each.replace(' ', '.example.com '))),
      )
    const edge = ['1 300 198.51.100.1']
    const direct = ['1 300 192.0.2.2']
    expect(await now()).toEqual([edge, direct, [...direct, '5 300 direct.example.com.']])
    await dns({ flatten_all_cnames: true })
    expect(await now()).toEqual([edge, direct, direct])
    await dns({ zone_mode: 'cdn_only' })
    expect(await now()).toEqual([edge, [], []])
    await dns({ zone_mode: 'dns_only' })
    expect(await now()).toEqual([['1 300 192.0.2.1'], direct, direct])
    await dns({ zone_mode: 'standard' })
    expect(await ask(app, 'www.example.com HTTPS')).toEqual([expect.stringContaining('alpn="h3,h2"')])
    await set('http3', 'off')
    expect(await ask(app, 'www.example.com HTTPS')).toEqual([expect.stringContaining('alpn="h2"')])
    await set('http2', 'off')
    expect(await ask(app, 'www.example.com HTTPS')).toEqual([])
    expect(await now()).toEqual([edge, direct, direct])
  })
})

describe('without an edge', () => {
  test('a flattened name has the addresses of its target as soon as they are known, and reflects its own zone at once', async () => {
    outside.answer = fromTable({ 'cdn.example.net A': ['cdn.example.net 60 A 203.0.113.1'] })
    const app = await start()
    const { write, edit } = await createZone(app)
    const apex = await write({ type: 'CNAME', name: '@', content: 'cdn.example.net', ttl: 3600 })
    expect(apex.messages.map(({ code }) => code)).toEqual([19013])
    await expectSoon(app, 'example.com A', ['1 60 203.0.113.1'])
    expect(await ask(app, 'example.com AAAA')).toEqual([])
    await write({ type: 'A', name: 'www', content: '192.0.2.1', ttl: 120 })
    await edit(apex.result.id, { content: 'www.example.com' })
    expect(await ask(app, 'example.com A')).toEqual(['1 120 192.0.2.1'])
  })

  test('our own nameserver can be the resolver of another', async () => {
    const other = await start()
    await (
      await createZone(other, 'example.net')
    ).write({ type: 'AAAA', name: 'cdn', content: '2001:db8::7' })
    const app = await start({ resolver: `${other.dns.host}:${other.dns.port}` })
    await (await createZone(app)).write({ type: 'CNAME', name: '@', content: 'cdn.example.net' })
    await expectSoon(app, 'example.com AAAA', ['28 300 2001:db8::7'])
    await expectSoon(app, 'example.com A', [])
  })

  test('a resolver that never answers delays neither start nor answers, and a write only briefly', async () => {
    const app = await start()
    const { write } = await createZone(app)
    const { messages } = await write({
      type: 'CNAME',
      name: 'www',
      content: 'cdn.example.net',
      proxied: true,
    })
    expect(messages.map(({ code }) => code)).toEqual([19012, 19013, 19040])
    expect(await ask(app, 'www.example.com A')).toBe('SERVFAIL')
    expect(await ask(app, 'www.example.com MX')).toEqual([])
    await write({ type: 'A', name: 'direct', content: '192.0.2.1' })
    expect(await ask(app, 'direct.example.com A')).toEqual(['1 300 192.0.2.1'])
  })

  test('truncated answers are fetched over TCP', async () => {
    outside.answer = (query) => [
      query.transport === 'udp'
        ? replyTo(query, [], { tc: true })
        : (fromTable({ 'cdn.example.net A': ['cdn.example.net 60 A 203.0.113.1'] })(query)[0] ??
          new Uint8Array()),
    ]
    const app = await start()
    await (await createZone(app)).write({ type: 'CNAME', name: '@', content: 'cdn.example.net' })
    await expectSoon(app, 'example.com A', ['1 60 203.0.113.1'])
  })

  test('off: no queries are sent and no notices are given', async () => {
    const app = await start({ resolver: 'off' })
    const { write } = await createZone(app)
    await write({ type: 'A', name: 'x', content: '192.0.2.1' })
    const { messages } = await write({
      type: 'CNAME',
      name: 'www',
      content: 'cdn.example.net',
      proxied: true,
    })
    expect(messages.map(({ code }) => code)).toEqual([19012])
    expect(await ask(app, 'www.example.com A')).toEqual(['5 300 cdn.example.net.'])
    expect(outside.asked).toEqual([])
  })
})
