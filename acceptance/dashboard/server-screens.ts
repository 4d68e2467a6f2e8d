// The screens of the server: threat feeds, the audit log, health, settings. And the legacy firewall of a zone.
import type { Screen } from './screens.ts'
import { BLOCKED_FEED, WEBHOOK } from './server-site.ts'
import { DONE_ZONE, ENTERPRISE_ZONE, FREE_ZONE } from './wizard-site.ts'

const legacy = (zone: string, search = ''): string => `/zones/${zone}/legacy-rules${search}`

export const SERVER_SCREENS: readonly Screen[] = [
  { name: 'feeds', path: '/feeds' },
  {
    name: 'feed',
    path: '/feeds',
    prepare: async (page) => {
      await page.getByRole('link', { name: BLOCKED_FEED }).click()
      await page.getByText('Upload entries').waitFor()
    },
  },
  { name: 'feed-new', path: '/feeds?add=feed' },
  {
    name: 'feed-match',
    path: '/feeds',
    prepare: async (page) => {
      await page.getByLabel('Check a URL against all feeds').fill('https://collect.stats-cdn.example/g')
      await page.getByRole('button', { name: 'Check' }).click()
      await page.locator('.callout.b').first().waitFor()
    },
  },
  {
    name: 'webhooks',
    path: '/webhooks',
    prepare: async (page) => {
      await page.getByText(WEBHOOK).waitFor()
    },
  },
  {
    name: 'webhook-edit',
    path: '/webhooks',
    prepare: async (page) => {
      await page
        .getByRole('button', { name: /^Edit:/ })
        .first()
        .click()
      await page.getByLabel('URL').waitFor()
    },
  },
  { name: 'audit', path: '/audit' },
  { name: 'audit-none', path: '/audit?q=actor:nobody@example.com' },
  {
    name: 'audit-entry',
    path: '/audit?q=action:dns_record.create',
    prepare: async (page) => {
      await page
        .getByRole('link', { name: /^dns_record.create by/ })
        .first()
        .click()
      await page.getByRole('button', { name: 'Only this action' }).waitFor()
    },
  },
  {
    name: 'audit-chain',
    path: '/audit',
    prepare: async (page) => {
      await page.getByRole('button', { name: 'Check the chain' }).click()
      await page.getByRole('button', { name: 'Check', exact: true }).click()
      await page.getByText(/entries, no break/).waitFor()
    },
  },
  { name: 'health', path: '/health' },
  { name: 'settings', path: '/settings' },
  { name: 'settings-filter', path: '/settings?q=address&set=yes' },
  { name: 'settings-none', path: '/settings?q=nothing-has-this' },
  { name: 'legacy-rules', path: legacy(ENTERPRISE_ZONE) },
  {
    name: 'legacy-rules-group',
    path: legacy(ENTERPRISE_ZONE),
    prepare: async (page) => {
      await page.locator('table.groups a').nth(1).click()
      await page.locator('.group-rules select').first().waitFor()
    },
  },
  { name: 'legacy-rules-migrated', path: legacy(DONE_ZONE) },
  { name: 'legacy-rules-none', path: legacy(FREE_ZONE) },
  { name: 'legacy-firewall', path: legacy(ENTERPRISE_ZONE, '?show=firewall') },
  { name: 'legacy-firewall-none', path: legacy(FREE_ZONE, '?show=firewall') },
  { name: 'legacy-pages', path: legacy(ENTERPRISE_ZONE, '?show=pages') },
  { name: 'legacy-pages-none', path: legacy(FREE_ZONE, '?show=pages') },
]
