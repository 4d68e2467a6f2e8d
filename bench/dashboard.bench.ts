// The dashboard in Chromium: cold loads, typing in a filter, route changes while a zone of 100,000 records is imported.
// Options: --records N (100000) of a zone, --zones N (100000), --rounds N (7), --program PATH (default: pack and install),
// --data FOLDER keeps the filled database for the next run.
import { once } from 'node:events'
import { existsSync, rmSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import type { Browser } from 'playwright-core'
import { createManyZones } from '../acceptance/dashboard/cloned-zones.ts'
import { signInAt, linkPath } from '../acceptance/dashboard/signed-in.ts'
import { launchBrowser, type View, type Visitor } from '../acceptance/dashboard/visitor.ts'
import { fetchedDuring } from '../acceptance/dashboard/fetched.ts'
import { installPackedProgram, startServer, temporaryFolder, type Program } from '../acceptance/program.ts'
import { longestTaskDuring } from './longest-task.ts'
import { machineClass, median, printTable } from './measure.ts'
import { connectTo, createZone } from './zonereeve.ts'

const { values: options } = parseArgs({
  options: {
    records: { type: 'string', default: '100000' },
    zones: { type: 'string', default: '100000' },
    rounds: { type: 'string', default: '7' },
    program: { type: 'string' },
    data: { type: 'string' },
  },
})
const recordCount = Number(options.records)
const zoneCount = Number(options.zones)
const rounds = Number(options.rounds)

const WIDE: View = { width: 1440, height: 900, theme: 'light' }
const LARGE = 'large.example'
const IMPORTED = 'imported.example'
/** Between two keys, as of a fast typist. */
const KEY_MILLIS = 80
const SHOWN_WITHIN_MILLIS = 60_000

const ZONES = '/zones'
const RECORDS = `/zones/${LARGE}/records`
const FIRST_ROW = 'main tbody td.k1 a, main tbody td.k1 .go, main tbody tr[aria-rowindex="2"] td.k1'

/** What is clicked, and what is on the page when the new screen has its data. */
const ROUTES = [
  { name: 'Zones', shown: 'main tr[aria-rowindex="2"] td.k1 a' },
  { name: 'Overview', shown: 'main .head h1' },
  { name: 'Records', shown: 'main tr[aria-rowindex="2"] td.k1' },
  { name: 'History', shown: 'main .split' },
  { name: 'DNSSEC', shown: 'main .head h1' },
  { name: 'Transfers', shown: 'main .head h1' },
  { name: 'Scripts', shown: 'main .head h1' },
  { name: 'Activity', shown: 'main .head h1' },
  { name: 'Tokens', shown: 'main .head h1' },
] as const

const temporary = temporaryFolder('dashboard-bench')
const data = options.data ?? join(temporary, 'data')
const launcher = options.program ?? (await installPackedProgram(temporary))
const isFilled = existsSync(data)
if (!isFilled) await createManyZones(launcher, data, { count: zoneCount, prefix: 'z' })
const program = await startServer(launcher, data, { readyWithinMs: 600_000 })
const browser = await launchBrowser()
try {
  if (!isFilled) await fill()
  console.log(`${machineClass()}; ${zoneCount} zones, ${recordCount} records in one of them\n`)
  const rows = [
    ...(await emptyPageRows()),
    ...(await loadRows('zones', ZONES)),
    ...(await loadRows('records', RECORDS)),
    await typingRow('zones', ZONES, 'z09999'),
    await typingRow('records', RECORDS, 'host-0777'),
    ...(await routeRows()),
  ]
  printTable(['', 'median', 'worst', 'goal'], rows)
} finally {
  await browser.close()
  // An orderly end would first write a snapshot of all zones.
  await program.kill()
  rmSync(temporary, { recursive: true, force: true })
}

async function fill(): Promise<void> {
  const connection = connectTo(program)
  for (const zone of [LARGE, IMPORTED]) await createZone(connection, zone)
  connection.close()
  await importZone(LARGE, 0)
}

/** Replaces all records of the zone. */
async function importZone(name: string, version: number): Promise<void> {
  const found = await api<readonly { id: string }[]>(`/zones?name=${name}`)
  const lines = Array.from({ length: recordCount }, (_, index) => {
    const address = [10 + version, (index >> 16) & 255, (index >> 8) & 255, index & 255].join('.')
    return `host-${String(index).padStart(6, '0')} 300 IN A ${address}\n`
  })
  await api(`/zonereeve/zones/${found[0]?.id ?? 'none'}/zone_file?force=true`, {
    method: 'PUT',
    headers: { 'content-type': 'text/dns' },
    body: lines.join(''),
  })
}

async function api<Result>(path: string, init: RequestInit = {}): Promise<Result> {
  const headers = { authorization: `Bearer ${program.token}`, ...init.headers }
  const reply = await fetch(`${program.http}/client/v4${path}`, { ...init, headers })
  if (!reply.ok) throw new Error(`${path}: ${reply.status} ${await reply.text()}`)
  return ((await reply.json()) as { result: Result }).result
}

async function signIn(from: Browser, { http }: Program): Promise<Visitor> {
  return signInAt(from, http, await linkPath(launcher, data), WIDE)
}

/** In the page: milliseconds since the navigation began until this is in sight. */
function untilShown(selector: string): string {
  return `new Promise((resolve) => {
  const look = () => document.querySelector(${JSON.stringify(selector)}) === null
    ? requestAnimationFrame(look) : resolve(performance.now())
  look()
})`
}

/** A page of one row without styles and scripts: what the browser and this machine need for any page. */
async function emptyPageRows(): Promise<string[][]> {
  const page =
    '<!doctype html><title>empty</title><main><table><tbody><tr><td class="k1"><a>row</a></table></main>'
  const server = createServer((_, reply) => reply.setHeader('content-type', 'text/html').end(page)).listen(0)
  await once(server, 'listening')
  const visitor = await signIn(browser, program)
  const millis: number[] = []
  const processor: number[] = []
  for (let round = 0; round < rounds; round++) {
    const load = await coldLoad(visitor, `http://127.0.0.1:${(server.address() as AddressInfo).port}/`)
    millis.push(load.millis)
    processor.push(load.processor)
  }
  await visitor.close()
  server.close()
  return [
    row('empty page for comparison: cold load, ms', millis, ''),
    row('- processor time of its main thread, ms', processor, ''),
  ]
}

/** Milliseconds until the first row, and those of them that the page's main thread worked. */
async function coldLoad(visitor: Visitor, path: string): Promise<{ millis: number; processor: number }> {
  const session = await visitor.context.newCDPSession(visitor.page)
  await session.send('Network.enable')
  await session.send('Network.clearBrowserCache')
  await session.send('Performance.enable', { timeDomain: 'threadTicks' })
  const worked = async (): Promise<number> => {
    const { metrics } = await session.send('Performance.getMetrics')
    return metrics.find(({ name }) => name === 'TaskDuration')?.value ?? Number.NaN // never absent
  }
  const before = await worked()
  await visitor.page.goto(path, { waitUntil: 'commit' })
  const millis = await visitor.page.evaluate<number>(untilShown(FIRST_ROW))
  const processor = ((await worked()) - before) * 1000
  await session.detach()
  return { millis, processor }
}

async function loadRows(title: string, path: string): Promise<string[][]> {
  const cold: number[] = []
  const processor: number[] = []
  const bytes: number[] = []
  const requests: number[] = []
  for (let round = 0; round < rounds; round++) {
    // A context of its own has no cache: the first page of it is cold but for the session.
    const visitor = await signIn(browser, program)
    const fetched = await fetchedDuring(visitor, async () => {
      const load = await coldLoad(visitor, path)
      cold.push(load.millis)
      processor.push(load.processor)
    })
    bytes.push(fetched.bytes)
    requests.push(fetched.requests)
    await visitor.close()
  }
  return [
    row(`${title}: cold load until the first row, ms`, cold, '< 1000'),
    row('- processor time of its main thread, ms', processor, ''),
    row(
      `${title}: fetched by it, kB`,
      bytes.map((count) => count / 1000),
      '≤ 1000',
    ),
    row(`${title}: requests of the API`, requests, '≤ 15'),
  ]
}

async function typingRow(title: string, path: string, words: string): Promise<string[]> {
  const longest: number[] = []
  const visitor = await signIn(browser, program)
  for (let round = 0; round < rounds; round++) {
    await visitor.page.goto(path)
    await visitor.page.evaluate(untilShown(FIRST_ROW))
    await visitor.page.waitForLoadState('networkidle')
    await visitor.page.keyboard.press('/')
    longest.push(
      await longestTaskDuring(visitor, async () => {
        await visitor.page.keyboard.type(words, { delay: KEY_MILLIS })
        await visitor.page.waitForURL((url) => url.searchParams.get('q') === words)
        await visitor.page.waitForLoadState('networkidle')
      }),
    )
  }
  await visitor.close()
  return row(`${title}: longest frame while typing, ms`, longest, '≤ 50')
}

/** In the page: milliseconds from a click on the link of this name until its screen is shown. */
function clickUntilShown(name: string, shown: string): string {
  return `new Promise((resolve, reject) => {
  const link = [...document.querySelectorAll('nav.side a')].find((found) => found.firstChild?.textContent === '${name}')
  const before = document.querySelector('main h1')
  const began = performance.now()
  setTimeout(() => reject(new Error('not shown: ${name}')), ${SHOWN_WITHIN_MILLIS})
  link.click()
  const look = () => {
    const isShown = document.querySelector('main h1') !== before && document.querySelector('main .bone') === null &&
      document.querySelector(${JSON.stringify(shown)}) !== null
    isShown ? resolve(performance.now() - began) : requestAnimationFrame(look)
  }
  requestAnimationFrame(look)
})`
}

async function routeRows(): Promise<string[][]> {
  const visitor = await signIn(browser, program)
  await visitor.page.goto(`/zones/${LARGE}`)
  await visitor.page.waitForLoadState('networkidle')
  const first = await walk(visitor)
  const quiet = await walk(visitor)
  const importing = importRepeatedly()
  const busy: (readonly [string, number])[] = []
  for (let round = 0; round < rounds; round++) busy.push(...(await walk(visitor)))
  const imports = await importing.stop()
  await visitor.close()
  console.log(`imports of ${recordCount} records meanwhile: ${imports}`)
  const times = (walked: readonly (readonly [string, number])[]) => walked.map(([, millis]) => millis)
  return [
    row('route change, first visit, ms', times(first), ''),
    row('route change, visited before, ms', times(quiet), ''),
    row('route change during imports, ms', times(busy), '< 100'),
    ...ROUTES.map(({ name }) => row(`- ${name}`, times(busy.filter(([found]) => found === name)), '')),
  ]
}

async function walk({ page }: Visitor): Promise<(readonly [string, number])[]> {
  const times: (readonly [string, number])[] = []
  for (const { name, shown } of ROUTES) {
    times.push([name, await page.evaluate<number>(clickUntilShown(name, shown))])
    await page.waitForTimeout(100)
  }
  return times
}

function importRepeatedly(): { readonly stop: () => Promise<number> } {
  let isOver = false
  let imports = 0
  const running = (async () => {
    while (!isOver) await importZone(IMPORTED, imports++ % 100)
  })()
  return {
    async stop() {
      isOver = true
      await running
      return imports
    },
  }
}

function row(title: string, samples: readonly number[], goal: string): string[] {
  return [title, median(samples).toFixed(0), Math.max(...samples).toFixed(0), goal]
}
