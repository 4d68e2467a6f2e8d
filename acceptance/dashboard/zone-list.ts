// The list of zones: what it says of each zone, pins, and the counters of the navigation and the tabs of rules.
import { deepEqual, equal, ok } from 'node:assert/strict'
import type { Page } from 'playwright-core'
import type { Report } from '../report.ts'
import { ZONE, type Site } from './site.ts'
import type { Visitor } from './visitor.ts'

const PINNED = 'shop.example.org'
/** How long the server takes to read its counters again. */
const COUNTED_WITHIN_MILLIS = 30_000
/** Run in the page. */
const ROW_INDEXES =
  "[...document.querySelectorAll('tbody tr[aria-rowindex]')].map((row) => row.getAttribute('aria-rowindex'))"

export async function runZoneList({ page, context }: Visitor, { api }: Site, report: Report): Promise<void> {
  const row = rowOn(page)

  await report.check('the list says of a zone how it is asked, copied, watched and protected', async () => {
    await page.goto('/zones')
    const own = row(ZONE)
    await own.getByText('0 of 2 current').waitFor()
    await own.locator('.sp').waitFor({ timeout: COUNTED_WITHIN_MILLIS })
    const monitored = row('monitored.example')
    await monitored.getByText('2 malicious').waitFor()
    await row('free.example').locator('td.o1').getByText('–').waitFor()
    await row('validating.example').getByText('legacy + new').waitFor()
    await row('migrated.example').getByText('rulesets').waitFor()
    await row('example.net').getByText('DS expected').waitFor()
    equal(await row('free.example').locator('.sp').count(), 0, 'no answers without a query')
    await page.getByRole('link', { name: 'monitored.example' }).click()
    await page.getByRole('link', { name: 'Scripts 1 malicious', exact: true }).waitFor()
    await page.getByRole('link', { name: 'Connections 1 malicious', exact: true }).waitFor()
  })

  await report.check('a zone opens in a tab by Ctrl and a click, and in place by Enter', async () => {
    await page.goto('/zones')
    const link = page.getByRole('link', { name: ZONE, exact: true })
    const [tab] = await Promise.all([context.waitForEvent('page'), link.click({ modifiers: ['Control'] })])
    await tab.waitForURL(`**/zones/${ZONE}`)
    await tab.close()
    equal(new URL(page.url()).pathname, '/zones')
    await link.press('Enter')
    await page.waitForURL(`**/zones/${ZONE}`)
  })

  await report.check('a pinned zone is the first of the list, once, until it is unpinned', async () => {
    await page.goto(`/zones/${PINNED}`)
    await page.getByRole('button', { name: 'Pin', exact: true }).press('Enter')
    await page.getByRole('button', { name: 'Unpin', exact: true }).waitFor()
    await page.goto('/zones')
    await page.getByText(/ zones, 1 pinned\./).waitFor()
    const names = await untilFirst(page, PINNED)
    equal(names.filter((name) => name === PINNED).length, 1)
    const all = await api.get<readonly { name: string }[]>('/zones?per_page=50')
    equal(names.length, all.length)
    const table = page.getByRole('table')
    equal(await table.getAttribute('aria-rowcount'), String(all.length + 1), 'with the head')
    const places = await page.evaluate<readonly string[]>(ROW_INDEXES)
    deepEqual(
      places,
      [...all.keys()].map((index) => String(index + 2)),
      'each place is taken once',
    )
    ok(names.indexOf('activity.example') < names.indexOf('validating.example'), 'the others by name')
    await page.getByLabel('Sort').selectOption('-name')
    await page.waitForURL(/sort=-name/)
    await untilFirst(page, 'bücher.example')
    await page.getByRole('link', { name: PINNED, exact: true }).click()
    await page.getByRole('heading', { level: 1, name: PINNED }).waitFor()
    await page.keyboard.press('Control+k')
    await page.getByRole('combobox').fill('>unpin')
    await page.keyboard.press('Enter')
    await page.getByRole('button', { name: 'Pin', exact: true }).waitFor()
    await page.goto('/zones')
    await untilFirst(page, '2.0.192.in-addr.arpa')
    await page.getByText(/^\d+ zones\./).waitFor()
  })

  await checkAttention(page, api, report)
  await checkTabs(page, api, report)
}

const rowOn = (page: Page) => (name: string) =>
  page.getByRole('row').filter({ has: page.getByRole('link', { name, exact: true }) })

async function checkAttention(page: Page, api: Site['api'], report: Report): Promise<void> {
  const row = rowOn(page)
  await report.check('zones that need attention are counted in the head, and listed by a click', async () => {
    await page.goto('/zones')
    const { length } = await api.get<readonly object[]>('/zonereeve/zone_attention')
    ok(length >= 2)
    await page.getByRole('link', { name: `${length} need attention.` }).press('Enter')
    await page.waitForURL('**/zones?attention=yes')
    await page.getByText(`Only zones that need attention`).waitFor()
    await row(ZONE).getByText('0 of 2 current').waitFor()
    await row('monitored.example').getByText('2 malicious').waitFor()
    await shownLinks(page).nth(length).waitFor({ state: 'detached' })
    equal((await shownNames(page)).length, length)
    await page.reload()
    await row(ZONE).waitFor()
    await page.getByRole('link', { name: 'Show all zones' }).press('Enter')
    await row('free.example').waitFor()
    equal(new URL(page.url()).search, '')
  })
}

async function checkTabs(page: Page, api: Site['api'], report: Report): Promise<void> {
  await report.check('tabs of rules say how many rules there are, and follow a write', async () => {
    const name = 'rules-counted.example'
    const zone = await api.post<{ id: string }>('/zones', { name })
    await page.goto(`/zones/${name}/rules`)
    await page.getByRole('link', { name: '2 Custom rules 0 rules' }).waitFor()
    await page.getByRole('button', { name: 'Add rule' }).first().click()
    await page.getByLabel('Rule', { exact: true }).fill('Block dotfiles')
    await page.getByRole('textbox', { name: 'Expression' }).fill('http.request.uri.path contains "/."')
    await page.getByRole('button', { name: 'Add rule' }).last().press('Enter')
    await page.getByText('Block dotfiles is added.').waitFor()
    await page.getByRole('link', { name: '2 Custom rules 1 rule', exact: true }).waitFor()
    await page.getByRole('link', { name: 'Rules 1', exact: true }).waitFor()
    await page.getByRole('link', { name: '4 Managed rules 0 rules' }).click()
    await page.getByRole('heading', { level: 1, name: 'Managed rules' }).waitFor()
    await page.getByRole('link', { name: '2 Custom rules 1 rule', exact: true }).waitFor()
    await api.call('DELETE', `/zones/${zone.id}`)
  })
}

const shownLinks = (page: Page) => page.locator('tbody tr:not([hidden]) td.k1 a')

const shownNames = async (page: Page): Promise<string[]> =>
  (await shownLinks(page).allInnerTexts()).map((text) => text.trim())

async function untilFirst(page: Page, name: string): Promise<string[]> {
  await page.locator('tbody tr[aria-rowindex="2"] a', { hasText: name }).waitFor()
  return shownNames(page)
}
