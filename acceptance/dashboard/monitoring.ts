// Monitoring in the dashboard: what a real browser reports is listed, filtered, explained and authorized.
import { deepEqual, equal, match, ok } from 'node:assert/strict'
import type { Browser } from 'playwright-core'
import { openShop } from '../browsers/shop.ts'
import { until } from '../browsers/site.ts'
import type { Report } from '../report.ts'
import { MONITORED_ZONE } from './monitoring-site.ts'
import type { Site } from './site.ts'
import type { Visitor } from './visitor.ts'

const SETTINGS = 'page_shield'

export async function runMonitoring(
  browser: Browser,
  visitor: Visitor,
  site: Site,
  report: Report,
): Promise<void> {
  await runDetections(browser, visitor, site, report)
  await runScripts(visitor, site, report)
  await runMonitoringSettings(visitor, site, report)
}

async function runDetections(
  browser: Browser,
  { page }: Visitor,
  { api, program }: Site,
  report: Report,
): Promise<void> {
  await report.check('what a browser reports is in the lists of scripts and connections', async () => {
    const shop = await openShop('dashboard-shop', api, program, undefined)
    const guest = await browser.newPage()
    try {
      await guest.goto(`${shop.origin}/page/shop`)
      const scripts = Object.values(shop.scripts)
      await until(
        async () =>
          (await api.get<readonly unknown[]>(`${shop.path}/scripts`)).length === scripts.length &&
          (await api.get<readonly unknown[]>(`${shop.path}/connections`)).length ===
            Object.keys(shop.connections).length,
        () => 'not everything was reported',
      )
      await page.goto('/zones/dashboard-shop.localhost/scripts')
      for (const url of scripts) await page.getByRole('link', { name: url, exact: true }).waitFor()
      equal(await page.locator('tbody tr[data-index]').count(), scripts.length)
      await page.goto('/zones/dashboard-shop.localhost/connections')
      for (const url of Object.values(shop.connections))
        await page.getByRole('link', { name: url, exact: true }).waitFor()
    } finally {
      await guest.close()
      await shop.site.close()
      await api.call('DELETE', `/zones/${shop.zoneId}`)
    }
  })
}

async function runScripts({ page, requests }: Visitor, { api }: Site, report: Report): Promise<void> {
  const [zone] = await api.get<readonly { id: string }[]>(`/zones?name=${MONITORED_ZONE}`)
  const list = `/zones/${zone?.id}/${SETTINGS}/scripts`
  await report.check('the filter of scripts is in the URL, and the server is asked', async () => {
    await page.goto(`/zones/${MONITORED_ZONE}/scripts`)
    await page.getByText('5 scripts detected.').waitFor()
    // The malicious one is first, and marked in words.
    match(await page.locator('tbody tr[data-index]').first().innerText(), /loader\.js[^]*malicious/)
    await page.keyboard.press('/')
    await page.keyboard.type('-url:assets page:*/checkout ')
    await page.getByText('3 scripts detected.').waitFor()
    equal(new URL(page.url()).searchParams.get('q'), '-url:assets page:*/checkout')
    ok(requests.some((request) => request.includes(`${list}?`) && request.includes('exclude_urls=assets')))
    await page.getByLabel('Status').selectOption('infrequent')
    await page.getByText('Nothing matches the filter.').waitFor()
    await page.getByRole('button', { name: 'Clear the filter' }).click()
    await page.getByText('5 scripts detected.').waitFor()
    equal(new URL(page.url()).search, '')
    await page.getByLabel('Status').selectOption('infrequent')
    await page.getByRole('link', { name: /chat\.js/ }).waitFor()
    await page.reload()
    await page.getByRole('link', { name: /chat\.js/ }).waitFor()
    equal(await page.getByLabel('Status').inputValue(), 'infrequent')
  })
  await report.check('a wrong filter is refused in the words of the server', async () => {
    await page.goto(`/zones/${MONITORED_ZONE}/scripts?q=host:a*b.example`)
    await page.getByRole('alert').waitFor()
    match(await page.getByRole('alert').innerText(), /\*/)
  })
  await report.check('a malicious script shows why, in words', async () => {
    await page.goto(`/zones/${MONITORED_ZONE}/scripts`)
    await page.getByRole('link', { name: /loader\.js/ }).click()
    await page.getByText(/^Malicious: the current content scores [1-9]\.$/).waitFor()
    match(String(await page.locator('h1').getAttribute('title')), /^https?:\/\/[^/]+\/.*loader\.js$/)
    const reasons = await page.locator('table.reasons').innerText()
    match(reasons, /Skimming[^]*sends what is typed into payment fields to another host/)
    match(reasons, /https:\/\/collect\.stats-cdn\.example/)
  })
  await report.check(
    'a script is authorized by the keyboard alone, and the authorization withdrawn',
    async () => {
      await page.goto(`/zones/${MONITORED_ZONE}/scripts`)
      await page.getByRole('link', { name: /p\.js/ }).press('Enter')
      await page.getByRole('button', { name: 'Authorize this content' }).press('Enter')
      await page.keyboard.type('Web team')
      await page.keyboard.press('Tab')
      // Day, month and year of the date, and its button.
      for (let part = 0; part < 4; part += 1) await page.keyboard.press('Tab')
      await page.keyboard.type('Counts clicks, asked for by support')
      await page.keyboard.press('Tab')
      await page.keyboard.press('Enter')
      await page.getByText('The script is authorized.').waitFor()
      const id = new URL(page.url()).pathname.split('/').at(-1)
      const path = `/zonereeve/zones/${zone?.id}/${SETTINGS}/scripts/${id}`
      const stored = await api.get<Record<string, unknown>>(`${path}/authorization`)
      const { content_sha256: content } = await api.get<{ content_sha256: string }>(`${path}/contents`)
      deepEqual(
        [
          stored['owner'],
          stored['justification'],
          stored['state'],
          stored['content_sha256'],
          stored['expires_at'],
        ],
        ['Web team', 'Counts clicks, asked for by support', 'valid', content, null],
      )
      const again = page.getByRole('button', { name: 'Authorize the current content' })
      await again.and(page.locator(':focus')).waitFor()
      await page.getByRole('button', { name: 'Withdraw' }).press('Enter')
      await page.getByText('This script is not authorized.').waitFor()
    },
  )
  await report.check('fetching now says when it is too early', async () => {
    await page.getByRole('button', { name: 'Fetch now' }).press('Enter')
    // Within a minute of the last fetch it is refused; later, it is due.
    await page
      .getByText(/as soon as its site has a turn|minute/)
      .first()
      .waitFor()
  })
}

async function runMonitoringSettings({ page }: Visitor, { api }: Site, report: Report): Promise<void> {
  const [zone] = await api.get<readonly { id: string }[]>('/zones?name=example.net')
  const own = `/zonereeve/zones/${zone?.id}/${SETTINGS}`
  await report.check('a list says that monitoring is off; it is turned on by the keyboard', async () => {
    await page.goto('/zones/example.net/cookies')
    await page.getByText('Monitoring is off.').waitFor()
    await page.getByRole('link', { name: 'Monitoring settings' }).last().press('Enter')
    await page.getByRole('switch', { name: 'Collect reports and keep an inventory' }).press('Space')
    await page.getByText('Monitoring is on.').waitFor()
    const settings = await api.get<{ enabled: boolean }>(`/zones/${zone?.id}/${SETTINGS}`)
    equal(settings.enabled, true)
  })
  await report.check('what is also reported and the sample are set, and other members stay', async () => {
    await page.getByRole('switch', { name: 'Documents in frames' }).press('Space')
    await page.getByText('The settings are saved.').waitFor()
    await page.getByRole('switch', { name: 'Documents in frames', checked: true }).waitFor()
    await page.getByLabel('Paths that always have it').fill('/checkout\n/account')
    await page.getByLabel('Share of documents').selectOption('fixed')
    await page.getByLabel('One document in').fill('4')
    await page.getByRole('button', { name: 'Save' }).first().press('Enter')
    await until(
      async () => (await api.get<{ mode: string }>(`${own}/sampling`)).mode === 'fixed',
      () => 'the sample was not saved',
    )
    const { now: _, ...sampling } = await api.get<Record<string, unknown>>(`${own}/sampling`)
    deepEqual(sampling, {
      mode: 'fixed',
      one_in: 4,
      whole_paths: ['/checkout', '/account'],
      also_report: ['frames'],
      beacon: false,
    })
  })
  await report.check('the monitoring script is turned on and off', async () => {
    const isOn = async () => (await api.get<{ beacon: boolean }>(`${own}/sampling`)).beacon
    // Disabled until the settings have been read again: a key pressed before is lost.
    const option = page.getByRole('switch', { name: /^Serve the monitoring script/, disabled: false })
    await option.press('Space')
    await page.getByRole('status').getByText('The script is served.').waitFor()
    equal(await isOn(), true)
    // The screen reads the settings again after it has saved them.
    await page.getByRole('switch', { name: /^Serve the monitoring script/, checked: true }).waitFor()
    await option.press('Space')
    await page.getByRole('status').getByText('The settings are saved.').waitFor()
    equal(await isOn(), false)
  })
  await report.check('a webhook shows its secret once; it is switched off and deleted', async () => {
    await page.getByRole('button', { name: 'Add webhook' }).press('Enter')
    await page.keyboard.type('https://alerts.example.com/zonereeve')
    await page.getByLabel('Events', { exact: true }).selectOption('alerts')
    await page.getByRole('button', { name: 'Add', exact: true }).press('Enter')
    await page.getByText('Copy the secret now.').waitFor()
    await page.getByRole('button', { name: 'Done' }).press('Enter')
    const webhooks = () =>
      api.get<readonly { enabled: boolean; kinds: readonly string[] }[]>(`${own}/webhooks`)
    ok((await webhooks())[0]?.kinds.includes('script.changed'))
    await page.getByRole('button', { name: /^Turn off: / }).press('Enter')
    await page.getByText('The webhook is off.').waitFor()
    equal((await webhooks())[0]?.enabled, false)
    await page.getByRole('button', { name: /^Delete: / }).click()
    await page.getByRole('button', { name: 'Delete it' }).press('Enter')
    await page.getByText('The webhook is deleted.').waitFor()
    deepEqual(await webhooks(), [])
    // No button that deletes is left.
    await page.locator('h2:focus', { hasText: 'Webhooks' }).waitFor()
  })
  await report.check('dropped reports are counted with their reasons', async () => {
    await page.goto(`/zones/${MONITORED_ZONE}/monitoring`)
    const drops = page.locator('table.drops')
    await drops.waitFor()
    match(await drops.innerText(), /from a browser extension[^]*extension\s+1/)
  })
}
