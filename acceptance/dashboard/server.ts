// Threat feeds, the audit log and the legacy firewall in the dashboard, by the keyboard and through to the server.
import { equal, match, ok } from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Report } from '../report.ts'
import { BLOCKED_FEED, WEBHOOK } from './server-site.ts'
import type { Site } from './site.ts'
import { untilQuiet, type Visitor } from './visitor.ts'
import { ENTERPRISE_ZONE } from './wizard-site.ts'

export async function runServer(visitor: Visitor, site: Site, report: Report): Promise<void> {
  await runFeeds(visitor, site, report)
  await runWebhooks(visitor, site, report)
  await runAudit(visitor, report)
  await runLegacy(visitor, site, report)
}

interface Feed {
  readonly id: string
  readonly name: string
  readonly enabled: boolean
  readonly status: { readonly entries: number }
}

async function runFeeds({ page }: Visitor, { api }: Site, report: Report): Promise<void> {
  const feedNamed = async (name: string): Promise<Feed | undefined> =>
    (await api.get<readonly Feed[]>('/zonereeve/threat_feeds')).find((feed) => feed.name === name)
  await report.check(
    'a threat feed is added by the keyboard, filled from a file, and flags a URL',
    async () => {
      await page.goto('/feeds')
      await page.getByRole('link', { name: BLOCKED_FEED }).waitFor()
      await page.keyboard.press('n')
      await page.keyboard.type('Typed list')
      await page.keyboard.press('Tab')
      await page.getByLabel('Format').selectOption('plain')
      await page.getByLabel('Name', { exact: true }).press('Enter')
      await page.getByRole('status').getByText('Typed list is added.').waitFor()
      const buffer = Buffer.from('listed.example\n')
      await page
        .locator('input[type=file]')
        .setInputFiles({ name: 'own.txt', mimeType: 'text/plain', buffer })
      await page.getByRole('status').getByText('The entries of Typed list are replaced.').waitFor()
      equal((await feedNamed('Typed list'))?.status.entries, 1)
      await page.getByLabel('Check a URL against all feeds').fill('https://cdn.listed.example/a.js')
      await page.keyboard.press('Enter')
      await page.locator('.callout.b').getByText('Typed list').waitFor()
    },
  )
  await report.check('a threat feed is turned off, and deleted', async () => {
    await page.getByRole('button', { name: 'Turn off' }).click()
    await page.getByRole('status').getByText('Typed list is off.').waitFor()
    equal((await feedNamed('Typed list'))?.enabled, false)
    // It does nothing until the feed has been read again: a key pressed before is lost.
    await page.getByRole('button', { name: 'Delete feed', disabled: false }).press('Enter')
    await page.locator('button:focus', { hasText: 'Keep it' }).press('Escape')
    await page.locator('button:focus', { hasText: 'Delete feed' }).press('Enter')
    await page.getByRole('button', { name: 'Delete it' }).click()
    await page.getByRole('status').getByText('Typed list is deleted.').waitFor()
    equal(await feedNamed('Typed list'), undefined)
    ok(await feedNamed(BLOCKED_FEED), 'others stay')
  })
}

interface Webhook {
  readonly url: string
  readonly kinds: readonly string[] | null
  readonly enabled: boolean
}

async function runWebhooks({ page }: Visitor, { api }: Site, report: Report): Promise<void> {
  const received: string[] = []
  const receiver = createServer((request, reply) => {
    received.push(String(request.headers['zonereeve-signature']))
    request.resume().on('end', () => reply.end())
  }).listen(0, '127.0.0.1')
  await once(receiver, 'listening')
  const url = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/hook`
  const [account] = await api.get<readonly { id: string }[]>('/accounts')
  const found = async (): Promise<Webhook | undefined> =>
    (await api.get<readonly Webhook[]>(`/zonereeve/accounts/${account?.id}/webhooks`)).find(
      (webhook) => webhook.url === url,
    )
  const said = (text: string) => page.getByRole('status').getByText(text).waitFor()
  const row = page.locator('tbody tr').filter({ hasText: url })
  await report.check('a webhook of the account is added by the keyboard, and its test arrives', async () => {
    await page.goto('/webhooks')
    await page.getByText(WEBHOOK).waitFor()
    await page.getByRole('button', { name: 'Add webhook' }).press('Enter')
    await page.keyboard.type(url)
    await page.keyboard.press('Enter')
    await page.getByText('Copy the secret now.').waitFor()
    await page.getByRole('button', { name: 'Done' }).press('Enter')
    await row.getByRole('button', { name: /^Send a test/ }).click()
    await said('Your server confirmed the test.')
    match(received[0] ?? 'nothing', /^t=\d+,v1=[0-9a-f]{64}$/)
  })
  await report.check('a webhook of the account is changed, turned off and deleted', async () => {
    await row.getByRole('button', { name: /^Edit/ }).click()
    await page.getByLabel('migration').uncheck()
    await page.getByRole('button', { name: 'Save' }).click()
    await said('The webhook is saved.')
    equal((await found())?.kinds?.includes('migration'), false)
    equal((await found())?.kinds?.includes('records'), true)
    await row.getByRole('button', { name: /^Turn off/ }).click()
    await said('The webhook is off.')
    equal((await found())?.enabled, false)
    await row.getByRole('button', { name: /^Delete/ }).click()
    ok(await found(), 'one click deletes nothing')
    await row.getByRole('button', { name: 'Delete it' }).click()
    await said('The webhook is deleted.')
    equal(await found(), undefined)
    await page.getByText(WEBHOOK).waitFor()
  })
  receiver.close()
}

async function runAudit({ page }: Visitor, report: Report): Promise<void> {
  await report.check(
    'the audit log is filtered, an entry narrows it further, the address keeps it',
    async () => {
      await page.goto('/audit')
      await page
        .getByRole('link', { name: /^threat_feed/ })
        .first()
        .waitFor()
      await page.keyboard.press('/')
      await page.keyboard.type('zone:example.com ')
      await page.waitForURL(/q=zone:example\.com/)
      await page
        .getByRole('link', { name: /^dns_record.create by/ })
        .first()
        .press('Enter')
      await page.getByRole('button', { name: 'Only this action' }).press('Enter')
      await page.waitForURL(
        (url) => url.searchParams.get('q') === 'zone:example.com action:dns_record.create',
      )
      await page.reload()
      await page
        .getByRole('link', { name: /^dns_record.create by/ })
        .first()
        .waitFor()
      equal(await page.getByRole('link', { name: /^(?!dns_record\.create).* by / }).count(), 0)
    },
  )
  await report.check(
    'the chain of the audit log is checked, also against an entry known from earlier',
    async () => {
      await page.goto('/audit')
      await page.getByRole('button', { name: 'Check the chain' }).click()
      await page.keyboard.press('Enter')
      await page.getByText(/[1-9]\d* entries, no break/).waitFor()
      const link = await page.locator('code.value').innerText()
      match(link, /^\d+:[0-9a-f]{64}$/)
      await page.getByLabel(/An entry known from earlier/).fill(link)
      // The answer to the first check has the same text.
      const read = page.waitForResponse((response) => response.url().includes('/audit_logs/export?'))
      await page.getByRole('button', { name: 'Check', exact: true }).click()
      await read
      await untilQuiet(page)
      await page.getByText(/entries, no break/).waitFor()
      await page.getByLabel(/An entry known from earlier/).fill(link.replace(/:.{4}/, ':0000'))
      await page.getByRole('button', { name: 'Check', exact: true }).click()
      await page.getByText('It is not the entry that you know.').waitFor()
      await page.keyboard.press('Escape')
      equal(await page.getByText('It is not the entry that you know.').count(), 0)
    },
  )
}

interface LegacyRule {
  readonly mode: string
  readonly default_mode?: string
  readonly allowed_modes: readonly string[]
}

interface Group {
  readonly id: string
  readonly name: string
  readonly mode: string
}

async function runLegacy({ page }: Visitor, { api }: Site, report: Report): Promise<void> {
  const [zone] = await api.get<readonly { id: string }[]>(`/zones?name=${ENTERPRISE_ZONE}`)
  const root = `/zones/${zone?.id}`
  await report.check('a group of legacy rules is turned off, and a rule gets another mode', async () => {
    const [first] = await api.get<readonly { id: string }[]>(`${root}/firewall/waf/packages`)
    const groupsPath = `${root}/firewall/waf/packages/${first?.id}/groups?per_page=1000`
    const [group] = (await api.get<readonly Group[]>(groupsPath)).filter(({ mode }) => mode === 'on')
    if (group === undefined) throw new Error('no group is on')
    await page.goto(`/zones/${ENTERPRISE_ZONE}/legacy-rules`)
    await page.getByRole('button', { name: `Turn off: ${group.name}`, exact: true }).press('Enter')
    await page.getByRole('status').getByText(`${group.name} is off.`).waitFor()
    equal((await api.get<readonly Group[]>(groupsPath)).find(({ id }) => id === group.id)?.mode, 'off')
    await page.getByRole('link', { name: group.name, exact: true }).press('Enter')
    const mode = page.locator('.group-rules select').first()
    const rule = (await mode.getAttribute('aria-label'))?.replace('Mode of rule ', '')
    const rulePath = `${root}/firewall/waf/packages/${first?.id}/rules/${rule}`
    const before = await api.get<LegacyRule>(rulePath)
    const other = before.allowed_modes.find((known) => known !== 'default' && known !== before.default_mode)
    await mode.selectOption(String(other))
    await page.getByRole('status').getByText(`Rule ${rule} is changed.`).waitFor()
    equal((await api.get<LegacyRule>(rulePath)).mode, other)
  })
  await report.check('a firewall rule is paused, a page rule turned off', async () => {
    await page.goto(`/zones/${ENTERPRISE_ZONE}/legacy-rules?show=firewall`)
    await page.getByRole('button', { name: 'Pause: our offices' }).click()
    await page.getByRole('button', { name: 'Resume: our offices' }).waitFor()
    const rules = await api.get<readonly { description: string; paused: boolean }[]>(`${root}/firewall/rules`)
    equal(
      rules
        .filter(({ paused }) => paused)
        .map(({ description }) => description)
        .join(),
      'our offices',
    )
    await page.getByRole('link', { name: 'Page rules' }).click()
    await page.getByRole('button', { name: /^Turn off: / }).click()
    await page.getByRole('button', { name: /^Turn on: / }).waitFor()
    equal((await api.get<readonly { status: string }[]>(`${root}/pagerules`))[0]?.status, 'disabled')
  })
}
