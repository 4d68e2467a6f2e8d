// The screens of catalog zones.
import { OWN_CATALOG, PRIMARY_CATALOG } from './catalog-site.ts'
import type { Screen } from './screens.ts'

const SECONDARY = `/catalogs/${PRIMARY_CATALOG}`

export const CATALOG_SCREENS: readonly Screen[] = [
  { name: 'catalogs', path: '/catalogs' },
  {
    name: 'catalogs-follow',
    path: '/catalogs',
    prepare: async (page) => {
      await page.getByRole('button', { name: 'Follow a catalog zone' }).click()
      await page.getByRole('button', { name: 'Add group' }).click()
      await page.getByLabel('Group', { exact: true }).fill('internal')
    },
  },
  { name: 'catalog-own', path: `/catalogs/${OWN_CATALOG}` },
  { name: 'catalog-secondary', path: SECONDARY },
  {
    name: 'catalog-stop',
    path: SECONDARY,
    prepare: async (page) => {
      await page.getByRole('button', { name: 'Stop following…' }).click()
      await page.getByLabel(/^Delete 2 zones/).check()
    },
  },
  { name: 'catalog-unknown', path: '/catalogs/nothing.example' },
]
