// A zone that is loaded from a file has the same rows, history and published records as one whose records are created
// one by one.
import { afterAll, beforeAll, expect, test } from 'vitest'
import { query, RECORD_JSON, type ServedRecord } from '@zonereeve/storage'
import { startTestApp, type TestApp } from '../../../testing/app.ts'
import { expectConsistent } from '../../../testing/change-log.ts'

const ZONE = 'example.com'
const FILE = String.raw`
$TTL 300
www A 192.0.2.1
www A 192.0.2.2
www 60 AAAA 2001:DB8::1
mapped AAAA ::ffff:192.0.2.9
zeros AAAA 2001:db8:0:0:1:0:0:1
private A 10.1.2.3
@ MX 10 Mail.Example.NET.
@ 1 MX 0 .
alias CNAME www
far 86400 CNAME target.example.net.
_acme-challenge.www CNAME _x.acme.example.net.
*.wild A 192.0.2.3
a.b.c.d A 192.0.2.4
plain TXT "v=spf1 -all"
several TXT "one" "two  three" ""
spaces TXT "  Upper  CASE  "
quotes TXT "a \"b\" \\ \195\164 \000\255"
unicode TXT "größe ☃"
long TXT "${'x'.repeat(255)}" "${'y'.repeat(60)}"
child NS ns1.example.net.
child NS ns.child
child DS 12345 13 2 ${'ab'.repeat(32)}
ns.other A 192.0.2.5
host PTR ptr.example.net.
_sip._tcp SRV 5 0 5060 sip.example.net.
@ CAA 0 issue "ca.example.net"
svc HTTPS 1 . alpn="h2,h3"
svc SVCB 1 svc.example.net. port=8443
loc LOC 52 22 23.000 N 4 53 32.000 E -2.00m 0.00m 10000m 10m
uri URI 10 1 "https://example.com/"
naptr NAPTR 100 10 "S" "SIP+D2U" "" _sip._udp.example.com.
_443._tcp.www TLSA 3 1 1 ${'cd'.repeat(32)}
odd TYPE65280 \# 4 0a000001
noted A 192.0.2.6 ; a comment
tagged A 192.0.2.7 ; cf_tags=test:1
proxied A 192.0.2.8 ; cf_tags=cf-proxied:true
flat CNAME www ; cf_tags=cf-flatten-cname
`

/** A record as the API shows it. */
interface Shown {
  readonly id: string
  readonly type: string
}

let loaded: TestApp
let created: TestApp
let zoneIds: readonly string[]
let shown: readonly Shown[]

const apps = (): readonly TestApp[] => [loaded, created]
const zoneOf = (app: TestApp): string => zoneIds[apps().indexOf(app)] ?? ''

beforeAll(async () => {
  loaded = await startTestApp()
  created = await startTestApp()
  zoneIds = await Promise.all(
    apps().map(async (app) => (await app.must('POST', '/zones', { name: ZONE })).id),
  )
  for (const app of apps()) app.events.length = 0
  const answer = await loaded.call<{ added: number }>({
    method: 'PUT',
    path: `/zonereeve/zones/${zoneOf(loaded)}/zone_file`,
    body: FILE,
    headers: { 'content-type': 'text/dns' },
  })
  expect(answer).toMatchObject({ status: 200 })
  const path = `/zones/${zoneOf(loaded)}/dns_records?per_page=5000`
  shown = await loaded.must<Shown[]>('GET', path)
  expect(shown.length).toBe(FILE.trim().split('\n').length - 1) // without $TTL
  // A DS record needs the NS records at its name.
  for (const record of shown.toSorted((a, b) => Number(a.type === 'DS') - Number(b.type === 'DS')))
    await created.must('POST', `/zones/${zoneOf(created)}/dns_records`, { ...record, id: undefined })
})

afterAll(async () => {
  for (const app of apps()) {
    await expectConsistent(app.storage)
    await app.close()
  }
})

/** The text without what differs between two zones: each timestamp of the tests is later than the one before. */
const comparable = (app: TestApp, text: string, id: string): string =>
  text
    .replaceAll(id, 'ID')
    .replaceAll(zoneOf(app), 'ZONE')
    .replaceAll(/2026-01-05T10:20:30[.]\d+Z/g, 'TIME')

test('the rows are the same', async () => {
  const [ofLoaded, ofCreated] = await Promise.all(
    apps().map(async (app) => {
      const rows = await app.storage.all(
        query
          .selectFrom('dns_records')
          .selectAll()
          .select(RECORD_JSON.as('body'))
          .orderBy('name')
          .orderBy('type')
          .orderBy('identity'),
      )
      return rows.map(({ id, body_checksum: sum, body, stored_body: stored, ...row }) => ({
        ...row,
        rdata: Buffer.from(row.rdata).toString('hex'),
        zone_id: '',
        created_on: comparable(app, row.created_on, id),
        isChecked: sum !== null,
        body: comparable(app, body, id),
        stored: comparable(app, stored, id),
      }))
    }),
  )
  expect(ofLoaded).toHaveLength(shown.length)
  expect(ofLoaded).toEqual(ofCreated)
})

test('the history has the same operations', async () => {
  const [ofLoaded, ofCreated] = await Promise.all(
    apps().map(async (app) => {
      const log = await app.changeLog(zoneOf(app))
      const ops = log.flatMap((change) => change.ops).filter(({ kind }) => kind === 'dns_record.create')
      return ops
        .map(({ before, after, object_id: id }) => [before, comparable(app, after ?? '', id)].join())
        .toSorted()
    }),
  )
  expect(ofLoaded).toHaveLength(shown.length)
  expect(ofLoaded).toEqual(ofCreated)
})

test('the same records are published', () => {
  const [ofLoaded, ofCreated] = apps().map((app) =>
    app.events
      .flatMap((event) => (event.topic === 'records' ? [...(event.delta?.added ?? [])] : []))
      .map(({ name, type, ttlSeconds, rdata, proxied, settings }: ServedRecord) =>
        JSON.stringify([name, type, ttlSeconds, proxied, settings, Buffer.from(rdata).toString('hex')]),
      )
      .toSorted(),
  )
  expect(ofLoaded).toHaveLength(shown.length)
  expect(ofLoaded).toEqual(ofCreated)
})
