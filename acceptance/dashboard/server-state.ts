// Health and settings of the server in the dashboard: what a backup, a stopped write and a role change in them.
import { equal, ok } from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import type { Browser } from 'playwright-core'
import type { Report } from '../report.ts'
import { signInInvited } from './signed-in.ts'
import { ZONE, type Site } from './site.ts'
import type { Visitor } from './visitor.ts'

export async function runServerState(
  browser: Browser,
  { page }: Visitor,
  site: Site,
  launcher: string,
  report: Report,
): Promise<void> {
  await report.check('health says that no backup is known, and then what the last one was', async () => {
    await page.goto('/health')
    await page.getByText('No backup is known.').first().waitFor()
    await page.getByText('accepted').waitFor()
    ok((await page.locator('table.facts tbody tr').count()) > 5, 'queues, and jobs that have run')
    const to = `${site.folder}-backups`
    const { stdout } = await promisify(execFile)(launcher, [
      'backup',
      'create',
      '--data',
      site.folder,
      '--to',
      to,
    ])
    await page.reload()
    await page.getByText(stdout.trim()).waitFor()
    await page.getByText('Nothing needs attention.').waitFor()
    equal(await page.getByText('No backup is known.').count(), 0)
  })
  await report.check('settings are filtered, the address keeps it, and secrets are not shown', async () => {
    const rows = page.locator('table.settings tbody tr')
    await page.goto('/settings')
    await page.getByText('admin-token').waitFor()
    ok(!(await page.locator('main').innerText()).includes(site.program.token))
    await page.keyboard.press('/')
    await page.keyboard.type('smtp')
    await page.waitForURL(/q=smtp/)
    await page.getByText('smtp-from', { exact: true }).waitFor()
    await rows.nth(3).waitFor({ state: 'detached' }) // later than the address
    equal(await rows.count(), 3)
    await page.getByLabel('Only what is not a default').check()
    await page.waitForURL(/set=yes/)
    await rows.nth(2).waitFor({ state: 'detached' })
    equal(await rows.count(), 2)
    await page.reload()
    await page.getByText('alerts@example.com', { exact: true }).waitFor()
    equal(await rows.count(), 2)
  })
  await report.check(
    'without permission each page of the server says so once, and shows nothing',
    async () => {
      const [zone] = await site.api.get<readonly { id: string }[]>(`/zones?name=${ZONE}`)
      const zoneRoles = [{ zone_id: zone?.id, role: 'viewer' }]
      const guest = await signInInvited(browser, site, { email: 'guest@example.com', zone_roles: zoneRoles })
      for (const path of ['/health', '/settings', '/feeds', '/audit']) {
        await guest.page.goto(path)
        await guest.page.getByText(/^Only owners and admins see/).waitFor()
        await guest.page.waitForLoadState('networkidle')
        equal(await guest.page.getByRole('alert').count(), 0, path)
        equal(await guest.page.locator('main table').count(), 0, path)
      }
      await guest.close()
    },
  )
}
