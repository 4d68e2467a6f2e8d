// The activity log and the trace of a request.
import { ACTIVITY_ZONE } from './activity-site.ts'
import { SCORED_ZONE } from './firewall-site.ts'
import type { Screen } from './screens.ts'

const ZONE_PATH = `/zones/${ACTIVITY_ZONE}`

const openFirst: Screen['prepare'] = async (page) => {
  await page.locator('tr.event .fold').first().click()
  await page.getByRole('link', { name: 'Write a rule…' }).waitFor()
  // On a narrow page the row is far down, and the bar at the top would cover half a button.
  await page.evaluate('scrollTo(0, 0)')
}

const SQL = encodeURIComponent("1' UNION SELECT 1,password FROM users--")
const ATTACK = encodeURIComponent(`https://${SCORED_ZONE}/?q=${SQL}`)

const trace: Screen['prepare'] = async (page) => {
  await page.getByRole('button', { name: 'Trace', exact: true }).click()
  await page.getByRole('heading', { name: 'Decision' }).waitFor()
}

export const ACTIVITY_SCREENS: readonly Screen[] = [
  { name: 'activity', path: `${ZONE_PATH}/activity` },
  {
    name: 'activity-why',
    path: `${ZONE_PATH}/activity?q=-action:log -path:/robots.txt&since=7d`,
    prepare: openFirst,
  },
  {
    name: 'activity-answered',
    path: `${ZONE_PATH}/activity?q=action:log&since=7d`,
    prepare: async (page) => {
      await openFirst(page)
      await page.getByText('cookie, lang: de').waitFor()
    },
  },
  { name: 'activity-no-match', path: `${ZONE_PATH}/activity?q=host:nothing.example` },
  { name: 'activity-none', path: '/zones/example.org/activity' },
  {
    name: 'activity-exception',
    path: `${ZONE_PATH}/activity?q=path:/.git/config`,
    prepare: async (page) => {
      await openFirst(page)
      await page.getByRole('link', { name: 'Add an exception…' }).click()
      await page.getByText('It skips the custom rules after it.').waitFor()
      await page.getByRole('textbox', { name: 'Expression' }).waitFor()
    },
  },
  { name: 'trace', path: `${ZONE_PATH}/trace` },
  {
    name: 'trace-result',
    path: `${ZONE_PATH}/trace?method=GET&url=https://www.${ACTIVITY_ZONE}/.git/config&ip=203.0.113.9`,
    prepare: trace,
  },
  { name: 'trace-managed', path: `/zones/${SCORED_ZONE}/trace?url=${ATTACK}`, prepare: trace },
]
