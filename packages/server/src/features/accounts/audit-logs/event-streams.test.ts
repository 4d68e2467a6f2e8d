// Streams of events: what they send, where they begin and continue, who may read them, and that they end.
import type { WireAuditLog } from '@zonereeve/contract'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { ADMIN_TOKEN, startTestApp, type TestApp } from '../../../testing/app.ts'
import { allow, makeToken } from '../../../testing/test-tokens.ts'
import { MAX_STREAMS } from './event-streams.service.ts'

let app: TestApp
let zone: { id: string }
const streams: AbortController[] = []

beforeEach(async () => {
  app = await startTestApp()
  zone = await makeZone('example.com')
})
afterEach(async () => {
  for (const stream of streams.splice(0)) stream.abort()
  await app.close()
})

const makeZone = (name: string) =>
  app.must<{ id: string }>('POST', '/zones', { name, account: { id: app.accountId } })
const makeRecord = (name: string) =>
  app.must<{ id: string }>('POST', `/zones/${zone.id}/dns_records`, { type: 'A', name, content: '192.0.2.1' })

interface Opened {
  readonly status: number
  readonly type: string | null
  /** The next events, without comments. */
  next(count: number): Promise<string[]>
  ended(): Promise<void>
}

async function open(
  path: string,
  token: string = ADMIN_TOKEN,
  headers: Record<string, string> = {},
): Promise<Opened> {
  const controller = new AbortController()
  streams.push(controller)
  const response = await fetch(`http://127.0.0.1:${app.port}/client/v4${path}`, {
    headers: { authorization: `Bearer ${token}`, ...headers },
    signal: controller.signal,
  })
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader()
  let text = ''
  // A stream has begun when its first comment is here.
  async function fill(): Promise<boolean> {
    const { done, value } = (await reader?.read()) ?? { done: true, value: undefined }
    text += value ?? ''
    return !done
  }
  if (response.status === 200) await fill()
  return {
    status: response.status,
    type: response.headers.get('content-type'),
    async next(count) {
      const whole = () =>
        text
          .split('\n\n')
          .slice(0, -1)
          .filter((event) => !event.startsWith(':'))
      while (whole().length < count && (await fill()));
      const events = whole()
      text = ''
      return events
    },
    async ended() {
      while (await fill());
    },
  }
}

const entryIn = (event: string | undefined): WireAuditLog =>
  JSON.parse(/^data: (.*)$/m.exec(event ?? '')?.[1] ?? '') as WireAuditLog // as the schema says
const idIn = (event: string | undefined): number => Number(/^id: (\d+)$/m.exec(event ?? '')?.[1])

describe('a stream', () => {
  test('of a zone sends its later changes, and nothing of another zone, of refusals or of addresses', async () => {
    await makeRecord('before')
    const stream = await open(`/zonereeve/zones/${zone.id}/events`)
    expect(stream).toMatchObject({ status: 200, type: 'text/event-stream' })
    await makeZone('example.net')
    await app.call({
      method: 'POST',
      path: `/zones/${zone.id}/dns_records`,
      body: { type: 'A', name: 'x', content: 'x' },
    })
    const record = await makeRecord('after')
    const [event] = await stream.next(1)
    expect(entryIn(event)).toMatchObject({
      action: { type: 'dns_record.create', result: true },
      resource: { id: record.id },
      actor: { ip: null },
      metadata: { zone_name: 'example.com', kinds: [['dns_record.create', 1]] },
    })
  })

  test('of the server sends everything, with numbers without gaps', async () => {
    const stream = await open('/zonereeve/events')
    await makeZone('example.net')
    await makeRecord('a')
    const events = await stream.next(2)
    expect(events.map((event) => entryIn(event).action.type)).toEqual(['zone.create', 'dns_record.create'])
    expect(entryIn(events[0]).actor.ip).toBe('127.0.0.1')
    expect(idIn(events[1])).toBe(idIn(events[0]) + 1)
  })

  test('continues after the header Last-Event-ID, which is used before the parameter', async () => {
    await makeRecord('a')
    await makeRecord('b')
    const all = await (await open('/zonereeve/events?after=0')).next(3)
    const rest = await open('/zonereeve/events?after=0', ADMIN_TOKEN, {
      'last-event-id': String(idIn(all[1])),
    })
    expect(await rest.next(all.length - 2)).toEqual(all.slice(2))
  })

  test('says that entries are missing, before it continues', async () => {
    const stream = await open('/zonereeve/events?after=999999')
    await makeRecord('a')
    const [gap, event] = await stream.next(2)
    expect(gap).toMatch(/^event: gap\nid: \d+\ndata: \{"continues_after":\d+\}$/)
    expect(idIn(event)).toBe(idIn(gap) + 1)
  })

  test('ends when the program closes', async () => {
    const stream = await open('/zonereeve/events')
    const closing = app.close()
    await stream.ended()
    await closing
    expect(stream.status).toBe(200)
    app = await startTestApp() // for afterEach
  })
})

describe('is refused', () => {
  test.each([
    ['a number that is none', '/zonereeve/events', { 'last-event-id': '7x' }, 400, 20382],
    ['a number that is too large', '/zonereeve/events', { 'last-event-id': '9'.repeat(17) }, 400, 20382],
  ])('%s', async (_, path, headers, status, code) => {
    const { status: got, json } = await app.call({ method: 'GET', path, headers })
    expect({ status: got, code: json.errors[0]?.code }).toEqual({ status, code })
  })

  test('without permission: the server needs every account, a zone needs that zone', async () => {
    const other = await makeZone('example.net')
    const token = await makeToken(app, [allow(['Zone Read'], `account.zone.${zone.id}`)])
    expect((await open('/zonereeve/events', token)).status).toBe(403)
    expect((await open(`/zonereeve/zones/${other.id}/events`, token)).status).toBe(403)
    expect((await open(`/zonereeve/zones/${zone.id}/events`, token)).status).toBe(200)
  })

  test('when all streams are in use, and possible again when one ends', async () => {
    for (let count = 0; count < MAX_STREAMS; count += 1) await open('/zonereeve/events')
    const refused = await app.call({ method: 'GET', path: '/zonereeve/events' })
    expect({ status: refused.status, code: refused.json.errors[0]?.code }).toEqual({
      status: 429,
      code: 20383,
    })
    streams.pop()?.abort()
    await expect.poll(async () => (await open('/zonereeve/events')).status).toBe(200)
  })
})
