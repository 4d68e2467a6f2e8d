// The exact bytes of real clients that a strict server would reject; each check is a client that would break otherwise.
import { deepEqual, equal, match, ok } from 'node:assert/strict'
import { once } from 'node:events'
import { request } from 'node:http'
import { connect } from 'node:net'
import { askUntil } from './dns-client.ts'
import type { Target } from './program.ts'
import type { Report } from './report.ts'

const ZONE = 'raw.example.com'

interface RawRequest {
  readonly method?: string
  readonly path: string
  readonly body?: string
  readonly headers?: Readonly<Record<string, string>>
}

interface Received {
  readonly status: number
  readonly text: string
}

interface Envelope<Result> {
  readonly result: Result
  readonly success: boolean
  readonly errors: readonly {
    readonly code: number
    readonly error_chain?: readonly { readonly code: number }[]
  }[]
  readonly result_info?: Readonly<Record<string, number>>
}

interface RecordResult {
  readonly id: string
  readonly name: string
  readonly type: string
  readonly content: string
  readonly ttl: number
  readonly data?: Readonly<Record<string, unknown>>
}

const JSON_TYPE = { 'content-type': 'application/json' }

export async function runRaw(target: Target, report: Report): Promise<void> {
  const zone = await send<{ id: string }>(target, {
    method: 'POST',
    path: '/zones',
    body: `{"name":"${ZONE}"}`,
    headers: JSON_TYPE,
  })
  const session: Session = {
    target,
    report,
    zoneId: zone.result.id,
    records: `/zones/${zone.result.id}/dns_records`,
  }
  await createRecord(session, { type: 'A', name: 'www', content: '192.0.2.1' })
  await createRecord(session, { type: 'AAAA', name: 'www', content: '2001:db8::1' })
  await createRecord(session, { type: 'TXT', name: 'text', content: 'bare words' })

  await runPaths(session)
  await runFilters(session)
  await runBodies(session)
  await runDrafts(session)
  await runConnections(session)
  await runAuthentication(session)
  await runOwnPaths(session)
  await send(target, { method: 'DELETE', path: `/zones/${zone.result.id}` })
}

interface Session {
  readonly target: Target
  readonly report: Report
  readonly zoneId: string
  /** Path of the zone's records. */
  readonly records: string
}

async function runPaths({ target, report, zoneId, records }: Session): Promise<void> {
  await report.check('raw: a slash before the query (ddclient)', async () => {
    const zones = await send<{ id: string }[]>(target, { path: `/zones/?name=${ZONE}` })
    deepEqual(
      zones.result.map((zone) => zone.id),
      [zoneId],
    )
  })
  for (const base of ['/client/v4', '/api/v4', '/v4']) {
    await report.check(`raw: base path ${base}`, async () => {
      const reply = await exchange(target, { path: `${base}/zones/${zoneId}` }, '')
      equal(reply.status, 200)
    })
  }
  await report.check('raw: compact JSON with id first (acme.sh reads it without a parser)', async () => {
    const zones = await exchange(target, { path: `/zones?name=${ZONE}` })
    match(zones.text, /^\{"result":\[\{"id":"[0-9a-f]{32}"/)
    const listed = await exchange(target, { path: records })
    match(listed.text, /^\{"result":\[\{"id":"[0-9a-f]{32}"/)
    match(listed.text, /"success":true/)
    match(listed.text, /"count":\d+,/)
  })
  await report.check('raw: an unknown path is answered in the envelope, 7000', () =>
    refused(target, { path: '/no/such/thing' }, 404, 7000),
  )
  await report.check('raw: an identifier of the wrong form, 7003', () =>
    refused(target, { path: '/zones/not-an-id/dns_records' }, 400, 7003),
  )
}

async function runFilters({ target, report, zoneId, records }: Session): Promise<void> {
  const list = (query: string) => send<RecordResult[]>(target, { path: `${records}?${query}` })
  await report.check('raw: name filters ignore case and a trailing dot (libdns)', async () => {
    equal((await list(`name=WWW.${ZONE}.`)).result.length, 2)
    const zones = await send<{ id: string }[]>(target, { path: `/zones?name=${ZONE.toUpperCase()}.` })
    deepEqual(
      zones.result.map((zone) => zone.id),
      [zoneId],
    )
  })
  await report.check('raw: type=A,AAAA (cloudflare-ddns)', async () => {
    const { result } = await list(`type=A,AAAA&name=www.${ZONE}`)
    deepEqual(result.map((record) => record.type).toSorted(), ['A', 'AAAA'])
  })
  await report.check('raw: TXT content matches with and without quotes (certbot)', async () => {
    equal((await list('type=TXT&content=bare%20words')).result.length, 1)
    equal((await list('type=TXT&content=%22bare%20words%22')).result.length, 1)
    equal((await list('type=TXT&content=other')).result.length, 0)
  })
  await report.check('raw: a page past the end is an empty list, not an error (SDKs)', async () => {
    const past = await list('page=99&per_page=2')
    deepEqual(past.result, [])
    equal(past.success, true)
    equal(past.result_info?.['page'], 99)
    equal(past.result_info?.['count'], 0)
  })
  await report.check('raw: an empty list has one page', async () => {
    const none = await list('name=nobody.example.org')
    deepEqual(none.result_info, { page: 1, per_page: 100, count: 0, total_count: 0, total_pages: 1 })
  })
  await report.check('raw: per_page=5000 (external-dns)', async () => {
    equal((await list('per_page=5000')).result_info?.['per_page'], 5000)
  })
}

async function runBodies({ target, report, records, ...rest }: Session): Promise<void> {
  const make = (name: string): Promise<RecordResult> =>
    createRecord({ target, report, records, ...rest }, { type: 'A', name, content: '192.0.2.9' })
  await report.check('raw: GET with the body {} (lexicon)', async () => {
    equal((await exchange(target, { path: records, body: '{}', headers: JSON_TYPE })).status, 200)
  })
  await report.check('raw: GET with a JSON content type and no body (python-cloudflare)', async () => {
    equal((await exchange(target, { path: records, headers: JSON_TYPE })).status, 200)
  })
  await report.check('raw: DELETE with the body {} (lexicon)', async () => {
    const { id } = await make('gone1')
    const reply = await exchange(target, {
      method: 'DELETE',
      path: `${records}/${id}`,
      body: '{}',
      headers: JSON_TYPE,
    })
    equal(reply.status, 200)
  })
  await report.check('raw: DELETE with a JSON content type and no body (libcloud)', async () => {
    const { id } = await make('gone2')
    const reply = await exchange(target, { method: 'DELETE', path: `${records}/${id}`, headers: JSON_TYPE })
    equal(reply.status, 200)
  })
  await report.check('raw: POST of JSON without a content type (cert-manager)', async () => {
    const body = '{"type":"A","name":"untyped","content":"192.0.2.7"}'
    equal((await exchange(target, { method: 'POST', path: records, body })).status, 200)
  })
  await report.check('raw: malformed JSON, 6007', () =>
    refused(target, { method: 'POST', path: records, body: '{"type":', headers: JSON_TYPE }, 400, 6007),
  )
}

async function runDrafts(session: Session): Promise<void> {
  const { report, target } = session
  await report.check('raw: empty members are ignored (old SDKs, lexicon, libdns)', async () => {
    const stray = {
      data: null,
      settings: {},
      tags: null,
      priority: 0,
      created_on: '0001-01-01T00:00:00Z',
      t: 'A',
      proxied: false,
    }
    const record = await createRecord(session, { type: 'A', name: 'stray', content: '192.0.2.3', ...stray })
    equal(record.ttl, 1)
    await askUntil(target.dns, `stray.${ZONE}`, 'A', (reply) => reply.answers.length === 1)
  })
  await report.check('raw: relative, full, dotted and apex names', async () => {
    const names = ['rel', `full.${ZONE}`, `dotted.${ZONE}.`, '@']
    const made = await Promise.all(
      names.map((name) => createRecord(session, { type: 'A', name, content: '192.0.2.4' })),
    )
    deepEqual(
      made.map((record) => record.name),
      [`rel.${ZONE}`, `full.${ZONE}`, `dotted.${ZONE}`, ZONE],
    )
  })
  await report.check('raw: SRV named only by its data (ansible)', async () => {
    const data = {
      service: '_xmpp',
      proto: '_tcp',
      name: ZONE,
      priority: 1,
      weight: 2,
      port: 5222,
      target: 'im.example.net.',
    }
    const record = await createRecord(session, { type: 'SRV', data })
    equal(record.name, `_xmpp._tcp.${ZONE}`)
    equal(record.content, '2 5222 im.example.net')
  })
  await report.check('raw: CAA by content, tabs and no quotes (libcloud)', async () => {
    const record = await createRecord(session, {
      type: 'CAA',
      name: 'caa',
      content: '0\tissue\tca.example.net',
    })
    deepEqual(record.data, { flags: 0, tag: 'issue', value: 'ca.example.net' })
  })
  await report.check('raw: numbers as strings in data (libcloud)', async () => {
    const data = { flags: '0', tag: 'issue', value: 'ca2.example.net' }
    const record = await createRecord(session, { type: 'CAA', name: 'caa2', data })
    deepEqual(record.data, { flags: 0, tag: 'issue', value: 'ca2.example.net' })
  })
}

async function runConnections({ target, report, records }: Session): Promise<void> {
  await report.check('raw: HTTP/1.0 with 3 KB of NUL after the request (inadyn)', async () => {
    const text = await overSocket(target, [
      `GET /client/v4${records}?type=A HTTP/1.0\r\nHost: localhost\r\nAuthorization: Bearer ${target.token}\r\n\r\n`,
      '\0'.repeat(3000),
    ])
    match(text, /^HTTP\/1\.[01] 200 /)
    match(text, /"success":true/)
  })
  await report.check('raw: a header that current SDKs send is ignored', async () => {
    const reply = await exchange(target, {
      path: records,
      headers: { 'api-version': '2026-01-01', accept: '*/*' },
    })
    equal(reply.status, 200)
  })
}

async function runAuthentication({ target, report, records }: Session): Promise<void> {
  await report.check('raw: a malformed Authorization header, 6003 with 6111 inside', async () => {
    const reply = await exchange({ ...target, token: 'short' }, { path: records })
    const { errors } = parse<null>(reply)
    equal(reply.status, 400)
    deepEqual(
      errors.map((error) => [error.code, error.error_chain?.map((cause) => cause.code)]),
      [[6003, [6111]]],
    )
  })
  await report.check('raw: no credentials', async () => {
    const reply = await exchange({ ...target, token: '' }, { path: records })
    ok(reply.status === 400 || reply.status === 401 || reply.status === 403, `status ${reply.status}`)
    equal(parse(reply).success, false)
  })
  await report.check('raw: an unknown token, 9109', () =>
    refused({ ...target, token: 'y'.repeat(40) }, { path: records }, 403, 9109),
  )
}

async function runOwnPaths({ target, report }: Session): Promise<void> {
  for (const [path, pattern] of [
    ['/livez', /./],
    ['/readyz', /./],
    ['/metrics', /^# (HELP|TYPE) /m],
    ['/openapi.json', /^\{"openapi":"3\.1/],
    ['/docs', /<html/i],
  ] as const) {
    await report.check(`raw: ${path}`, async () => {
      const caller = path === '/metrics' ? target : { ...target, token: '' }
      const reply = await exchange(caller, { path }, '')
      equal(reply.status, 200)
      match(reply.text, pattern)
    })
  }
}

async function createRecord({ target, records }: Session, draft: object): Promise<RecordResult> {
  const sent: RawRequest = { method: 'POST', path: records, body: JSON.stringify(draft), headers: JSON_TYPE }
  return (await send<RecordResult>(target, sent)).result
}

async function refused(target: Target, sent: RawRequest, status: number, code: number): Promise<void> {
  const reply = await exchange(target, sent)
  const { success, result, errors } = parse<null>(reply)
  deepEqual(
    { status: reply.status, success, result, codes: errors.map((error) => error.code) },
    { status, success: false, result: null, codes: [code] },
  )
}

/** Sends a request and checks that it succeeds. */
async function send<Result>(target: Target, sent: RawRequest): Promise<Envelope<Result>> {
  const reply = await exchange(target, sent)
  const envelope = parse<Result>(reply)
  ok(
    reply.status === 200 && envelope.success,
    `${sent.method ?? 'GET'} ${sent.path}: ${reply.status} ${reply.text}`,
  )
  return envelope
}

function parse<Result>(reply: Received): Envelope<Result> {
  return JSON.parse(reply.text)
}

/** One request, with exactly these headers and this body, and Authorization unless the token is empty. */
function exchange(target: Target, sent: RawRequest, base = '/client/v4'): Promise<Received> {
  return new Promise((resolve, reject) => {
    const authorization = target.token === '' ? {} : { authorization: `Bearer ${target.token}` }
    const length = sent.body === undefined ? {} : { 'content-length': String(Buffer.byteLength(sent.body)) }
    const headers = { ...authorization, ...length, ...sent.headers }
    const outgoing = request(
      `${target.http}${base}${sent.path}`,
      { method: sent.method ?? 'GET', headers },
      (reply) => {
        let text = ''
        reply.setEncoding('utf8').on('data', (chunk: string) => {
          text += chunk
        })
        reply.on('end', () => resolve({ status: reply.statusCode ?? 0, text }))
      },
    )
    outgoing.on('error', reject)
    outgoing.end(sent.body)
  })
}

/** Writes the parts one by one, as a program with a wrong buffer size does, and reads until the server closes. */
async function overSocket(target: Target, parts: readonly string[]): Promise<string> {
  const { hostname, port } = new URL(target.http)
  const socket = connect(Number(port), hostname)
  let text = ''
  socket.setEncoding('utf8').on('data', (chunk: string) => {
    text += chunk
  })
  socket.on('error', (error) => {
    text += `\n(${error.message})`
  })
  await once(socket, 'connect')
  for (const part of parts) socket.write(part)
  await once(socket, 'close')
  return text
}
