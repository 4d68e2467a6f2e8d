// The screens of a zone's own rules.
import type { Page } from 'playwright-core'
import { RULES_ZONE } from './rules-site.ts'
import type { Screen } from './screens.ts'
import { ZONE } from './site.ts'

const RULES = `/zones/${RULES_ZONE}/rules`

const choose = async (page: Page, rule: string, item: string): Promise<void> => {
  await page.getByRole('button', { name: `Actions for ${rule}` }).click()
  await page.getByRole('menuitem', { name: item, exact: true }).click()
}

export const RULES_SCREENS: readonly Screen[] = [
  { name: 'rules', path: RULES },
  { name: 'rules-rates', path: `${RULES}/rate-limits` },
  { name: 'rules-none', path: `/zones/${ZONE}/rules/redirects` },
  {
    name: 'rules-menu',
    path: RULES,
    prepare: async (page) => {
      await page.getByRole('button', { name: 'Actions for Block logins of scripts' }).click()
      await page.getByRole('menuitem', { name: 'Edit' }).waitFor()
    },
  },
  {
    name: 'rules-error',
    path: RULES,
    prepare: async (page) => {
      await choose(page, 'Block logins of scripts', 'Edit')
      await page.getByRole('textbox', { name: 'Expression' }).click()
      await page.keyboard.press('Control+End')
      await page.keyboard.type(' and ip.src.contry in {"DE"}')
      await page.keyboard.press('Escape')
      await page.getByText(/line 3, column \d+:/).waitFor()
    },
  },
  {
    name: 'rules-completion',
    path: RULES,
    prepare: async (page) => {
      await page.getByRole('button', { name: 'Add rule' }).click()
      await page.getByRole('textbox', { name: 'Expression' }).click()
      await page.keyboard.type('http.request.u')
      await page.getByRole('listbox', { name: 'Completions' }).waitFor()
    },
  },
  {
    name: 'rules-delete',
    path: RULES,
    prepare: async (page) => {
      await choose(page, 'Old admin path', 'Delete')
      await page.getByRole('button', { name: 'Delete rule' }).waitFor()
    },
  },
  {
    name: 'rules-redirect',
    path: `/zones/${ZONE}/rules/redirects`,
    prepare: async (page) => {
      await page.getByRole('button', { name: 'Add redirect' }).click()
      await page.keyboard.type('Old shop')
      await page.getByRole('textbox', { name: 'Expression' }).click()
      await page.keyboard.insertText('http.host eq "old.example.com"')
      const url = page.getByLabel('URL', { exact: true })
      await url.fill('')
      await url.press('Tab')
      await page.locator('.err').waitFor()
    },
  },
  {
    name: 'rules-redirect-computed',
    path: `/zones/${ZONE}/rules/redirects`,
    prepare: async (page) => {
      await page.getByRole('button', { name: 'Add redirect' }).click()
      await page.getByRole('textbox', { name: 'Expression' }).click()
      await page.keyboard.insertText('http.host eq "old.example.com"')
      await page.getByRole('radio', { name: 'Computed URL' }).check()
      await page.getByRole('textbox', { name: 'Target URL' }).click()
      await page.keyboard.insertText('http.request.timestamp.sec')
      await page.getByText(/line 1, column 1:/).waitFor()
    },
  },
  {
    name: 'rules-rate',
    path: `${RULES}/rate-limits`,
    prepare: async (page) => {
      await choose(page, 'Logins', 'Edit')
      await page.getByRole('textbox', { name: 'Expression' }).waitFor()
      await page.getByRole('button', { name: 'Add characteristic' }).click()
      await page.getByLabel('Characteristic 3', { exact: true }).selectOption('Header …')
      await page.getByLabel('Name of characteristic 3').fill('x-api-key')
      await page.getByLabel('Period in seconds').fill('1 minute')
      await page.getByLabel('Count other requests').check()
      await page.getByRole('textbox', { name: 'Counts when' }).waitFor()
      await page.getByText('It must be a whole number of at least 1.').waitFor()
    },
  },
]
