// The screens of monitoring.
import type { Page } from 'playwright-core'
import { MONITORED_ZONE } from './monitoring-site.ts'
import type { Screen } from './screens.ts'

const at = (path: string): string => `/zones/${MONITORED_ZONE}/${path}`

const follow = (link: RegExp, expected: string) => async (page: Page) => {
  await page.getByRole('link', { name: link }).first().click()
  await page.getByRole('heading', { name: expected, exact: true }).waitFor()
}

async function policyOpened(page: Page): Promise<void> {
  await follow(/^Checkout/, 'Checkout')(page)
  await page.getByText('would be blocked').waitFor()
}

export const MONITORING_SCREENS: readonly Screen[] = [
  { name: 'scripts', path: at('scripts') },
  {
    name: 'scripts-filter',
    path: at('scripts?q=host:www.monitored.example -url:vendor app&status=any&sort=new'),
  },
  { name: 'scripts-no-match', path: at('scripts?q=nothing-has-this') },
  { name: 'scripts-off', path: '/zones/example.org/scripts' },
  { name: 'script-malicious', path: at('scripts'), prepare: follow(/loader\.js/, 'Authorization') },
  {
    name: 'script-authorize',
    path: at('scripts'),
    prepare: async (page) => {
      await follow(/p\.js/, 'Authorization')(page)
      await page.getByRole('button', { name: 'Authorize this content' }).click()
      await page.getByLabel('Reason').waitFor()
    },
  },
  {
    name: 'script-not-fetched',
    path: at('scripts?status=infrequent'),
    prepare: follow(/chat\.js/, 'Authorization'),
  },
  {
    name: 'script-changed',
    path: at('scripts'),
    prepare: async (page) => {
      await follow(/app\.7f3c1\.js/, 'What changed')(page)
      await page.getByText(/added, \d+ removed/).waitFor()
      await page.getByRole('heading', { name: 'What changed' }).scrollIntoViewIfNeeded()
    },
  },
  { name: 'watched-pages', path: at('pages') },
  { name: 'watched-page', path: at('pages'), prepare: follow(/checkout/, 'Changes') },
  { name: 'watched-pages-none', path: '/zones/example.org/pages' },
  {
    name: 'watched-page-new',
    path: at('pages'),
    prepare: async (page) => {
      await page.getByRole('button', { name: 'Watch a page' }).click()
      await page.getByLabel('URL of the page').waitFor()
    },
  },
  { name: 'code', path: at('code') },
  { name: 'connections', path: at('connections?status=any') },
  { name: 'connection', path: at('connections'), prepare: follow(/collect\.stats-cdn/, 'Pages') },
  { name: 'frames', path: at('frames') },
  { name: 'images-none', path: '/zones/example.org/images' },
  { name: 'cookies', path: at('cookies') },
  { name: 'cookie', path: at('cookies'), prepare: follow(/^theme/, 'Pages') },
  { name: 'policies', path: at('policies') },
  { name: 'policies-none', path: '/zones/example.org/policies' },
  { name: 'policy', path: at('policies'), prepare: policyOpened },
  {
    name: 'policy-edited',
    path: at('policies'),
    prepare: async (page) => {
      await policyOpened(page)
      await page.getByRole('button', { name: /^Remove js\.pay\.example/ }).click()
      await page.getByRole('button', { name: /^Allow https:\/\/collect/ }).click()
      await page.getByRole('radio', { name: /^Enforce/ }).check()
      await page.getByText(/^When it is saved/).waitFor()
      // The outcome of the last text is not dim any more.
      await page.locator('.pane .body:not(.old)').waitFor()
    },
  },
  {
    name: 'policy-suggested',
    path: at('policies/suggested'),
    prepare: (page) => page.getByText('would be blocked').waitFor(),
  },
  { name: 'violations', path: at('violations') },
  { name: 'violations-none', path: '/zones/example.org/violations' },
  { name: 'monitoring-settings', path: at('monitoring') },
  {
    name: 'monitoring-email',
    path: at('monitoring'),
    prepare: async (page) => {
      await page.getByRole('button', { name: 'Add e-mail alert' }).click()
      await page.getByLabel('Recipients', { exact: true }).waitFor()
    },
  },
  {
    name: 'monitoring-webhook',
    path: at('monitoring'),
    prepare: async (page) => {
      await page.getByRole('button', { name: 'Add webhook' }).click()
      await page.getByLabel('URL', { exact: true }).waitFor()
    },
  },
]
