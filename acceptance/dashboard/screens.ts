// Every screen, with how one gets it, for pictures and for the checks of accessibility.
import type { Page } from 'playwright-core'
import { untilQuiet, type View } from './visitor.ts'
import { DIGEST_ZONE, ZONE } from './site.ts'
import { chooseFiles, IMPORTED_FILES } from './zone-import.ts'
import { ACTIVITY_SCREENS } from './activity-screens.ts'
import { CATALOG_SCREENS } from './catalog-screens.ts'
import { FIREWALL_SCREENS } from './firewall-screens.ts'
import { MONITORING_SCREENS } from './monitoring-screens.ts'
import { RULES_SCREENS } from './rules-screens.ts'
import { SERVER_SCREENS } from './server-screens.ts'
import { WIZARD_SCREENS } from './wizard-screens.ts'

export interface Screen {
  readonly name: string
  readonly path: string
  /** What is done after it is open. */
  readonly prepare?: (page: Page) => Promise<void>
}

const RECORDS = `/zones/${ZONE}/records`

export const SCREENS: readonly Screen[] = [
  { name: 'account', path: '/account' },
  {
    // Early: a session may do this within five minutes of its sign-in.
    name: 'account-codes',
    path: '/account',
    prepare: async (page) => {
      const password = page.getByLabel('New password')
      await password.fill('a long and quiet river')
      await password.press('Enter')
      await page.getByRole('status').getByText('Password set.').waitFor()
      await page.getByRole('button', { name: 'Set up' }).click()
      await page.getByRole('img', { name: 'QR code of the key' }).waitFor()
    },
  },
  { name: 'zones', path: '/zones' },
  {
    name: 'zones-pinned',
    path: '/zones',
    prepare: async (page) => {
      await page.evaluate(`localStorage.setItem('zonereeve.pinned', '${ZONE} monitored.example')`)
      await page.reload()
      await page.locator('tr.cut').waitFor()
      await untilQuiet(page)
      await page.evaluate(`localStorage.removeItem('zonereeve.pinned')`)
    },
  },
  { name: 'zones-none', path: '/zones?q=nothing' },
  { name: 'zone-new', path: '/zones?add=zone' },
  { name: 'zones-attention', path: '/zones?attention=yes' },
  { name: 'zones-import', path: '/zones?add=files' },
  {
    name: 'zones-import-files',
    path: '/zones?add=files',
    prepare: async (page) => {
      await chooseFiles(page, IMPORTED_FILES)
      await page.getByText('1 line is wrong').waitFor()
    },
  },
  { name: 'overview', path: `/zones/${ZONE}` },
  { name: 'overview-pending', path: '/zones/example.org' },
  { name: 'history', path: `/zones/${ZONE}/history` },
  { name: 'history-filter', path: `/zones/${ZONE}/history?kind=dns_record.create&q=shop` },
  { name: 'history-none', path: `/zones/${ZONE}/history?actor=somebody` },
  { name: 'history-change', path: `/zones/${ZONE}/history?change=2` },
  { name: 'history-compare', path: `/zones/${ZONE}/history?from=3&to=9` },
  { name: 'dnssec', path: `/zones/${ZONE}/dnssec` },
  { name: 'dnssec-signed', path: '/zones/example.net/dnssec' },
  { name: 'transfers', path: `/zones/${ZONE}/transfers` },
  { name: 'transfers-none', path: '/zones/example.org/transfers' },
  {
    name: 'transfers-peer',
    path: `/zones/${ZONE}/transfers`,
    prepare: (page) => page.getByRole('button', { name: 'Add peer' }).click(),
  },
  { name: 'query', path: `/zones/${ZONE}/query` },
  { name: 'query-answer', path: `/zones/${ZONE}/query?name=blog&type=A` },
  { name: 'dns-settings', path: `/zones/${ZONE}/dns-settings` },
  { name: 'dns-settings-digest', path: `/zones/${DIGEST_ZONE}/dns-settings` },
  { name: 'dns-settings-secondary', path: '/zones/alpha.example/dns-settings' },
  { name: 'transfers-secondary', path: '/zones/alpha.example/transfers' },
  { name: 'records', path: RECORDS },
  { name: 'records-filter', path: `${RECORDS}?q=-type:SRV tag:team:mail` },
  { name: 'records-text', path: `${RECORDS}/text` },
  { name: 'records-none', path: `${RECORDS}?q=spf2` },
  { name: 'records-empty', path: '/zones/example.org/records' },
  { name: 'records-new', path: `${RECORDS}?edit=new` },
  {
    name: 'records-error',
    path: `${RECORDS}?edit=new`,
    prepare: async (page) => {
      await page.getByLabel('Type', { exact: true }).selectOption('MX')
      await page.getByLabel('Name', { exact: true }).fill('@')
      await page.getByLabel('Mail server').fill('192.0.2.25')
      await page.getByLabel('Name', { exact: true }).focus()
    },
  },
  {
    name: 'records-srv',
    path: `${RECORDS}?q=type:SRV`,
    prepare: async (page) => {
      await page.getByRole('button', { name: 'Actions for _sip._tcp SRV' }).first().click()
      await page.getByRole('menuitem', { name: 'Edit' }).click()
      await page.getByLabel('Target').waitFor()
    },
  },
  {
    name: 'records-selected',
    path: RECORDS,
    prepare: async (page) => {
      for (const row of [0, 1, 2])
        await page
          .getByRole('checkbox', { name: /^Select shop|^Select vpn/ })
          .nth(row)
          .check()
      await page.getByLabel('Set TTL').selectOption('3600')
    },
  },
  {
    name: 'row-menu',
    path: RECORDS,
    prepare: async (page) => {
      await page.getByRole('button', { name: 'Actions for mail A' }).click()
      await page.getByRole('menuitem', { name: 'Delete' }).waitFor()
    },
  },
  {
    name: 'user-menu',
    path: '/zones',
    prepare: (page) => page.locator('.who button').first().click(),
  },
  { name: 'tokens', path: '/tokens' },
  {
    name: 'token',
    path: '/tokens',
    prepare: async (page) => {
      await page.getByRole('link', { name: 'terraform-prod' }).click()
      await page.getByRole('button', { name: 'Revoke' }).waitFor()
    },
  },
  {
    name: 'token-new',
    path: '/tokens?add=token',
    prepare: async (page) => {
      await page.getByLabel('Names of the zones').fill(`${ZONE} nothing.example`)
      await page.getByLabel('Name', { exact: true }).fill('ci-preview')
      await page.getByRole('button', { name: 'Create token' }).click()
      await page.locator('.err').waitFor()
    },
  },
  { name: 'users', path: '/users' },
  { name: 'user-new', path: '/users?add=user' },
  {
    name: 'user',
    path: '/users',
    prepare: async (page) => {
      await page.getByRole('link', { name: 'anna@example.com' }).click()
      await page.getByRole('button', { name: 'Delete user' }).waitFor()
    },
  },
  {
    name: 'palette',
    path: RECORDS,
    prepare: async (page) => {
      await page.keyboard.press('Control+k')
      await page.getByRole('combobox', { name: 'Go to or run a command' }).waitFor()
    },
  },
  {
    name: 'palette-zones',
    path: RECORDS,
    prepare: async (page) => {
      await page.keyboard.press('Control+k')
      await page.getByRole('combobox', { name: 'Go to or run a command' }).fill('shop')
      await page.getByRole('option', { name: 'shop.example.org' }).waitFor()
    },
  },
  ...MONITORING_SCREENS,
  ...FIREWALL_SCREENS,
  ...RULES_SCREENS,
  ...ACTIVITY_SCREENS,
  ...WIZARD_SCREENS,
  ...SERVER_SCREENS,
  ...CATALOG_SCREENS,
  {
    name: 'keys',
    path: '/zones',
    prepare: async (page) => {
      await page.keyboard.press('?')
      await page.getByRole('dialog', { name: 'Keys' }).waitFor()
    },
  },
  { name: 'zone-unknown', path: '/zones/nothing.example' },
]

export const VIEWS: readonly View[] = [
  { width: 1440, height: 900, theme: 'light' },
  { width: 1440, height: 900, theme: 'dark' },
  { width: 390, height: 844, theme: 'light' },
  { width: 390, height: 844, theme: 'dark' },
]

export async function openScreen(page: Page, { path, prepare }: Screen): Promise<void> {
  await page.goto(path)
  await page.locator('main.sheet > *').first().waitFor()
  await untilQuiet(page)
  const isLoaded = () => page.locator('main :is(.bone, .waiting)').first().waitFor({ state: 'hidden' })
  await isLoaded()
  await prepare?.(page)
  await isLoaded()
}
