// Sizes: JavaScript of the first screens, what a zone of 100,000 records fetches. Its times are in bench/dashboard.
import { deepEqual, equal, ok } from 'node:assert/strict'
import type { Browser } from 'playwright-core'
import type { Report } from '../report.ts'
import { fetchedDuring, type Fetched } from './fetched.ts'
import { startServer } from '../program.ts'
import { createManyZones } from './cloned-zones.ts'
import { linkPath, signInAt } from './signed-in.ts'
import { addLargeZone, ZONE, type Site } from './site.ts'
import type { Visitor } from './visitor.ts'

const SHELL_BYTES = 150_000
const RECORDS_BYTES = 200_000
const FETCHED_BYTES = 1_000_000
/** Of the API, for one screen with its frame. */
export const MAX_REQUESTS = 16

export async function runSizes(
  { page, requests }: Visitor,
  { program }: Site,
  report: Report,
): Promise<void> {
  const scriptBytes = async (since: number): Promise<number> => {
    const scripts = new Set(requests.slice(since).filter((request) => request.endsWith('.js')))
    const sizes = [...scripts].map((request) => gzippedBytes(program.http + request.slice('GET '.length)))
    return (await Promise.all(sizes)).reduce((sum, size) => sum + size, 0)
  }
  await report.check('JavaScript stays small, gzipped', async () => {
    const since = requests.length
    await page.goto('/zones')
    await page.waitForLoadState('networkidle')
    const shell = await scriptBytes(since)
    await page.goto(`/zones/${ZONE}/records`)
    await page.waitForLoadState('networkidle')
    const withRecords = await scriptBytes(since)
    console.log(
      `      zones ${(shell / 1000).toFixed(1)} kB, with records ${(withRecords / 1000).toFixed(1)} kB`,
    )
    ok(shell > 0 && shell <= SHELL_BYTES, `${shell} bytes for the list of zones`)
    ok(withRecords <= RECORDS_BYTES, `${withRecords} bytes with the records`)
  })
}

async function gzippedBytes(url: string): Promise<number> {
  const reply = await fetch(url, { headers: { 'accept-encoding': 'gzip' } })
  await reply.arrayBuffer() // an unread reply keeps the program from ending
  equal(reply.headers.get('content-encoding'), 'gzip', url)
  equal(reply.headers.get('cache-control'), 'public, max-age=31536000, immutable')
  return Number(reply.headers.get('content-length'))
}

export async function runLargeZone(visitor: Visitor, site: Site, report: Report): Promise<void> {
  const { page } = visitor
  const zone = await addLargeZone(site)
  await report.check('100,000 records: little is fetched, any row is reachable', async () => {
    await page.goto(`/zones/${ZONE}/records`)
    await page.waitForLoadState('networkidle')
    const fetched = await fetchedDuring(visitor, async () => {
      await page.goto(`/zones/${zone}/records`)
      await page.getByText('host-000000', { exact: true }).waitFor()
    })
    expectLittle(fetched)
    await page.keyboard.press('End')
    await page.getByText('host-099999', { exact: true }).waitFor()
    ok((await page.locator('tbody tr').count()) < 100, 'only rows in sight are on the page')
  })
  await report.check('100,000 records: typing in the filter asks the server and finds', async () => {
    await page.goto(`/zones/${zone}/records`)
    await page.getByText('host-000000', { exact: true }).waitFor()
    const fetched = await fetchedDuring(visitor, async () => {
      await page.keyboard.press('/')
      await page.keyboard.type('host-0777')
      await page.getByText('host-077700', { exact: true }).waitFor()
      await page.getByText('100 of 100,000').waitFor()
    })
    equal(new URL(page.url()).searchParams.get('q'), 'host-0777')
    ok(fetched.requests <= 'host-0777'.length, `${fetched.requests} requests while nine keys were typed`)
  })
  await report.check('100,000 records: numbers in names by their value, to the last row', async () => {
    const [found] = await site.api.get<readonly { id: string }[]>(`/zones?name=${zone}`)
    for (const name of ['host-9', 'host-10'])
      await site.api.post(`/zones/${found?.id}/dns_records`, { type: 'A', name, content: '192.0.2.1' })
    await page.goto(`/zones/${zone}/records`)
    await page.getByLabel('Sort').selectOption('natural')
    await page.waitForURL(/sort=natural/)
    const names = page.locator('tbody tr[data-index] td.k1')
    await names.filter({ hasText: 'host-10' }).first().waitFor()
    const first = (await names.allInnerTexts()).map((text) => text.trim())
    ok(
      first.indexOf('host-9') > first.indexOf('host-000008') &&
        first.indexOf('host-9') < first.indexOf('host-10'),
    )
    await page.keyboard.press('End')
    await page.getByText('host-099999', { exact: true }).waitFor()
  })
}

const MANY_ZONES = 100_000

/** The times of the same are in bench/dashboard. */
export async function runManyZones(
  launcher: string,
  browser: Browser,
  report: Report,
  folder: string,
): Promise<void> {
  await createManyZones(launcher, folder, { count: MANY_ZONES, prefix: 'many-' })
  const program = await startServer(launcher, folder)
  const visitor = await signInAt(browser, program.http, await linkPath(launcher, folder))
  const { page } = visitor
  await report.check('100,000 zones: little is fetched, any row is reachable', async () => {
    await page.goto('/tokens')
    await page.waitForLoadState('networkidle')
    const fetched = await fetchedDuring(visitor, async () => {
      await page.goto('/zones')
      await page.getByRole('link', { name: 'many-000000.example', exact: true }).waitFor()
    })
    expectLittle(fetched)
    await page.getByText('100,001 zones').first().waitFor()
    await page.keyboard.press('End')
    await page.getByRole('link', { name: 'template.example' }).waitFor({ state: 'attached' })
    await page.getByRole('link', { name: 'many-099999.example' }).waitFor({ state: 'attached' })
    ok((await page.locator('tbody tr').count()) < 100, 'only rows in sight are on the page')
  })
  await report.check('100,000 zones: typing in the filter asks the server and finds', async () => {
    await page.goto('/zones')
    await page.getByRole('link', { name: 'many-000000.example', exact: true }).waitFor()
    const fetched = await fetchedDuring(visitor, async () => {
      await page.keyboard.press('/')
      await page.keyboard.type('many-07771')
      await page.getByRole('link', { name: 'many-077710.example' }).waitFor()
      await page.getByText('10 zones').waitFor()
    })
    equal(new URL(page.url()).searchParams.get('q'), 'many-07771')
    // Each answer is followed by the summaries of its zones.
    ok(fetched.requests <= 2 * 'many-07771'.length, `${fetched.requests} requests while ten keys were typed`)
    deepEqual(visitor.faults, [])
  })
  await visitor.close()
  await report.check('the program with 100,000 zones ends with code 0 on SIGTERM', program.stop)
}

function expectLittle({ bytes, requests }: Fetched): void {
  console.log(`      ${(bytes / 1000).toFixed(0)} kB, ${requests} requests`)
  ok(bytes > 0 && bytes <= FETCHED_BYTES, `${bytes} bytes`)
  ok(requests > 0 && requests <= MAX_REQUESTS, `${requests} requests`)
}
