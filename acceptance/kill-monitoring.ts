// Kills the real process repeatedly while it imports a threat feed, scans scripts, and posts to a webhook. After a
// restart an import must be complete or the previous one still in force, a script must have a complete version or none,
// and every event must be posted; interrupted work is repeated. Feeds are fetched from their URL when due. Nothing is
// fetched from or posted to addresses that are not public.
// Options: --rounds N (3), --entries N of a feed (30000), --program PATH (the launcher in this repository).
import { deepEqual, equal, ok } from 'node:assert/strict'
import { createHash, createHmac } from 'node:crypto'
import { once } from 'node:events'
import { rmSync } from 'node:fs'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { createApi, type Api } from './browsers/api.ts'
import { until } from './browsers/site.ts'
import { builtProgram, startServer, temporaryFolder, type Program } from './program.ts'
import { createReport } from './report.ts'

/** Maximum time from the first octet of a feed to the kill: about as long as an import takes. */
const MAX_IMPORT_MS = 2500
/** Maximum time from the first script request to the kill. */
const MAX_SCAN_MS = 2500
/** Maximum time from the first posted events to the kill. */
const MAX_TELLING_MS = 600
/** Events of one round; they need several requests. */
const EVENTS = 1000
const PART_CHARACTERS = 65_536
/** Scripts that one node leases at a time: a kill holds no more than these until their leases end. */
const FETCHES = 4
/** Each script has its own address, because only one script of a site is fetched at a time. */
const ADDRESSES = Array.from({ length: 12 }, (_, index) => `127.0.0.${index + 2}`)
const PAGE = 'https://example.com/'

const { values: options } = parseArgs({
  options: {
    rounds: { type: 'string', default: '3' },
    entries: { type: 'string', default: '30000' },
    program: { type: 'string', default: builtProgram },
  },
})
const rounds = Number(options.rounds)
const entries = Number(options.entries)

interface Feed {
  readonly id: string
  readonly status: {
    readonly state: string
    readonly problem: string | null
    readonly entries: number
    readonly attempted_at: string | null
  }
}

interface Script {
  readonly id: string
  readonly url: string
  readonly hash: string | null
  readonly fetched_at: string | null
  readonly url_reported_malicious: boolean
  readonly domain_reported_malicious: boolean
}

/** Round whose entries the feed's source serves; each domain contains its round. */
let published = 0
/** Number of requests for the feed. */
let asked = 0
/** Paths of requested scripts, with the addresses that were asked. */
const begun = new Set<string>()
const feedText = (round: number): string =>
  Array.from({ length: entries }, (_, index) => `v${round}-${index}.example\n`).join('')
const scriptText = (address: string): string => `document.title = "${address}"`

const source = await listen('127.0.0.1', (path, response) => {
  if (path === '/metadata') return void response.writeHead(302, { location: 'http://169.254.169.254/' }).end()
  asked += 1
  void sendSlowly(response, feedText(published))
})
const hosts = await Promise.all(
  ADDRESSES.map((address) =>
    listen(address, (path, response) => {
      begun.add(`${address}${path}`)
      void sendSlowly(response, scriptText(address), 200)
    }),
  ),
)
/** Each round has its own, because those of the round before may still be fetched. */
const urlsOf = (round: number): string[] =>
  hosts.map(({ port }, index) => `http://${ADDRESSES[index]}:${port}/${round}.js`)

/** Number of zones with a webhook that must not be posted to. */
let notPosted = 0
/** Bodies that the webhook received, with their signatures. */
const reported: { readonly body: string; readonly signature: string }[] = []
const sink = await listen('127.0.0.1', (path, response, request) => {
  if (path === '/forbidden')
    return void response.writeHead(307, { location: `http://127.0.0.1:${sink.port}/` }).end()
  let body = ''
  request.setEncoding('utf8').on('data', (text: string) => (body += text))
  request.on('end', () => {
    reported.push({ body, signature: String(request.headers['zonereeve-signature']) })
    setTimeout(() => response.writeHead(204).end(), 20)
  })
})

const report = createReport()
const folder = temporaryFolder('kill-monitoring')
let program = await start()
try {
  const zoneId = await createZone(createApi(program))
  const feedId = await addFeed(createApi(program))
  await report.check('feeds: the feed is imported from its URL, and flags detected scripts', async () => {
    await expectImported(createApi(program), zoneId, feedId, 0)
  })
  for (let round = 1; round <= rounds; round++) await killImport(zoneId, feedId, round)
  for (let round = 1; round <= rounds; round++) await killScans(round)
  for (let round = 1; round <= rounds; round++) await killTelling(round)
  await report.check('feeds: nothing is fetched from addresses that are not public', rejectInside)
  await report.check('webhooks: nothing is posted to addresses that are not public', rejectPosting)
  await report.check('kill: the server still exits cleanly', program.stop)
} finally {
  await program.kill()
  for (const { close } of [source, sink, ...hosts]) await close()
  rmSync(folder, { recursive: true, force: true })
}
process.exitCode = report.close()

function start(): Promise<Program> {
  return startServer(options.program, folder, { fetchesScripts: true })
}

async function createZone(api: Api, name = 'example.com'): Promise<string> {
  const { id } = await api.post<{ id: string }>('/zones', { name })
  await api.call('PUT', `/zones/${id}/page_shield`, { enabled: true })
  return id
}

async function addFeed(api: Api): Promise<string> {
  const feed = {
    name: 'killed',
    format: 'plain',
    categories: ['Malware'],
    url: `http://127.0.0.1:${source.port}/feed.txt`,
  }
  return (await api.post<Feed>('/zonereeve/threat_feeds', feed)).id
}

/** Changes the feed at its source, triggers a fetch, and kills the process during the import. */
async function killImport(zoneId: string, feedId: string, round: number): Promise<void> {
  const before = asked
  published = round
  await createApi(program).post(`/zonereeve/threat_feeds/${feedId}/refresh`, {})
  await until(
    () => asked > before,
    () => 'the feed was not requested',
  )
  await sleep(Math.random() * MAX_IMPORT_MS)
  await program.kill()
  program = await start()
  const api = createApi(program)
  await report.check(`kill: import ${round} of ${rounds} is complete or not applied`, async () => {
    const found = await roundsThatFlag(api)
    ok(found === round || found === round - 1, `entries of round ${found}`)
    equal((await api.get<Feed>(`/zonereeve/threat_feeds/${feedId}`)).status.entries, entries)
    console.log(`      ${found === round ? 'the new' : 'the old'} one is in force`)
  })
  await report.check(`kill: import ${round} of ${rounds} is repeated after the restart`, () =>
    expectImported(api, zoneId, feedId, round),
  )
}

/** Returns the round whose first, middle and last entries flag. @throws if several rounds flag, or one only partly. */
async function roundsThatFlag(api: Api): Promise<number> {
  const found: number[] = []
  for (let round = 0; round <= rounds; round++) {
    const flags = []
    for (const index of [0, Math.floor(entries / 2), entries - 1])
      flags.push(
        (await api.get<object[]>(`/zonereeve/threat_feeds/matches?url=https://v${round}-${index}.example/`))
          .length,
      )
    if (flags.some((count) => count > 0)) {
      deepEqual(flags, [1, 1, 1], `round ${round} is only partly imported`)
      found.push(round)
    }
  }
  equal(found.length, 1, `entries of the rounds ${found.join()}`)
  return found[0] ?? -1
}

async function expectImported(api: Api, zoneId: string, feedId: string, round: number): Promise<void> {
  const path = `/zonereeve/threat_feeds/${feedId}`
  await until(
    async () => (await roundsThatFlagOrNone(api)) === round,
    async () => JSON.stringify((await api.get<Feed>(path)).status),
  )
  const { state, problem, entries: count } = (await api.get<Feed>(path)).status
  deepEqual([state, problem, count], ['imported', null, entries])
  // Detected now, and flagged at once; the flag of the previous round is cleared.
  const scriptOf = (of: number): string => `https://v${of}-7.example/a.js`
  await observe(api, zoneId, [scriptOf(round)])
  const flagged = async (): Promise<string[]> =>
    (await api.get<Script[]>(`/zones/${zoneId}/page_shield/scripts?page=all&urls=.example/`))
      .filter((script) => script.domain_reported_malicious)
      .map(({ url }) => url)
  await until(
    async () => (await flagged()).join() === scriptOf(round),
    async () => `flagged: ${(await flagged()).join()}`,
  )
}

/** Round of the import in force; -1 before the first import. */
function roundsThatFlagOrNone(api: Api): Promise<number> {
  return roundsThatFlag(api).catch(() => -1)
}

async function observe(api: Api, zoneId: string, scripts: readonly string[]): Promise<void> {
  const view = { page_url: PAGE, scripts }
  await api.post(`/zonereeve/zones/${zoneId}/page_shield/observations`, { observations: [view, view, view] })
}

/** Reports scripts of a new zone, and kills the process while they are fetched and analyzed. */
async function killScans(round: number): Promise<void> {
  const urls = urlsOf(round)
  const begunNow = (): number => [...begun].filter((key) => key.endsWith(`/${round}.js`)).length
  const zoneId = await createZone(createApi(program), `scan${round}.example.net`)
  const path = `/zones/${zoneId}/page_shield/scripts?page=all&exclude_duplicates=false`
  const view = { page_url: `https://scan${round}.example.net/`, scripts: urls }
  await createApi(program).post(`/zonereeve/zones/${zoneId}/page_shield/observations`, {
    observations: [view, view, view],
  })
  await until(
    () => begunNow() > 0,
    () => 'no script was requested',
  )
  await sleep(Math.random() * MAX_SCAN_MS)
  const underWay = begunNow()
  await program.kill()
  program = await start()
  const api = createApi(program)
  const fetched = async (): Promise<Script[]> =>
    (await api.get<Script[]>(path)).filter((script) => script.hash !== null)
  await report.check(
    `kill: scan ${round} of ${rounds}, ${underWay} begun: each is complete or not stored`,
    async () => {
      const scripts = await api.get<Script[]>(path)
      equal(scripts.length, urls.length)
      for (const script of scripts) await expectWhole(api, zoneId, script)
      console.log(`      ${scripts.filter(({ hash }) => hash !== null).length} are complete`)
    },
  )
  await report.check(`kill: scan ${round} of ${rounds}: scripts not leased are scanned`, async () => {
    // Leases last five minutes.
    await until(
      async () => (await fetched()).length >= urls.length - FETCHES,
      async () => `${(await fetched()).length} are whole, ${underWay} were begun`,
    )
    for (const script of await fetched()) await expectWhole(api, zoneId, script)
  })
}

async function expectWhole(api: Api, zoneId: string, script: Script): Promise<void> {
  const own = `/zonereeve/zones/${zoneId}/page_shield`
  const contents = await api.get<{ content_sha256: string | null; failures: number; versions: object[] }>(
    `${own}/scripts/${script.id}/contents`,
  )
  const sha256 = createHash('sha256')
    .update(scriptText(new URL(script.url).hostname))
    .digest('hex')
  const isFetched = script.hash !== null
  deepEqual(
    [contents.content_sha256, contents.failures, contents.versions.length, script.fetched_at !== null],
    isFetched ? [sha256, 0, 1, true] : [null, 0, 0, false],
  )
  const events = await api.get<{ kind: string; resource_id: string }[]>(`${own}/events?per_page=1000`)
  deepEqual(
    events.filter(({ resource_id: id }) => id === script.id).map(({ kind }) => kind),
    ['script.new'],
  )
}

interface Webhook {
  readonly id: string
  readonly secret: string
  readonly status: { readonly failures: number; readonly problem: string | null; readonly last_event: number }
}

/** Creates many events of a new zone, and kills the process while they are posted. */
async function killTelling(round: number): Promise<void> {
  const zone = `told${round}.example.net`
  const zoneId = await createZone(createApi(program), zone)
  const own = `/zonereeve/zones/${zoneId}/page_shield`
  const url = `http://127.0.0.1:${sink.port}/`
  const kinds = ['connection.new']
  const webhook = await createApi(program).post<Webhook>(`${own}/webhooks`, { url, kinds })
  reported.length = 0
  for (let at = 0; at < EVENTS; at += 200) {
    const connections = Array.from({ length: 200 }, (_, index) => `https://h${at + index}.example/`)
    await createApi(program).post(`${own}/observations`, {
      observations: [{ page_url: `https://${zone}/`, connections }],
    })
  }
  await until(
    () => reported.length > 0,
    () => 'nothing was posted',
  )
  await sleep(Math.random() * MAX_TELLING_MS)
  await program.kill()
  const before = reported.length
  program = await start()
  const api = createApi(program)
  await report.check(
    `kill: webhook ${round} of ${rounds}: every event is posted, in order, signed`,
    async () => {
      const numbers = (await api.get<{ number: number }[]>(`${own}/events?per_page=1000`)).map(
        ({ number }) => number,
      )
      equal(numbers.length, EVENTS)
      await until(
        async () =>
          (await api.get<Webhook>(`${own}/webhooks/${webhook.id}`)).status.last_event === numbers[0],
        async () => JSON.stringify((await api.get<Webhook>(`${own}/webhooks/${webhook.id}`)).status),
      )
      const all = reported.map(({ body }) => JSON.parse(body) as { events: { number: number }[] }) // the posted body
      const each = all.flatMap(({ events }) => events.map(({ number }) => number))
      deepEqual([...new Set(each)], numbers.toReversed())
      for (const { body, signature } of reported) {
        const [, seconds = ''] = /^t=(\d+),v1=/.exec(signature) ?? []
        const digest = createHmac('sha256', webhook.secret).update(`${seconds}.${body}`).digest('hex')
        equal(signature, `t=${seconds},v1=${digest}`)
      }
      console.log(
        `      ${before} requests before, ${reported.length - before} after; ${each.length - EVENTS} events twice`,
      )
    },
  )
}

/** Tests a webhook on a separate server that allows only public addresses, and a redirect from an allowed address. */
async function rejectPosting(): Promise<void> {
  reported.length = 0
  const own = temporaryFolder('not-posting')
  const refusing = await startServer(options.program, own, {
    flags: ['--fetch-ports', 'any', '--resolver', 'off'],
  })
  try {
    for (const url of [
      `http://127.0.0.1:${sink.port}/`,
      `http://[::ffff:127.0.0.1]:${sink.port}/`,
      `http://2130706433:${sink.port}/`,
      'http://169.254.169.254/latest/meta-data/',
      'http://[64:ff9b::7f00:1]/',
    ])
      await expectNotPosted(createApi(refusing), url, 'address')
    await expectNotPosted(createApi(program), `http://127.0.0.1:${sink.port}/forbidden`, 'status')
    equal(reported.length, 0, 'it was posted')
  } finally {
    await refusing.kill()
    rmSync(own, { recursive: true, force: true })
  }
}

async function expectNotPosted(api: Api, url: string, problem: string): Promise<void> {
  const zone = `refused${(notPosted += 1)}.example.net`
  const zoneId = await createZone(api, zone)
  const own = `/zonereeve/zones/${zoneId}/page_shield`
  const { id } = await api.post<Webhook>(`${own}/webhooks`, { url })
  await api.post(`${own}/observations`, {
    observations: [{ page_url: `https://${zone}/`, connections: ['https://h.example/'] }],
  })
  const look = (): Promise<Webhook> => api.get<Webhook>(`${own}/webhooks/${id}`)
  await until(
    async () => (await look()).status.failures > 0,
    async () => JSON.stringify((await look()).status),
  )
  equal((await look()).status.problem?.split(':', 1)[0], problem, url)
}

/** Tests a feed on a separate server that allows only public addresses. */
async function rejectInside(): Promise<void> {
  const own = temporaryFolder('refusing')
  const refusing = await startServer(options.program, own, {
    flags: ['--fetch-ports', 'any', '--resolver', 'off'],
  })
  const before = asked
  try {
    const api = createApi(refusing)
    for (const url of [
      `http://127.0.0.1:${source.port}/feed.txt`,
      `http://[::ffff:127.0.0.1]:${source.port}/feed.txt`,
      `http://2130706433:${source.port}/feed.txt`,
      'http://169.254.169.254/latest/meta-data/',
      'http://10.0.0.1/feed.txt',
      'http://[64:ff9b::7f00:1]/feed.txt',
    ])
      await expectRefused(api, url)
    // A redirect from an allowed address to an internal one.
    await expectRefused(createApi(program), `http://127.0.0.1:${source.port}/metadata`)
    equal(asked, before, 'the source received a request')
  } finally {
    await refusing.kill()
    rmSync(own, { recursive: true, force: true })
  }
}

async function expectRefused(api: Api, url: string): Promise<void> {
  const feed = { name: 'inside', format: 'plain', categories: ['Malware'], url }
  const { id } = await api.post<Feed>('/zonereeve/threat_feeds', feed)
  const look = (): Promise<Feed> => api.get<Feed>(`/zonereeve/threat_feeds/${id}`)
  await until(
    async () => (await look()).status.attempted_at !== null,
    async () => JSON.stringify((await look()).status),
  )
  const { state, problem, entries: count } = (await look()).status
  deepEqual([state, problem?.split(':', 1)[0], count], ['failed', 'address', 0], url)
  await api.call('DELETE', `/zonereeve/threat_feeds/${id}`)
}

interface Listening {
  readonly port: number
  readonly close: () => Promise<void>
}

async function listen(
  address: string,
  answer: (path: string, response: ServerResponse, request: IncomingMessage) => void,
): Promise<Listening> {
  const server = createServer((request, response) => answer(request.url ?? '', response, request))
  server.listen(0, address)
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo // it listens on TCP
  return {
    port,
    async close() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}

/** Sends the body in chunks with delays, so that the process can be killed between any two. */
async function sendSlowly(response: ServerResponse, text: string, pauseMs = 20): Promise<void> {
  response.writeHead(200, { 'content-type': 'text/plain; charset=utf-8' })
  const half = Math.min(PART_CHARACTERS, Math.ceil(text.length / 2))
  for (let at = 0; at < text.length && !response.destroyed; at += half) {
    response.write(text.slice(at, at + half))
    await sleep(pauseMs)
  }
  response.end()
}
