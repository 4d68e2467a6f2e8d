// Catalog zones in the dashboard: published, followed with groups, changed and ended, and nothing of it for a viewer.
import { deepEqual, equal, match } from 'node:assert/strict'
import type { Browser, Page } from 'playwright-core'
import { createApi } from '../browsers/api.ts'
import type { Report } from '../report.ts'
import {
  addToPrimary,
  notifyAt,
  OTHER_PRIMARY,
  OWN_CATALOG,
  PRIMARY,
  PRIMARY_CATALOG,
} from './catalog-site.ts'
import { askUntil } from '../dns-client.ts'
import { signInInvited } from './signed-in.ts'
import { ZONE, type Site } from './site.ts'
import type { Visitor } from './visitor.ts'

interface SecondaryCatalog {
  readonly members: { readonly created: number; readonly pending: number }
  readonly held: { readonly serial: number } | null
  readonly groups: readonly { readonly name: string; readonly peers: readonly string[] }[]
  readonly state: string
}

export async function runCatalogs(
  browser: Browser,
  { page }: Visitor,
  site: Site,
  report: Report,
): Promise<void> {
  const [account] = await site.api.get<readonly { id: string }[]>('/accounts')
  const root = `/zonereeve/accounts/${account?.id}`
  await report.check('a viewer sees catalog zones and their zones, and no action', async () => {
    const invitation = { email: 'catalog-viewer@example.com', role: 'viewer' }
    const viewer = await signInInvited(browser, site, invitation)
    equal(await viewer.page.getByRole('button', { name: /^(Import zone files|Add zone)/ }).count(), 0)
    await viewer.page.getByRole('link', { name: 'Catalog zones' }).click()
    await viewer.page.getByRole('link', { name: PRIMARY_CATALOG }).waitFor()
    equal(await viewer.page.locator('main button').count(), 0)
    await viewer.page.getByRole('link', { name: PRIMARY_CATALOG }).click()
    await viewer.page.getByRole('link', { name: 'alpha.example', exact: true }).waitFor()
    equal(await viewer.page.locator('main button').count(), 0)
    deepEqual(viewer.faults, [])
    await viewer.close()
  })
  await report.check('a user of single zones has no page of catalog zones', async () => {
    const [zone] = await site.api.get<readonly { id: string }[]>(`/zones?name=${ZONE}`)
    const roles = [{ zone_id: zone?.id, role: 'admin' }]
    const guest = await signInInvited(browser, site, { email: 'one-zone@example.com', zone_roles: roles })
    await guest.page.getByRole('link', { name: ZONE, exact: true }).waitFor()
    equal(await guest.page.getByRole('link', { name: 'Catalog zones' }).count(), 0)
    await guest.close()
  })
  await runPublished(page, site, root, report)
  await runSecondary(page, site, root, report)
  await runCheckNow(page, site, root, report)
  await runHeld(page, site, root, report)
  await runEnd(page, site, report)
}

const saidOn = (page: Page) => (text: string) => page.getByRole('status').getByText(text).waitFor()

async function runPublished(page: Page, { api }: Site, root: string, report: Report): Promise<void> {
  const said = saidOn(page)
  await report.check('a published catalog zone lists its zones, with who has them', async () => {
    await page.goto('/catalogs')
    await page.getByRole('link', { name: OWN_CATALOG }).press('Enter')
    await page.getByRole('heading', { level: 1, name: OWN_CATALOG }).waitFor()
    equal(await page.locator('.crumb').innerText(), `Catalog zones\n/\n${OWN_CATALOG}`)
    const row = page.getByRole('row').filter({ has: page.getByRole('link', { name: ZONE, exact: true }) })
    await row.getByText('0 of 2 current').waitFor()
    const { members } = await api.get<{ members: number }>(`${root}/catalog_zone`)
    equal(await page.locator('tbody tr td.k1').count(), members)
  })
  await report.check(
    'a published catalog zone is renamed, ended after a question, and published again',
    async () => {
      await page.getByRole('button', { name: 'Change' }).press('Enter')
      await page.getByLabel('Name').fill('zones.example.com')
      await page.getByLabel('Name').press('Enter')
      await said('zones.example.com is saved.')
      await page.getByRole('heading', { level: 1, name: 'zones.example.com' }).waitFor()
      await page.waitForURL(({ pathname }) => pathname === '/catalogs/zones.example.com')
      await page.getByRole('button', { name: 'Stop publishing…' }).press('Enter')
      await page.keyboard.press('Escape')
      await page.locator('button:focus', { hasText: 'Stop publishing…' }).waitFor()
      await page.keyboard.press('Enter')
      await page.getByRole('button', { name: 'Stop publishing', exact: true }).press('Enter')
      await said('zones.example.com is no longer published.')
      await page.getByRole('button', { name: 'Publish a catalog zone' }).press('Enter')
      await page.keyboard.type(ZONE)
      await page.getByRole('group', { name: 'Peers that may read it' }).getByLabel(PRIMARY).press('Space')
      await page.getByRole('button', { name: 'Publish', exact: true }).press('Enter')
      await page.getByRole('alert').getByText(`there is a zone ${ZONE}`).waitFor()
      await page.getByLabel('Name').fill(OWN_CATALOG)
      await page.getByLabel('Name').press('Enter')
      await said(`${OWN_CATALOG} is published.`)
      equal((await api.get<{ name: string }>(`${root}/catalog_zone`)).name, `${OWN_CATALOG}.`)
    },
  )
}

async function runSecondary(page: Page, { api }: Site, root: string, report: Report): Promise<void> {
  const said = saidOn(page)
  const one = `${root}/secondary_catalogs/${PRIMARY_CATALOG}`
  await report.check(
    'a catalog zone of another nameserver shows its zones, their groups, and a conflict',
    async () => {
      await page.goto('/catalogs')
      const row = page.getByRole('row').filter({ hasText: PRIMARY_CATALOG })
      await row.getByText('conflicts').waitFor()
      await row.getByText('2 of 3').waitFor()
      await row.getByRole('link').press('Enter')
      const alpha = page.getByRole('row').filter({ has: page.getByRole('link', { name: 'alpha.example' }) })
      await alpha.getByText('internal').waitFor()
      await alpha.getByText('current').waitFor()
      await page.getByRole('row').filter({ hasText: 'shop.example.org' }).getByText('exists').waitFor()
    },
  )
  await report.check(
    'the primaries of a zone of it are not edited there, but a link leads to it',
    async () => {
      await page.goto('/zones/alpha.example/transfers')
      const primaries = page.getByRole('group', { name: 'Primaries of this zone' })
      await primaries.getByText(PRIMARY).first().waitFor()
      equal(await primaries.getByRole('checkbox').or(primaries.getByRole('button')).count(), 0)
      await primaries.getByRole('link', { name: PRIMARY_CATALOG }).press('Enter')
      await page.getByRole('heading', { level: 1, name: PRIMARY_CATALOG }).waitFor()
      await page.getByRole('link', { name: 'alpha.example', exact: true }).waitFor()
    },
  )
  await report.check('failed polls take nothing off the page, and an open form stays', async () => {
    const members = `**/client/v4${one}/members?*`
    await failPolls<SecondaryCatalog>(page, `**/client/v4${one}`, (catalog) => {
      Object.assign(catalog.members, { pending: 1 })
    })
    await failPolls<readonly { readonly transfers: object }[]>(page, members, (listed) => {
      for (const { transfers } of listed) Object.assign(transfers, { state: 'waiting', problem: null })
    })
    await page.reload()
    await page.getByRole('button', { name: 'Change' }).press('Enter')
    await page.getByRole('button', { name: 'Add group' }).press('Enter')
    await page.keyboard.type('typed')
    await page.getByText('What is shown may be outdated.').nth(1).waitFor()
    equal(await page.getByLabel('Group', { exact: true }).last().inputValue(), 'typed')
    await page.getByRole('link', { name: 'alpha.example' }).waitFor()
    await page.unrouteAll({ behavior: 'wait' })
    await page.getByText('What is shown may be outdated.').first().waitFor({ state: 'detached' })
    equal(await page.getByLabel('Group', { exact: true }).last().inputValue(), 'typed')
    await page.getByLabel('Group', { exact: true }).last().press('Escape')
  })
  await report.check('an account that is not known is not replaced by another', async () => {
    for (const path of ['/catalogs', `/catalogs/${PRIMARY_CATALOG}`]) {
      await page.goto(`${path}?account=unknown`)
      await page.getByText('No such account').waitFor()
    }
    await page.goto(`/catalogs/${PRIMARY_CATALOG}?account=${root.split('/').at(-1)}`)
  })
  await report.check('the primaries of a group are changed, and a group is added and removed', async () => {
    await page.getByRole('button', { name: 'Change' }).press('Enter')
    await page.locator('input:focus').waitFor()
    const primaries = page.getByRole('group', { name: 'Primaries of internal' })
    await primaries.getByLabel(OTHER_PRIMARY).check()
    await primaries.locator('label').filter({ hasText: OTHER_PRIMARY }).getByText('no. 2').waitFor()
    await page.getByRole('button', { name: 'Add group' }).press('Enter')
    await page.keyboard.type('eu')
    equal(await page.getByRole('button', { name: 'Save' }).isDisabled(), true, 'a group needs primaries')
    await page.getByRole('button', { name: 'Remove the group eu' }).press('Enter')
    await page.locator('button:focus', { hasText: 'Add group' }).waitFor()
    await page.getByRole('button', { name: 'Save' }).press('Enter')
    await said(`${PRIMARY_CATALOG} is saved.`)
    await page.getByText(`${PRIMARY}, ${OTHER_PRIMARY}`).waitFor()
    const { groups } = await api.get<SecondaryCatalog>(one)
    deepEqual(
      groups.map(({ name, peers }) => [name, peers.length]),
      [['internal', 2]],
    )
  })
}

/** Changes the first answer, so that the page polls, and fails all later requests. */
async function failPolls<Result>(page: Page, url: string, change: (result: Result) => void): Promise<void> {
  let isFirst = true
  await page.route(url, async (route) => {
    const errors = [{ code: 10_000, message: 'busy' }]
    if (!isFirst)
      return route.fulfill({ status: 503, json: { success: false, result: null, errors, messages: [] } })
    isFirst = false
    const response = await route.fetch()
    const envelope = (await response.json()) as { readonly result: Result } // as the API answers
    change(envelope.result)
    await route.fulfill({ response, json: envelope })
  })
}

const WAIT_MILLIS = 50
/** Nothing listens there. */
const DEAD_PORT = 9

async function untilCatalog(
  api: Site['api'],
  path: string,
  accept: (catalog: SecondaryCatalog) => boolean,
): Promise<SecondaryCatalog> {
  for (;;) {
    const catalog = await api.get<SecondaryCatalog>(path)
    if (accept(catalog)) return catalog
    await new Promise((resolve) => setTimeout(resolve, WAIT_MILLIS))
  }
}

async function runCheckNow(
  page: Page,
  { api, program, primary: other }: Site,
  root: string,
  report: Report,
): Promise<void> {
  const one = `${root}/secondary_catalogs/${PRIMARY_CATALOG}`
  const zone = 'unannounced.example'
  await report.check('Check now finds a zone that no NOTIFY announced, and it is answered', async () => {
    const primary = createApi(other)
    const [catalog] = await primary.get<readonly { id: string }[]>(`/zones?name=${PRIMARY_CATALOG}`)
    const records = `/zones/${catalog?.id}/dns_records`
    await notifyAt(primary, DEAD_PORT)
    await addToPrimary(primary, zone, [{ type: 'A', name: 'www', content: '192.0.2.80' }])
    const member = { type: 'PTR', name: 'unannounced.zones', content: zone }
    const { id } = await primary.post<{ id: string }>(records, member)
    await page.goto(`/catalogs/${PRIMARY_CATALOG}`)
    await page.getByRole('link', { name: 'alpha.example', exact: true }).waitFor()
    equal((await api.get<SecondaryCatalog>(one)).members.created, 2, 'it is not known yet')
    await page.getByRole('button', { name: 'Check now' }).press('Enter')
    await saidOn(page)(
      'The primaries are being queried. A newer version is transferred and applied, unless it has to be confirmed.',
    )
    await page.getByRole('link', { name: zone, exact: true }).waitFor()
    await askUntil(program.dns, `www.${zone}`, 'A', ({ answers }) => answers.length === 1)
    await notifyAt(primary, program.dns.port)
    await primary.call('DELETE', `${records}/${id}`)
    await untilCatalog(api, one, ({ members }) => members.created === 2 && members.pending === 0)
  })
}

/** More than ten, and more than half of all. */
const MANY = 12

async function runHeld(
  page: Page,
  { api, primary: program }: Site,
  root: string,
  report: Report,
): Promise<void> {
  const one = `${root}/secondary_catalogs/${PRIMARY_CATALOG}`
  const until = (accept: (catalog: SecondaryCatalog) => boolean) => untilCatalog(api, one, accept)
  await report.check('a version that removes most zones is held, and applied by a button', async () => {
    const primary = createApi(program)
    const [zone] = await primary.get<readonly { id: string }[]>(`/zones?name=${PRIMARY_CATALOG}`)
    const batch = `/zones/${zone?.id}/dns_records/batch`
    const posts = Array.from({ length: MANY }, (_, index) => ({
      type: 'PTR',
      name: `held${index}.zones`,
      content: `held-${index}.example`,
    }))
    const added = await primary.post<{ posts: readonly { id: string }[] }>(batch, { posts })
    await until(({ members }) => members.created === MANY + 2 && members.pending === 0)
    await primary.post(batch, { deletes: added.posts.map(({ id }) => ({ id })) })
    const { held } = await until((catalog) => catalog.held !== null)
    await page.goto('/catalogs')
    const row = page.getByRole('row').filter({ hasText: PRIMARY_CATALOG })
    await row.getByText('needs confirmation').waitFor()
    await row.getByRole('link').press('Enter')
    await page.getByText(`Version ${held?.serial} is not used.`).waitFor()
    await page.getByText(`Of ${MANY + 2} zones it deletes ${MANY} and resets 0.`).waitFor()
    await page.getByRole('button', { name: 'Apply it' }).press('Enter')
    await saidOn(page)(`Version ${held?.serial} is transferred and applied.`)
    await until(({ members }) => members.created === 2 && members.pending === 0)
    await page.reload()
    await page.getByRole('link', { name: 'alpha.example', exact: true }).waitFor()
    equal(await page.getByText('is not used.').count(), 0)
  })
}

async function runEnd(page: Page, { api }: Site, report: Report): Promise<void> {
  const said = saidOn(page)
  await report.check('following ends and keeps the zones; followed again, they are conflicts', async () => {
    await page.getByRole('button', { name: 'Stop following…' }).press('Enter')
    await page.getByLabel(/^Delete 2 zones/).check()
    await page.getByRole('button', { name: 'Stop, and delete the zones' }).waitFor()
    await page.getByLabel(/^Keep 2 zones/).check()
    await page.getByRole('button', { name: 'Stop, and keep the zones' }).press('Enter')
    await said(`${PRIMARY_CATALOG} is no longer followed.`)
    await page.getByText('This account follows no catalog zone.').waitFor()
    const copies = await api.get<readonly { type: string }[]>('/zones?name=alpha.example')
    equal(copies[0]?.type, 'secondary')
    await page.getByRole('button', { name: 'Follow a catalog zone' }).press('Enter')
    await page.keyboard.type(PRIMARY_CATALOG)
    await page
      .getByRole('group', { name: /^Primaries, in the order/ })
      .getByLabel(PRIMARY)
      .press('Space')
    await page.getByRole('button', { name: 'Follow', exact: true }).press('Enter')
    await said(`${PRIMARY_CATALOG} is transferred from its primary.`)
    await page.getByRole('row').filter({ hasText: PRIMARY_CATALOG }).getByText('conflicts').waitFor()
    match(await page.getByRole('row').filter({ hasText: PRIMARY_CATALOG }).innerText(), /0 of 3/)
  })
}
