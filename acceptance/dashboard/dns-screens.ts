// DNSSEC, transfers, DNS settings and the explanation of answers, by the keyboard, down to what DNS answers.
import { deepEqual, equal, match, ok } from 'node:assert/strict'
import type { Page } from 'playwright-core'
import { ask } from '../dns-client.ts'
import type { Report } from '../report.ts'
import { ZONE, type Site } from './site.ts'
import { untilQuiet, type Visitor } from './visitor.ts'

const OTHER = 'example.org'

export async function runDnsScreens(visitor: Visitor, site: Site, report: Report): Promise<void> {
  await runSigning(visitor, site, report)
  await runAnswers(visitor, site, report)
  await runUpdateKeys(visitor, site, report)
  await runPeers(visitor, report)
  await runBehind(visitor, site, report)
  await runRates(visitor, site, report)
}

const saidBy = (page: Page) => (text: string) => page.getByRole('status').getByText(text).waitFor()

async function runSigning({ page }: Visitor, site: Site, report: Report): Promise<void> {
  const status = saidBy(page)
  const isSigned = async () => (await ask(site.program.dns, OTHER, 'DNSKEY')).answers.length >= 2

  await report.check('a zone is signed, its DS is copied, and stopping waits for the parent', async () => {
    await page.goto(`/zones/${OTHER}/dnssec`)
    await page.getByRole('button', { name: 'Sign this zone' }).press('Enter')
    await status(`${OTHER} is signed.`)
    ok(await isSigned(), 'DNS has the keys')
    await page.getByRole('button', { name: 'As one record: DS record' }).press('Enter')
    match(await copied(page), /^example\.org\. 3600 IN DS \d+ 13 2 [0-9A-F]{64}$/)
    await confirmDs(site)
    await page.reload()
    await page.getByText('the parent has the DS').waitFor()
    const stop = page.getByRole('button', { name: 'Stop signing…' })
    await stop.press('Enter')
    await page.locator('button:focus', { hasText: 'Cancel' }).waitFor()
    await page.keyboard.press('Escape')
    await page.locator('button:focus', { hasText: 'Stop signing…' }).waitFor()
    await page.keyboard.press('Enter')
    await page.keyboard.press('Enter')
    await page.locator('button:focus', { hasText: 'Stop signing…' }).waitFor()
    ok(await isSigned(), 'Enter twice carries nothing out')
    await page.keyboard.press('Enter')
    await page.getByRole('button', { name: 'Stop once the DS is gone' }).press('Enter')
    await status('Signing stops once the parent has no DS.')
    ok(await isSigned(), 'still signed')
    await page.getByRole('button', { name: 'Keep signing' }).click()
    await status('The zone stays signed.')
  })

  await report.check('a key rollover starts, and its key is listed', async () => {
    await page.goto(`/zones/${OTHER}/dnssec`)
    await page.getByRole('button', { name: 'Roll the zone signing key' }).press('Enter')
    await status('The rollover has started.')
    await page.getByText('published, not in all caches yet').waitFor()
    await page.getByRole('button', { name: 'Roll the zone signing key' }).click()
    await page.getByRole('alert').waitFor()
  })
}

async function runAnswers({ page }: Visitor, site: Site, report: Report): Promise<void> {
  const status = saidBy(page)

  await report.check('an answer is explained, with a link to its record', async () => {
    await page.goto(`/zones/${ZONE}/query`)
    await page.getByLabel('Name').fill('mail')
    await page.keyboard.press('Enter')
    await page.getByText('mail.example.com. 3600 IN A 192.0.2.25').waitFor()
    equal(new URL(page.url()).search, '?name=mail&type=A')
    await page.getByRole('link', { name: 'Edit the record' }).press('Enter')
    await page.getByLabel('IPv4 address').waitFor()
    equal(await page.getByLabel('IPv4 address').inputValue(), '192.0.2.25')
    await page.goto(`/zones/${ZONE}/query?name=nothing&type=A`)
    await page.getByText('NXDOMAIN').waitFor()
  })

  await report.check(
    'the SOA is changed, only where it was, and a wrong value is refused at its field',
    async () => {
      await page.goto(`/zones/${ZONE}/dns-settings`)
      await page.getByLabel('Retry').fill('1200')
      await page.getByLabel('Retry').press('Enter')
      await status('DNS settings saved.')
      const stored = await soaOf(site)
      match(stored, / 10000 1200 604800 /)
      await page.getByLabel('Refresh').fill('5')
      await page.getByLabel('Refresh').press('Enter')
      await page.locator('.err').waitFor()
      equal(await soaOf(site), stored)
      await page.getByRole('button', { name: 'Discard' }).press('Enter')
      equal(await page.getByLabel('Refresh').inputValue(), '10000')
    },
  )

  await report.check(
    'what is typed while saved DNS settings are read again stays, and the focus',
    async () => {
      await page.goto(`/zones/${ZONE}/dns-settings`)
      const [retry, refresh] = [page.getByLabel('Retry'), page.getByLabel('Refresh')]
      await retry.fill('1300')
      await untilQuiet(page)
      let release = (): void => undefined
      const isHeld = new Promise<void>((resolve) => (release = resolve))
      const settings = '**/client/v4/**/dns_settings'
      await page.route(settings, async (route) => {
        if (route.request().method() === 'GET') await isHeld
        await route.continue()
      })
      await retry.press('Enter')
      await status('DNS settings saved.')
      await refresh.fill('5000')
      await page.getByRole('button', { name: 'Discard' }).press('Enter')
      deepEqual([await retry.inputValue(), await refresh.inputValue()], ['1300', '10000'])
      await refresh.fill('9000')
      release()
      await untilQuiet(page)
      await refresh.and(page.locator(':focus')).waitFor()
      deepEqual([await retry.inputValue(), await refresh.inputValue()], ['1300', '9000'])
      await page.getByRole('button', { name: 'Discard' }).press('Enter')
      deepEqual([await retry.inputValue(), await refresh.inputValue()], ['1300', '10000'])
      await page.unroute(settings)
    },
  )
}

async function runUpdateKeys({ page }: Visitor, site: Site, report: Report): Promise<void> {
  const status = saidBy(page)
  const keys = async () => (await site.api.get<readonly object[]>('/zonereeve/update_keys')).length
  await report.check(
    'an update key has a secret that is shown once, and is deleted in two steps',
    async () => {
      const before = await keys()
      await page.goto(`/zones/${ZONE}/dns-settings`)
      // It can be used once the tokens are known: a key pressed before is lost.
      await page.getByRole('button', { name: 'Add update key', disabled: false }).press('Enter')
      await page.keyboard.type('acme.update')
      const add = page.getByRole('button', { name: 'Add', exact: true })
      equal(await add.isDisabled(), true, 'no token is chosen by itself')
      await page.getByLabel('Token whose permissions it has').selectOption('terraform-prod')
      await add.press('Enter')
      await status('Update key acme.update added.')
      await page.getByText('Secret of acme.update').waitFor()
      const remove = page.getByRole('button', { name: 'Delete acme.update' })
      await remove.press('Enter')
      await page.locator('button:focus', { hasText: 'Keep it' }).press('Enter')
      await page.locator('button:focus', { hasText: 'Delete' }).waitFor()
      equal(await keys(), before + 1, 'Enter twice deletes nothing')
      await remove.press('Enter')
      await page.getByRole('button', { name: 'Delete it' }).press('Enter')
      await status('Update key acme.update deleted.')
      await page.locator('button:focus, h2:focus', { hasText: /^(Delete|Update keys)$/ }).waitFor()
      equal(await keys(), before)
      equal(await page.getByText('Secret of acme.update').count(), 0)
    },
  )
}

async function runPeers({ page }: Visitor, report: Report): Promise<void> {
  const status = saidBy(page)

  await report.check('a peer is added by the keyboard, gets the zone, and focus returns', async () => {
    await page.goto(`/zones/${OTHER}/transfers`)
    const add = page.getByRole('button', { name: 'Add peer' })
    await add.press('Enter')
    await page.keyboard.type('ns9.example.net')
    await page.keyboard.press('Tab')
    await page.keyboard.type('192.0.2.999')
    await page.keyboard.press('Enter')
    await page.getByRole('alert').getByText('ip must be an IPv4 or IPv6 address').waitFor()
    await page.getByLabel('Address (optional)').fill('192.0.2.99')
    await page.keyboard.press('Enter')
    await status('Peer ns9.example.net added.')
    await add.and(page.locator(':focus')).waitFor()
    await page.getByRole('group', { name: 'Peers of this zone' }).getByLabel('ns9.example.net').press('Space')
    await page.getByRole('button', { name: 'Save peers' }).click()
    await status('Peers saved.')
    await page.getByRole('button', { name: 'Enable transfers' }).click()
    await status('Transfers are enabled')
    await page.getByRole('button', { name: 'Disable transfers' }).click()
    await status('Transfers are disabled.')
    const remove = page.getByRole('button', { name: 'Delete ns9.example.net' })
    await remove.press('Enter')
    await page.getByRole('button', { name: 'Delete it' }).press('Enter')
    await page.getByRole('alert').getByText('remove it from their transfers first').waitFor()
    await remove.and(page.locator(':focus')).waitFor()
  })
  await report.check(
    'after a deletion, the focus is on the next button that deletes, or on the last one',
    async () => {
      for (const [name, address] of [
        ['a', '192.0.2.1/32'],
        ['b', '192.0.2.2/32'],
        ['c', '192.0.2.3/32'],
      ] as const) {
        const add = page.getByRole('button', { name: 'Add addresses' })
        await add.press('Enter')
        await page.keyboard.type(`${name}.focus`)
        await page.keyboard.press('Tab')
        await page.keyboard.type(address)
        await page.keyboard.press('Enter')
        await status(`${name}.focus may transfer.`)
        await add.and(page.locator(':focus')).waitFor()
      }
      // It does nothing while another one is deleted: a key pressed before is lost.
      const remove = (name: string) =>
        page.getByRole('button', { name: `Delete ${name}.focus`, disabled: false })
      const confirm = page.getByRole('button', { name: 'Delete it' })
      const asked = (name: string) => page.getByRole('group', { name: `Delete ${name}.focus` })
      const keep = asked('c').getByRole('button', { name: 'Keep it' })
      await remove('b').press('Enter')
      await remove('c').press('Enter')
      await asked('b').getByRole('button', { name: 'Delete it' }).press('Enter')
      await status('b.focus deleted.')
      await keep.and(page.locator(':focus')).press('Enter') // not the button that deletes
      await remove('c').and(page.locator(':focus')).waitFor()
      for (const [name, next] of [
        ['c', remove('a')],
        ['a', page.getByRole('button', { name: 'Delete ns3', exact: true }).last()],
      ] as const) {
        await remove(name).press('Enter')
        await confirm.press('Enter')
        await status(`${name}.focus deleted.`)
        await remove(name).waitFor({ state: 'detached' })
        await next.and(page.locator(':focus')).waitFor()
      }
    },
  )
}

async function runBehind({ context }: Visitor, site: Site, report: Report): Promise<void> {
  await report.check('the status line says which secondaries are behind, and not for longer', async () => {
    const transfers = `/zones/${await zoneId(site, ZONE)}/secondary_dns/outgoing`
    // Its clock is its own.
    const page = await context.newPage()
    await page.clock.install()
    await page.goto(`/zones/${ZONE}`)
    const warning = page.locator('footer').getByText('2 of 2 secondaries behind')
    await warning.waitFor()
    await page.keyboard.press('g')
    await page.keyboard.press('r')
    await page.waitForURL(`**/zones/${ZONE}/records`)
    await warning.waitFor()
    await site.api.post(`${transfers}/disable`, {})
    await page.clock.fastForward(31_000)
    await warning.waitFor({ state: 'detached' })
    await site.api.post(`${transfers}/enable`, {})
    await page.close()
  })
}

async function zoneId({ api }: Site, name: string): Promise<string> {
  const [zone] = await api.get<readonly { id: string }[]>(`/zones?name=${name}`)
  return String(zone?.id)
}

/** Confirms that the parent has the DS of the key: there is no parent here to ask. */
async function confirmDs(site: Site): Promise<void> {
  const dnssec = `/zonereeve/zones/${await zoneId(site, OTHER)}/dnssec`
  const { keys } = await site.api.get<{ keys: { role: string; key_tag: number }[] }>(`${dnssec}/keys`)
  const tags = keys.filter(({ role }) => role === 'ksk').map(({ key_tag }) => key_tag)
  await site.api.post(`${dnssec}/parent_check`, { key_tags: tags })
}

async function soaOf(site: Site): Promise<string> {
  const id = await zoneId(site, ZONE)
  const path = `/zonereeve/zones/${id}/query?name=@&type=SOA`
  return String((await site.api.get<{ answer: readonly string[] }>(path)).answer[0])
}

const copied = (page: Page): Promise<string> => page.evaluate<string>('navigator.clipboard.readText()')

async function runRates({ page }: Visitor, { program }: Site, report: Report): Promise<void> {
  await report.check('the overview shows answers per second, also those that say no', async () => {
    for (let query = 0; query < 20; query += 1) {
      await ask(program.dns, ZONE, 'A')
      await ask(program.dns, `nothing-${query}.${ZONE}`, 'A')
    }
    await page.goto(`/zones/${ZONE}`)
    // The server reads its counters every ten seconds, and so does the page.
    await page.getByText(/^no such name [1-9][\d.]*\/s$/).waitFor()
    await page.getByRole('img', { name: /^Answers per second over time/ }).waitFor()
  })
}
