// The screens of the migration wizard: every step, in each state that it can have.
import type { Screen } from './screens.ts'
import {
  accessLog,
  BLOCKED_ZONE,
  DONE_ZONE,
  ENTERPRISE_ZONE,
  FREE_ZONE,
  PRO_ZONE,
  VALIDATING_ZONE,
} from './wizard-site.ts'

const migration = (zone: string, step = ''): string => `/zones/${zone}/migration${step}`

export const WIZARD_SCREENS: readonly Screen[] = [
  { name: 'migration-deploy', path: migration(ENTERPRISE_ZONE) },
  {
    name: 'migration-rules',
    path: migration(ENTERPRISE_ZONE),
    prepare: (page) => page.getByRole('button', { name: /^Show the \d+ rules$/ }).click(),
  },
  { name: 'migration-blocked', path: migration(BLOCKED_ZONE) },
  { name: 'migration-ahead', path: migration(ENTERPRISE_ZONE, '/ready') },
  {
    name: 'migration-final',
    path: migration(PRO_ZONE),
    prepare: async (page) => {
      await page.getByLabel('Type the name of the zone').fill('pro.exampl')
      await page.getByLabel('Type the name of the zone').press('Enter')
      await page.locator('.err').waitFor()
    },
  },
  {
    name: 'migration-ready',
    path: migration(VALIDATING_ZONE),
    prepare: async (page) => {
      const buffer = Buffer.from(accessLog())
      const file = { name: 'access.log', mimeType: 'text/plain', buffer }
      await page.locator('input[type=file]').setInputFiles(file)
      await page.getByText(/requests would be decided differently/).waitFor()
    },
  },
  { name: 'migration-again', path: migration(VALIDATING_ZONE, '/deploy') },
  { name: 'migration-turn-off', path: migration(VALIDATING_ZONE, '/turn-off') },
  { name: 'migration-done', path: migration(DONE_ZONE) },
  { name: 'migration-none', path: migration(FREE_ZONE) },
  { name: 'overview-migration', path: `/zones/${VALIDATING_ZONE}` },
]
