// The account: a passkey of a virtual authenticator, a password, codes of an app, sessions, and the confirmation.
import { deepEqual, equal, ok } from 'node:assert/strict'
import { createHmac } from 'node:crypto'
import { join } from 'node:path'
import { DatabaseSync } from '@photostructure/sqlite'
import type { Browser, Page } from 'playwright-core'
import type { Report } from '../report.ts'
import { auditPage } from './audit.ts'
import type { Site } from './site.ts'
import { openVisitor, type View } from './visitor.ts'

const VIEW: View = { width: 1440, height: 1600, theme: 'light' }
const PASSWORD = 'a long and quiet river'
/** What another process changed takes effect after this time. */
const REMEMBERED_MILLIS = 2_100

export async function runAccount(browser: Browser, site: Site, report: Report): Promise<void> {
  // Browsers have no passkeys under an address.
  const visitor = await openVisitor(browser, site.program.http.replace('127.0.0.1', 'localhost'), VIEW)
  const { page } = visitor
  await page.goto(await site.signInPath())
  await page.waitForURL('**/zones')
  await addAuthenticator(page)
  await runPasskeys(page, site, report)
  await runPassword(page, site, report)
  await runSessions(page, browser, site, report)
  await report.check('the account page violates the policy nowhere and has no script error', () =>
    deepEqual(visitor.faults, []),
  )
  await visitor.close()
}

/** A device that holds passkeys, and whose user always agrees. */
async function addAuthenticator(page: Page): Promise<void> {
  const devtools = await page.context().newCDPSession(page)
  await devtools.send('WebAuthn.enable')
  await devtools.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  })
}

/** The last confirmations are too old from now on. */
async function expireConfirmations({ folder }: Site): Promise<void> {
  const database = new DatabaseSync(join(folder, 'zonereeve.db'))
  database.exec(`UPDATE sessions SET authenticated_on = '2020-01-01T00:00:00.000000Z'`)
  database.close()
  await new Promise((resolve) => setTimeout(resolve, REMEMBERED_MILLIS))
}

const statusOf = (page: Page) => (text: string) => page.getByRole('status').getByText(text).waitFor()

async function signOut(page: Page): Promise<void> {
  await page.locator('.who button').first().click()
  await page.getByRole('button', { name: 'Sign out' }).click()
  await page.waitForURL('**/sign-in')
}

async function runPasskeys(page: Page, site: Site, report: Report): Promise<void> {
  const status = statusOf(page)
  await report.check('a passkey is added by the keyboard, and signs in without a name', async () => {
    await page.locator('.who button').first().click()
    await page.getByRole('link', { name: 'Account' }).click()
    await page.getByText('No passkey yet.').waitFor()
    await page.getByLabel('Name of the new passkey').focus()
    await page.keyboard.type('Test key')
    await page.keyboard.press('Enter')
    await status('Passkey Test key added.')
    deepEqual(await auditPage(page), [])
    await signOut(page)
    await page.getByRole('button', { name: 'Sign in with a passkey' }).click()
    await page.waitForURL('**/zones')
  })
  await report.check('an old sign-in is confirmed with the passkey, and the focus returns', async () => {
    await page.goto('/account')
    await page.getByRole('button', { name: 'Rename Test key' }).click()
    await page.keyboard.type('Desk key')
    await page.keyboard.press('Enter')
    const remove = page.getByRole('button', { name: 'Delete Desk key' })
    await remove.waitFor()
    await expireConfirmations(site)
    await remove.focus()
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: 'Confirm that it is you' }).waitFor()
    deepEqual(await auditPage(page), [])
    await page.keyboard.press('Escape')
    await status('Not confirmed. Nothing was changed.')
    await remove.and(page.locator(':focus')).waitFor()
    await page.keyboard.press('Enter')
    await page.getByRole('button', { name: 'Use a passkey' }).click()
    await status('Passkey Desk key deleted.')
    await page.getByText('No passkey yet.').waitFor()
  })
}

async function runPassword(page: Page, site: Site, report: Report): Promise<void> {
  const status = statusOf(page)
  const password = page.getByLabel('New password')
  await report.check('a short password is refused while one types, a long one is set', async () => {
    await password.fill('short')
    await password.blur()
    await page.getByText('At least 12 characters; got 5.').waitFor()
    await password.fill(PASSWORD)
    await password.press('Enter')
    await status('Password set.')
  })
  await report.check('codes are turned on, and recovery codes are shown once', async () => {
    await page.getByRole('button', { name: 'Set up' }).click()
    await page.getByRole('img', { name: 'QR code of the key' }).waitFor()
    deepEqual(await auditPage(page), [])
    const secret = (await page.locator('code.secret').innerText()).replaceAll(/\s/g, '')
    await page.getByLabel('Code that the app shows').fill('000000')
    await page.keyboard.press('Enter')
    await page.locator('.err').waitFor()
    await page.getByLabel('Code that the app shows').fill(codeOf(secret))
    await page.keyboard.press('Enter')
    await page.getByText('Copy them now.').waitFor()
    deepEqual(await auditPage(page), [])
    const codes = (await page.locator('code.recovery').innerText()).split('\n')
    equal(codes.length, 10)
    await page.getByRole('button', { name: 'I have copied them' }).click()
    await page.getByText('10 of 10 recovery codes left.').waitFor()
    await page.reload()
    await page.getByText('10 of 10 recovery codes left.').waitFor()
    ok(!(await page.content()).includes(String(codes[0])), 'they are not shown again')
    await expireConfirmations(site)
    await page.getByRole('button', { name: 'Turn off' }).click()
    await page.getByLabel('Your password').fill(PASSWORD)
    await page.getByLabel('Code of your authenticator app').fill(String(codes[0]))
    await page.keyboard.press('Enter')
    await status('Codes are no longer required.')
  })
}

async function runSessions(page: Page, browser: Browser, site: Site, report: Report): Promise<void> {
  await report.check('another session is listed, and ended', async () => {
    const other = await openVisitor(browser, site.program.http, VIEW)
    await other.page.goto(await site.signInPath())
    await other.page.waitForURL('**/zones')
    await page.goto('/account')
    await page.getByText('this one').waitFor()
    const ends = page.getByRole('button', { name: /^End the session of Chrome/ })
    await ends.first().waitFor()
    while ((await ends.count()) > 0) {
      const before = await ends.count()
      await ends.first().click()
      await ends.nth(before - 1).waitFor({ state: 'detached' })
    }
    await page.getByText('this one').waitFor()
    const list = '**/client/v4/zonereeve/sessions*'
    await page.route(list, (route) => route.abort())
    await page.reload()
    await page.getByRole('alert').waitFor()
    await page.getByRole('heading', { name: 'Sessions', exact: true }).waitFor()
    await page.unroute(list)
    await page.getByRole('button', { name: 'Try again' }).click()
    await page.getByText('this one').waitFor()
    await other.page.goto('/zones')
    await other.page.waitForURL(/\/sign-in/)
    await other.close()
  })
}

/** The code that an app shows now (RFC 6238). */
function codeOf(secret: string): string {
  const bits = [...secret].map((digit) =>
    'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'.indexOf(digit).toString(2).padStart(5, '0'),
  )
  const octets = bits.join('').match(/.{8}/g) ?? []
  const counter = Buffer.alloc(8)
  counter.writeBigUInt64BE(BigInt(Math.floor(Date.now() / 30_000)))
  const mac = createHmac('sha1', Buffer.from(octets.map((octet) => Number.parseInt(octet, 2))))
    .update(counter)
    .digest()
  const at = Number(mac.at(-1)) & 15
  return String((mac.readUInt32BE(at) & 0x7f_ff_ff_ff) % 1_000_000).padStart(6, '0')
}
