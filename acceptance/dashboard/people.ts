// Tokens and users, by the keyboard as far as possible: what the page makes works, and what it ends works no more.
import { deepEqual, equal, ok } from 'node:assert/strict'
import type { Browser, Page } from 'playwright-core'
import type { Report } from '../report.ts'
import { signIn } from './signed-in.ts'
import { ZONE, type Site } from './site.ts'
import { openVisitor, type View } from './visitor.ts'

const VIEW: View = { width: 1440, height: 1200, theme: 'light' }

export async function runPeople(browser: Browser, site: Site, report: Report): Promise<void> {
  const visitor = await signIn(browser, site, VIEW)
  await runTokens(visitor.page, site, report)
  await runUsers(browser, visitor.page, site, report)
  await report.check('tokens and users violate the policy nowhere and have no script error', () =>
    deepEqual(visitor.faults, []),
  )
  await visitor.close()
}

const statusOf = (page: Page) => (text: string) => page.getByRole('status').getByText(text).waitFor()

async function runTokens(page: Page, { program }: Site, report: Report): Promise<void> {
  const status = statusOf(page)
  const zonesOf = async (token: string): Promise<readonly string[] | number> => {
    const headers = { authorization: `Bearer ${token}` }
    const reply = await fetch(`${program.http}/client/v4/zones`, { headers })
    const { result } = (await reply.json()) as {
      readonly result: readonly { readonly name: string }[] | null
    }
    return reply.ok && result !== null ? result.map(({ name }) => name) : reply.status
  }
  let token = 'none'
  await report.check(
    'a token for one zone is made by the keyboard, shown once, and sees that zone only',
    async () => {
      await page.getByRole('link', { name: 'Tokens' }).click()
      await page.getByText('terraform-prod').waitFor()
      await page.keyboard.press('n')
      await page.keyboard.type('ci-preview')
      await page.getByLabel('Names of the zones').fill('nothing.example')
      // Enter does nothing until the permission groups are known.
      await page.getByRole('button', { name: 'Create token', disabled: false }).waitFor()
      await page.keyboard.press('Enter')
      await page.getByText('No such zone: nothing.example.').waitFor()
      await page.getByLabel('Names of the zones').fill(ZONE)
      await page.getByText(`DNS: edit; Zone: read on ${ZONE}`).waitFor()
      await page.keyboard.press('Enter')
      await page.getByText('Copy it now.').waitFor()
      token = await page.locator('code.value').innerText()
      deepEqual(await zonesOf(token), [ZONE])
      await page.getByRole('button', { name: 'Done' }).click()
      ok(!(await page.content()).includes(token), 'it is not shown again')
    },
  )
  await report.check('a token is rolled, disabled and revoked, each at once', async () => {
    await page.getByRole('link', { name: 'ci-preview' }).click()
    await page.getByRole('button', { name: 'Roll' }).click()
    await page.getByText('Copy it now.').waitFor()
    const rolled = await page.locator('code.value').innerText()
    equal(await zonesOf(token), 403)
    deepEqual(await zonesOf(rolled), [ZONE])
    await page.getByRole('button', { name: 'Disable' }).click()
    await status('ci-preview disabled.')
    equal(await zonesOf(rolled), 403)
    await page.getByRole('button', { name: 'Enable' }).click()
    await status('ci-preview enabled.')
    deepEqual(await zonesOf(rolled), [ZONE])
    await page.getByRole('button', { name: 'Revoke' }).click()
    await status('ci-preview revoked.')
    equal(await zonesOf(rolled), 403)
  })
  await report.check('the filter finds tokens by zone and by address', async () => {
    await page.keyboard.press('/')
    await page.keyboard.type('10.4.')
    await page.getByText('terraform-prod').waitFor({ state: 'detached' })
    await page.getByText('external-dns').waitFor()
    await page.keyboard.press('Escape')
    await page.getByText('terraform-prod').waitFor()
  })
}

async function runUsers(browser: Browser, page: Page, site: Site, report: Report): Promise<void> {
  const status = statusOf(page)
  let link = 'none'
  await report.check(
    'a user is invited with a role on one zone, signs in by the link, and sees that zone',
    async () => {
      await page.getByRole('link', { name: 'Users' }).click()
      await page.getByText('anna@example.com').waitFor()
      await page.keyboard.press('n')
      await page.keyboard.type('mia@example.com')
      await page.getByLabel('Role on everything').selectOption('none')
      await page.getByRole('button', { name: 'Add a zone' }).click()
      await page.keyboard.type(ZONE)
      await page.keyboard.press('Enter')
      await page.getByText('Send this link.').waitFor()
      link = await page.locator('code.value').innerText()
      const guest = await openVisitor(browser, site.program.http, VIEW)
      await guest.page.goto(link)
      await guest.page.getByRole('link', { name: ZONE, exact: true }).waitFor()
      equal(await guest.page.getByRole('link', { name: 'example.net', exact: true }).count(), 0)
      equal(await guest.page.getByRole('link', { name: 'Users' }).count(), 0)
      await guest.close()
      await page.getByRole('button', { name: 'Done' }).click()
    },
  )
  await report.check('roles are changed, and the last owner keeps theirs', async () => {
    await page.getByRole('link', { name: 'mia@example.com' }).click()
    equal(await page.getByLabel('Zone', { exact: true }).inputValue(), ZONE)
    await page.getByLabel('Role on everything').selectOption('viewer')
    await page.getByRole('button', { name: 'Save' }).click()
    await status('mia@example.com saved.')
    await page.keyboard.press('Escape')
    await page.getByRole('link', { name: 'admin@example.com' }).click()
    await page.getByLabel('Role on everything').selectOption('viewer')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByRole('alert').getByText('The last owner').waitFor()
    await page.keyboard.press('Escape')
  })
  await report.check('a user is deleted', async () => {
    await page.getByRole('link', { name: 'mia@example.com' }).click()
    await page.getByRole('button', { name: 'Delete user' }).click()
    await status('mia@example.com deleted.')
    await page.getByRole('link', { name: 'mia@example.com' }).waitFor({ state: 'detached' })
  })
}
