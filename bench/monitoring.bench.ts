// Delays of DNS answers while monitoring stores and reads the maximum amounts. One process does both, so a query waits
// for any work that does not yield. 200 queries per second from a separate process; reports the longest delay per
// operation. Option: --quick, a tenth of everything.
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { installPackedProgram, builtProgram, startServer } from '../acceptance/program.ts'
import type { Waited } from './ask-steadily.ts'
import { machineClass, printTable, quantile } from './measure.ts'

const QUESTIONS_PER_SECOND = 200
const NAME = 'www.example.com'
const ZONE = 'example.com'

const { values: options } = parseArgs({ options: { quick: { type: 'boolean', default: false } } })
const share = options.quick ? 0.1 : 1
/** Maximum number of resources of each kind in the inventory of a zone. */
const INVENTORY = 50_000 * share
/** URLs in one request with observations. */
const OBSERVED = 2000
/** New resources by reports: as many as are buffered between two flushes. */
const REPORTED = 65_536 * share
const REPORTS_PER_REQUEST = 100
const FEED_ENTRIES = 200_000 * share

const folder = mkdtempSync(join(tmpdir(), 'zonereeve-bench-'))
const launcher = options.quick ? builtProgram : await installPackedProgram(folder)
const server = await startServer(launcher, join(folder, 'data'), {
  flags: ['--report-rate', 'off', '--report-budget', 'off', '--log-level', 'error'],
})
const client = fork(fileURLToPath(new URL('./ask-steadily.ts', import.meta.url)), [
  String(server.dns.port),
  NAME,
  String(QUESTIONS_PER_SECOND),
])
const rows: string[][] = []
try {
  console.log(`${machineClass()}\n`)
  const zoneId = await createZone(ZONE)
  await call('POST', `/zones/${zoneId}/dns_records`, {
    type: 'A',
    name: NAME,
    content: '192.0.2.1',
    ttl: 300,
  })
  await measureAll(zoneId)
  printTable(['operation', 's', 'queries', 'longest delay of an answer, ms', '99.9 % within, ms'], rows)
} finally {
  client.kill()
  await server.stop()
  rmSync(folder, { recursive: true, force: true })
}

async function measureAll(zoneId: string): Promise<void> {
  const shield = `/zones/${zoneId}/page_shield`
  const own = `/zonereeve/zones/${zoneId}/page_shield`
  await waited('none', () => sleep(3000))
  await waited(`observations: ${INVENTORY} new scripts, ${OBSERVED} per request`, () =>
    observe(zoneId, 'scripts'),
  )
  await waited(`observations: ${INVENTORY} new connections`, () => observe(zoneId, 'connections'))
  await waited('observations: the same scripts, twice', async () => {
    await observe(zoneId, 'scripts')
    await observe(zoneId, 'scripts')
  })
  const reported = await createZone('reported.example')
  await waited(`reports: ${REPORTED} new scripts of another zone, buffered and stored`, () =>
    report(reported),
  )
  await waited('list of scripts, page=all', () => read(`${shield}/scripts?page=all&status=active,infrequent`))
  await waited('list of scripts by part of URL and host', () =>
    read(`${shield}/scripts?status=active,infrequent&urls=zzz&hosts=*shop*`),
  )
  await waited('list of scripts as CSV', () => read(`${shield}/scripts?export=csv&status=active,infrequent`))
  await waited('evidence as CSV', () => read(`${own}/evidence`))
  await waited('events as CSV', () => read(`${own}/evidence?format=csv_events`))
  await waited('evidence as a printable page', () => read(`${own}/evidence?format=html`))
  await waited('last page of events', () => read(`${own}/events?page=2000`))
  await waited('suggestion', () => read(`${own}/policies/suggestion`))
  const policy = { value: "script-src 'self' cdn1.example.net; connect-src https:" }
  await waited('simulation', () => call('POST', `${own}/policies/simulate`, policy))
  const feedId = await addFeed()
  await waited(`import of a feed, ${FEED_ENTRIES} entries`, () => upload(feedId, FEED_ENTRIES))
  await waited('the inventory compared with it', () => untilFlagged(shield))
  await waited('another import, and the first one deleted', async () => {
    await upload(feedId, FEED_ENTRIES / 2)
    await sleep(10_000 * share)
  })
  await waited('the zone with all of it deleted', () => call('DELETE', `/zones/${zoneId}`))
}

/** Runs an operation, and adds the delays of answers during it to the table. */
async function waited(what: string, work: () => Promise<unknown>): Promise<void> {
  await take()
  const began = performance.now()
  await work()
  const seconds = (performance.now() - began) / 1000
  await sleep(100) // outstanding answers
  const { questions, longestMs, waits } = await take()
  rows.push([
    what,
    seconds.toFixed(1),
    String(questions),
    longestMs.toFixed(0),
    quantile(waits, 0.999).toFixed(0),
  ])
  console.error(rows.at(-1)?.join(' | '))
}

async function take(): Promise<Waited> {
  const reported = once(client, 'message')
  client.send('take')
  const [waits] = await reported
  return waits as Waited // sent by ask-steadily.ts
}

async function call(method: string, path: string, body?: object): Promise<unknown> {
  const reply = await fetch(`${server.http}/client/v4${path}`, {
    method,
    headers: { authorization: `Bearer ${server.token}`, 'content-type': 'application/json' },
    body: body === undefined ? null : JSON.stringify(body),
  })
  const text = await reply.text()
  if (!reply.ok) throw new Error(`${method} ${path}: ${reply.status} ${text.slice(0, 500)}`)
  return JSON.parse(text).result
}

/** For replies that may not be JSON. */
async function read(path: string): Promise<void> {
  const reply = await fetch(`${server.http}/client/v4${path}`, {
    headers: { authorization: `Bearer ${server.token}` },
  })
  const octets = (await reply.arrayBuffer()).byteLength
  if (!reply.ok) throw new Error(`${path}: ${reply.status}`)
  console.error(`  ${(octets / 1_048_576).toFixed(1)} MiB`)
}

async function createZone(name: string): Promise<string> {
  const { id } = (await call('POST', '/zones', { name })) as { id: string } // as every operation that creates
  await call('PUT', `/zones/${id}/page_shield`, { enabled: true })
  return id
}

/** A URL of typical length. */
function scriptOf(number: number): string {
  return `https://cdn${number % 5000}.example.net/assets/2026/11/shop/checkout-bundle.${number}.min.js`
}

async function observe(zoneId: string, kind: 'scripts' | 'connections'): Promise<void> {
  const urlOf = kind === 'scripts' ? scriptOf : (number: number) => `wss://h${number}.example.net/`
  for (let at = 0; at < INVENTORY; at += OBSERVED) {
    const urls = Array.from({ length: OBSERVED }, (_, index) => urlOf(at + index))
    const observations = [{ page_url: `https://shop.${ZONE}/checkout/${at}`, [kind]: urls.slice(0, 200) }]
    for (let from = 200; from < OBSERVED; from += 200)
      observations.push({ page_url: `https://shop.${ZONE}/p/${from}`, [kind]: urls.slice(from, from + 200) })
    await call('POST', `/zonereeve/zones/${zoneId}/page_shield/observations`, { observations })
  }
}

async function report(zoneId: string): Promise<void> {
  const page = 'https://reported.example/'
  const { headers } = (await call(
    'GET',
    `/zonereeve/zones/${zoneId}/page_shield/headers?url=${encodeURIComponent(page)}`,
  )) as { headers: { value: string }[] } // as the operation replies
  const address = /report-uri https:\/\/[^/]+(\/[^; "]+)/.exec(
    headers.map(({ value }) => value).join(' '),
  )?.[1]
  for (let at = 0; at < REPORTED; at += REPORTS_PER_REQUEST) {
    const reports = Array.from({ length: REPORTS_PER_REQUEST }, (_, index) => ({
      type: 'csp-violation',
      age: 0,
      url: page,
      body: { documentURL: page, blockedURL: scriptOf(at + index), effectiveDirective: 'script-src-elem' },
    }))
    const reply = await fetch(`${server.http}${address}`, {
      method: 'POST',
      headers: { 'content-type': 'application/reports+json' },
      body: JSON.stringify(reports),
    })
    if (reply.status !== 204) throw new Error(`reports: ${reply.status}`)
  }
  const path = `/zonereeve/zones/${zoneId}/page_shield/collector`
  const stored = `/client/v4/zones/${zoneId}/page_shield/scripts?status=infrequent&per_page=1`
  let before = -1
  for (;;) {
    const reply = await fetch(`${server.http}${stored}`, {
      headers: { authorization: `Bearer ${server.token}` },
    })
    const { total_count: count } = ((await reply.json()) as { result_info: { total_count: number } })
      .result_info // a list
    if (count === before) break
    before = count
    await sleep(1000)
  }
  console.error(`  ${before} stored, ${JSON.stringify(await call('GET', path))}`)
}

async function addFeed(): Promise<string> {
  const feed = { name: 'bench', format: 'plain', categories: ['Malware'] }
  return ((await call('POST', '/zonereeve/threat_feeds', feed)) as { id: string }).id // as every operation that creates
}

/** The first entry of the feed flags a tenth of the connections. */
async function upload(feedId: string, entries: number): Promise<void> {
  const lines = Array.from({ length: entries }, (_, index) =>
    index % 40 === 0 ? `h${index / 4}.example.net` : `d${index}.bad.example`,
  )
  const reply = await fetch(`${server.http}/client/v4/zonereeve/threat_feeds/${feedId}/entries`, {
    method: 'PUT',
    headers: { authorization: `Bearer ${server.token}`, 'content-type': 'text/plain' },
    body: lines.join('\n'),
  })
  if (!reply.ok) throw new Error(`upload: ${reply.status} ${await reply.text()}`)
}

/** Waits until the last connection named by the feed is flagged. */
async function untilFlagged(shield: string): Promise<void> {
  const last = Math.min(INVENTORY, FEED_ENTRIES / 4) - 10
  for (;;) {
    const path = `${shield}/connections?status=infrequent&urls=h${last}.example&per_page=1`
    const [connection] = (await call('GET', path)) as { domain_reported_malicious: boolean }[] // a list
    if (connection?.domain_reported_malicious === true) break
    await sleep(200)
  }
  await sleep(2000)
}
