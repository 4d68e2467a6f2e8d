// Policies in the dashboard: from a suggestion by the keyboard to a policy that is enforced, and its violations.
import { deepEqual, equal, match, ok } from 'node:assert/strict'
import type { Page } from 'playwright-core'
import type { Api } from '../browsers/api.ts'
import type { Report } from '../report.ts'
import { MONITORED_ZONE } from './monitoring-site.ts'
import type { Site } from './site.ts'
import { untilQuiet, type Visitor } from './visitor.ts'

interface Policy {
  readonly description: string
  readonly action: string
  readonly enabled: boolean
  readonly value: string
}

const NAME = 'Suggested policy'

export async function runPolicies({ page }: Visitor, { api }: Site, report: Report): Promise<void> {
  const [zone] = await api.get<readonly { id: string }[]>(`/zones?name=${MONITORED_ZONE}`)
  const policies = () => api.get<readonly Policy[]>(`/zones/${zone?.id}/page_shield/policies`)
  const suggested = async () => (await policies()).find(({ description }) => description === NAME)
  const figures = () => page.locator('.trio .figure').allInnerTexts()
  await report.check('a suggested policy is created by the keyboard, and only logs', async () => {
    await page.goto(`/zones/${MONITORED_ZONE}/policies`)
    await page.getByRole('link', { name: 'Suggest from the inventory' }).press('Enter')
    await page.getByText('Left out of the suggestion').waitFor()
    await page.getByText('would be blocked').waitFor()
    const [blocked] = await figures()
    ok(Number(blocked) > 0, 'what is left out would be blocked')
    const row = page.locator('.dirs li.src', { hasText: 'static.replay.example' })
    await row.getByText('1 script').waitFor()
    await page.getByText(/^(\d+) of \1 known pages match\.$/).waitFor()
    await page.getByRole('button', { name: 'Create policy' }).press('Enter')
    await page.getByText('The policy is created.').waitFor()
    const { value } = await api.get<{ value: string }>(
      `/zonereeve/zones/${zone?.id}/page_shield/policies/suggestion`,
    )
    const stored = await suggested()
    deepEqual([stored?.action, stored?.enabled, stored?.value], ['log', true, value])
  })
  await report.check('what would be blocked is allowed in the directive that blocks it', async () => {
    await page.getByRole('link', { name: NAME }).press('Enter')
    await page.getByText('would be blocked').waitFor()
    const [before] = await figures()
    await page.getByRole('button', { name: /^Allow wss:\/\/live\.widgets\.example:8443/ }).press('Enter')
    await page
      .getByRole('button', { name: 'Remove wss://live.widgets.example:8443 from connect-src' })
      .waitFor()
    const first = page.locator('.trio .figure').first()
    await first.filter({ hasText: new RegExp(`^${Number(before) - 1}$`) }).waitFor()
    equal((await suggested())?.value.includes('live.widgets'), false)
  })
  await report.check('a source with an error is said while it is typed, and cannot be saved', async () => {
    await page.getByRole('button', { name: 'Add source' }).press('Enter')
    await page.keyboard.type("'nonce-abc'")
    await page.keyboard.press('Enter')
    const row = page.locator('.dirs li.w', { hasText: 'nonce-abc' })
    await row.waitFor()
    match(await row.innerText(), /nonces/)
    const save = page.getByRole('button', { name: 'Save', exact: true })
    ok(await save.isDisabled())
    await page.getByText('The policy has an error, so it is not simulated.').waitFor()
    await page.getByRole('button', { name: /^Remove 'nonce-abc' from / }).press('Enter')
  })
  await runEditing(page, report)
  await report.check('a policy is enforced, turned off and deleted', async () => {
    await page.getByRole('radio', { name: /^Enforce/ }).press('Space')
    await page.getByText(/^When it is saved, \d+ known resources? (is|are) blocked\.$/).waitFor()
    await page.getByRole('button', { name: 'Save', exact: true }).press('Enter')
    await page.getByText('The policy is saved.').waitFor()
    const name = page.getByLabel('Name', { exact: true })
    await name.and(page.locator(':focus')).waitFor()
    const stored = await suggested()
    equal(stored?.action, 'allow')
    ok(stored.value.includes('wss://live.widgets.example:8443'))
    await page.getByRole('switch', { name: 'Send it' }).press('Space')
    await page.getByRole('button', { name: 'Save', exact: true }).press('Enter')
    // The draft is off and the message of the first save is shown, whatever the server has answered: only the focus tells.
    await name.and(page.locator(':focus')).waitFor()
    equal((await suggested())?.enabled, false)
    equal(await page.getByRole('switch', { name: 'Send it' }).isChecked(), false)
    await page.getByRole('button', { name: 'Delete policy' }).press('Enter')
    await page.getByRole('button', { name: 'Keep it' }).and(page.locator(':focus')).waitFor()
    await page.keyboard.press('Shift+Tab')
    await page.keyboard.press('Enter')
    await page.getByText('The policy is deleted.').waitFor()
    equal(await suggested(), undefined)
    ok((await policies()).length > 0, 'the others stay')
  })
  await runChangesElsewhere(page, api, `/zones/${zone?.id}/page_shield/policies`, report)
  await runSlowSave(page, api, `/zones/${zone?.id}/page_shield/policies`, report)
  await runViolations(page, report)
}

/** As if the reader came back to the tab a minute later: what it shows is fetched again. */
const COME_BACK = `{
  const now = Date.now
  Date.now = () => now() + 60_000
  dispatchEvent(new Event('visibilitychange'))
}`

async function runChangesElsewhere(page: Page, api: Api, policies: string, report: Report): Promise<void> {
  await report.check("somebody else's change of a policy does not move the focus", async () => {
    const draft = { description: 'Shared', action: 'log', expression: 'true', enabled: true }
    const stored = { ...draft, value: "script-src 'self'" }
    const { id } = await api.post<{ id: string }>(policies, stored)
    const name = page.getByLabel('Name', { exact: true })
    const save = page.getByRole('button', { name: 'Save', exact: true })
    const renameElsewhere = async (description: string): Promise<void> => {
      await api.call('PUT', `${policies}/${id}`, { ...stored, description })
      await page.evaluate(COME_BACK)
      await page.getByRole('heading', { name: description, exact: true }).waitFor()
      await untilQuiet(page)
      equal(await name.and(page.locator(':focus')).count(), 0)
    }
    await page.goto(`/zones/${MONITORED_ZONE}/policies/${id}`)
    await name.fill('Not saved')
    await page.route(`**${policies}/${id}`, (route) => route.abort(), { times: 1 })
    await save.press('Enter')
    await page.getByRole('alert').waitFor()
    await renameElsewhere('After a save that failed')
    await name.fill('Saved')
    await save.press('Enter')
    await page.getByRole('heading', { name: 'Saved', exact: true }).waitFor()
    await name.and(page.locator(':focus')).waitFor()
    await renameElsewhere('After a save')
    await api.call('DELETE', `${policies}/${id}`)
  })
}

async function runSlowSave(page: Page, api: Api, policies: string, report: Report): Promise<void> {
  await report.check('what is opened or typed while a save is fetched again stays', async () => {
    const stored = {
      description: 'Slow',
      action: 'log',
      expression: 'true',
      enabled: true,
      value: 'img-src *',
    }
    const { id } = await api.post<{ id: string }>(policies, stored)
    const name = page.getByLabel('Name', { exact: true })
    const keep = page.getByRole('button', { name: 'Keep it' })
    await page.goto(`/zones/${MONITORED_ZONE}/policies/${id}`)
    await name.fill('Saved slowly')
    await untilQuiet(page)
    let release = (): void => undefined
    const isHeld = new Promise<void>((resolve) => (release = resolve))
    await page.route(`**${policies}?*`, async (route) => {
      await isHeld
      await route.continue()
    })
    await page.getByRole('button', { name: 'Save', exact: true }).press('Enter')
    await page.getByText('The policy is saved.').waitFor()
    await name.fill('Typed since')
    await page.getByRole('button', { name: 'Delete policy' }).press('Enter')
    await keep.and(page.locator(':focus')).waitFor()
    release()
    await page.getByRole('heading', { name: 'Saved slowly', exact: true }).waitFor()
    await untilQuiet(page)
    await keep.and(page.locator(':focus')).waitFor()
    equal(await name.inputValue(), 'Typed since')
    await page.unroute(`**${policies}?*`)
    await api.call('DELETE', `${policies}/${id}`)
  })
}

async function runEditing(page: Page, report: Report): Promise<void> {
  const focused = (name: string) => page.locator('button:focus', { hasText: name }).waitFor()
  await report.check('what a source does not cover stands in its row', async () => {
    await page.getByRole('button', { name: 'Add source' }).press('Enter')
    await page.keyboard.type("'self'")
    await page.keyboard.press('Enter')
    const row = page.locator('.dirs li', { hasText: "'self'" }).first()
    await row.getByText("'self' covers the page's own scheme").waitFor()
    await focused('Add source')
  })
  await report.check('the focus goes on to what leads back: list, text and discarded changes', async () => {
    await page.getByRole('button', { name: 'Edit as text' }).press('Enter')
    match(await page.getByLabel('Policy text').inputValue(), /wss:\/\/live\.widgets\.example:8443/)
    await focused('Edit as list')
    await page.keyboard.press('Enter')
    await focused('Edit as text')
    const name = page.getByLabel('Name', { exact: true })
    const value = await name.inputValue()
    await name.fill('Other')
    await page.getByRole('button', { name: 'Discard changes' }).press('Enter')
    await page.locator('input:focus').and(name).waitFor()
    equal(await name.inputValue(), value)
    await page.getByRole('button', { name: /^Allow wss:\/\/live\.widgets\.example:8443/ }).press('Enter')
  })
}

async function runViolations(page: Page, report: Report): Promise<void> {
  await report.check('violations lead to their policy, and are filtered by directive', async () => {
    await page.goto(`/zones/${MONITORED_ZONE}/violations`)
    await page.getByRole('link', { name: 'Checkout' }).first().waitFor()
    const rows = page.locator('tbody tr[data-index]')
    equal(await rows.count(), 2)
    await page.keyboard.press('/')
    await page.keyboard.type('directive:connect-src ')
    await rows.nth(1).waitFor({ state: 'detached' })
    match(await rows.first().innerText(), /collect\.stats-cdn\.example[^]*connect-src[^]*logged/)
    await page.getByRole('link', { name: 'Checkout' }).press('Enter')
    await page.getByRole('link', { name: 'Its violations' }).press('Enter')
    await page.waitForURL(/violations\?q=policy:[0-9a-f]{32}$/)
    await rows.nth(1).waitFor()
    equal(await rows.count(), 2)
  })
}
