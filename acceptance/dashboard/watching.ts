// What a zone's monitoring watches and tells people: contents of scripts compared, watched pages, e-mail alerts.
import { deepEqual, equal, match, ok } from 'node:assert/strict'
import { until } from '../browsers/site.ts'
import type { Report } from '../report.ts'
import { MONITORED_ZONE } from './monitoring-site.ts'
import type { Site } from './site.ts'
import type { Visitor } from './visitor.ts'

const ROOT = `/zones/${MONITORED_ZONE}`

export async function runWatching(visitor: Visitor, site: Site, report: Report): Promise<void> {
  const [zone] = await site.api.get<readonly { id: string }[]>(`/zones?name=${MONITORED_ZONE}`)
  const own = `/zonereeve/zones/${zone?.id}/page_shield`
  await runContents(visitor, report)
  await runWatchedPages(visitor, site, own, report)
  await runEmails(visitor, site, own, report)
}

async function runContents({ page, requests }: Visitor, report: Report): Promise<void> {
  await report.check(
    'the list of scripts says which authorization still covers, with one request',
    async () => {
      const since = requests.length
      await page.goto(`${ROOT}/scripts`)
      const row = (path: RegExp) => page.locator('tbody tr[data-index]').filter({ hasText: path })
      await row(/app\.7f3c1\.js/)
        .getByText('content changed')
        .waitFor()
      await row(/a-very-long-name/)
        .getByText(/^valid until \w+ 20\d\d$/)
        .waitFor()
      await row(/loader\.js/)
        .getByText('not authorized')
        .waitFor()
      equal(requests.slice(since).filter((request) => request.includes('/authorizations?')).length, 1)
    },
  )
  await report.check('two contents of a script are compared, in either direction', async () => {
    await page.getByRole('link', { name: /app\.7f3c1\.js/ }).press('Enter')
    await page.getByText('2 added, 1 removed.').waitFor()
    const lines = () => page.locator('ol.diff li.a').allInnerTexts()
    match((await lines()).join('\n'), /tax/)
    const [from, to] = [page.getByLabel('From', { exact: true }), page.getByLabel('To', { exact: true })]
    const [older, newer] = [await from.inputValue(), await to.inputValue()]
    await from.selectOption(newer)
    await page.getByText('Both are the same content.').waitFor()
    await to.selectOption(older)
    await page.getByText('1 added, 2 removed.').waitFor()
    ok(!(await lines()).join('\n').includes('tax'))
    const download = page.waitForEvent('download')
    await page.getByRole('link', { name: newer.slice(0, 8), exact: true }).click()
    match((await download).suggestedFilename(), /\.txt$/)
  })
}

interface Watched {
  readonly id: string
  readonly url: string
  readonly interval_minutes: number
}

async function runWatchedPages({ page }: Visitor, { api }: Site, own: string, report: Report): Promise<void> {
  const watched = () => api.get<readonly Watched[]>(`${own}/pages`)
  await report.check('a watched page shows drift, headers, scripts and what changed', async () => {
    await page.goto(`${ROOT}/pages`)
    await page.getByText('1 policy missing').waitFor()
    await page.getByRole('link', { name: /\/checkout$/ }).press('Enter')
    await page.getByText('It is sent without 1 policy of this zone.').waitFor()
    const changes = page.locator('.diff li')
    await changes.first().waitFor()
    deepEqual(
      (await changes.allInnerTexts()).map((line) =>
        line
          .replaceAll('\n', ' ')
          .replace(/sha256-.*/, '')
          .trim(),
      ),
      [
        '− strict-transport-security: max-age=31536000',
        '− x-frame-options: DENY',
        '+ x-frame-options: SAMEORIGIN',
        '+ inline window.dataLayer = []',
      ],
    )
    await page.getByLabel('Checked every').selectOption('10080')
    await page.getByText('The interval is saved.').waitFor()
    equal((await watched())[0]?.interval_minutes, 10_080)
    await page.getByRole('button', { name: 'Check now', disabled: false }).press('Enter')
    // Within a minute of the last check it is refused; later, it is due.
    await page
      .getByText(/as soon as its site has a turn|minute/)
      .first()
      .waitFor()
  })
  await report.check('a page is watched by the keyboard, and no longer', async () => {
    await page.goto(`${ROOT}/pages`)
    await page.getByRole('link', { name: /\/checkout$/ }).waitFor()
    await page.keyboard.press('n')
    const field = page.getByLabel('URL of the page')
    await field.fill('https://elsewhere.example/')
    await page.keyboard.press('Enter')
    await page.getByRole('alert').waitFor()
    equal((await watched()).length, 1, 'a page of another zone is refused')
    await field.fill(`http://www.${MONITORED_ZONE}:9/nothing`)
    await page.keyboard.press('Enter')
    await page.getByText('The page is watched, and checked at once.').waitFor()
    await page.getByRole('link', { name: /\/nothing$/ }).press('Enter')
    await page.getByRole('button', { name: 'Stop watching' }).press('Enter')
    await page.waitForURL(`**${ROOT}/pages`)
    deepEqual(
      (await watched()).map(({ url }) => new URL(url).pathname),
      ['/checkout'],
    )
  })
}

interface Alert {
  readonly enabled: boolean
  readonly recipients: readonly string[]
  readonly digest_minutes: number
}

async function runEmails(
  { page }: Visitor,
  { api, mails }: Site,
  own: string,
  report: Report,
): Promise<void> {
  const alerts = () => api.get<readonly Alert[]>(`${own}/email_alerts`)
  await report.check('an e-mail alert is added, tested, switched off and deleted', async () => {
    await page.goto(`${ROOT}/monitoring`)
    await page.getByRole('button', { name: 'Add e-mail alert' }).press('Enter')
    await page.keyboard.type('duty@example.com, ')
    await page.getByLabel('At most one e-mail in').fill('5')
    await page.keyboard.press('Enter')
    await page.getByText('The e-mail alert is added.').waitFor()
    await page.getByRole('button', { name: 'Add e-mail alert' }).and(page.locator(':focus')).waitFor()
    deepEqual(
      (await alerts()).map(({ recipients, digest_minutes: digest }) => [recipients.length, digest]),
      [
        [2, 60],
        [1, 5],
      ],
    )
    const before = mails.length
    await page.getByRole('button', { name: 'Send a test: duty@example.com' }).press('Enter')
    await page.getByText('The SMTP server accepted the test.').waitFor()
    await until(
      async () => mails.slice(before).some((mail) => /^To: .*duty@example\.com/m.test(mail)),
      () => 'the SMTP server did not get the test',
    )
    await page.getByRole('button', { name: 'Turn off: duty@example.com' }).click()
    await page.getByText('The e-mail alert is off.').waitFor()
    equal((await alerts())[1]?.enabled, false)
    await page.getByRole('button', { name: 'Delete: duty@example.com' }).click()
    await page.getByRole('button', { name: 'Delete it' }).click()
    await page.getByText('The e-mail alert is deleted.').waitFor()
    equal((await alerts()).length, 1)
  })
}
