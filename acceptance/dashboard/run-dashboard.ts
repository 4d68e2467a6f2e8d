// The dashboard of the packed program in a real browser: signing in, every screen, records from the keyboard to DNS.
import { deepEqual, equal, ok } from 'node:assert/strict'
import { join } from 'node:path'
import type { Browser } from 'playwright-core'
import { missingOf } from '../../scripts/requirements.ts'
import type { Report } from '../report.ts'
import { auditColors, auditPage } from './audit.ts'
import { runActivity } from './activity.ts'
import { runAccount } from './account.ts'
import { runPalette } from './palette.ts'
import { runCatalogs } from './catalogs.ts'
import { runDigest, runDigestOfViewer } from './digest.ts'
import { runDnsScreens } from './dns-screens.ts'
import { runFirewall } from './firewall.ts'
import { MAX_REQUESTS, runLargeZone, runManyZones, runSizes } from './large-zone.ts'
import { runPeople } from './people.ts'
import { runProvider } from './provider.ts'
import { runRecords } from './records.ts'
import { runRuleForms } from './rule-forms.ts'
import { runRules } from './rules.ts'
import { runMonitoring } from './monitoring.ts'
import { runNarrow } from './narrow.ts'
import { runPolicies } from './policies.ts'
import { openScreen, SCREENS } from './screens.ts'
import { signIn } from './signed-in.ts'
import { runServer } from './server.ts'
import { runServerState } from './server-state.ts'
import { startSite, type Site } from './site.ts'
import { runWatching } from './watching.ts'
import { runWizard } from './wizard.ts'
import { runZoneImport } from './zone-import.ts'
import { runZoneList } from './zone-list.ts'
import { runZoneText } from './zone-text.ts'
import { launchBrowser, openVisitor, type View } from './visitor.ts'

/** All of a screen is in sight: what the bars at the edges cover would count as too small to hit. */
const TALL = 3_600
/** In a narrow window only the layout differs, and no color. The last theme is that of the next screen. */
const LAYOUTS = [
  { width: 1440, themes: ['dark', 'light'] },
  { width: 390, themes: ['light'] },
] as const
type Layout = (typeof LAYOUTS)[number]
const WIDE: View = { width: 1440, height: 900, theme: 'light' }

export async function runDashboard(launcher: string, report: Report, folder: string): Promise<void> {
  const missing = missingOf(['chromium'])
  if (missing !== undefined) return report.skip('the dashboard', missing.reason, missing.required)
  const site = await startSite(launcher, join(folder, 'dashboard'))
  const browser = await launchBrowser()
  try {
    await runSignIn(browser, site, report)
    for (const layout of LAYOUTS) await runScreens(browser, site, layout, report)
    await runNarrow(browser, site, report)
    const visitor = await signIn(browser, site, WIDE)
    await runZoneList(visitor, site, report)
    await runRecords(visitor, site, report)
    await runDnsScreens(visitor, site, report)
    await runDigest(visitor, site, report)
    await runDigestOfViewer(browser, site, report)
    await runCatalogs(browser, visitor, site, report)
    await runZoneImport(visitor, site, report)
    await runPalette(visitor, site, report)
    await runZoneText(visitor, site, report)
    await runFirewall(visitor, site, report)
    await runRules(visitor, site, report)
    await runRuleForms(visitor, site, report)
    await runMonitoring(browser, visitor, site, report)
    await runWatching(visitor, site, report)
    await runPolicies(visitor, site, report)
    await runActivity(visitor, site, report)
    await runServer(visitor, site, report)
    await runServerState(browser, visitor, site, launcher, report)
    await runSizes(visitor, site, report)
    await runLargeZone(visitor, site, report)
    await report.check('the dashboard violates its own policy nowhere and has no script error', () =>
      deepEqual(visitor.faults, []),
    )
    await visitor.close()
    await runManyZones(launcher, browser, report, join(folder, 'many-zones'))
    await runProvider(launcher, browser, report, join(folder, 'provider'))
    await runPeople(browser, site, report)
    await runWizard(launcher, browser, site, report, folder)
    // It ends all other sessions.
    await runAccount(browser, site, report)
  } finally {
    await browser.close()
    await report.check('the program of the dashboard ends with code 0 on SIGTERM', site.program.stop)
    await site.primary.stop()
  }
}

async function runSignIn(browser: Browser, site: Site, report: Report): Promise<void> {
  await report.check('a link signs in once, and is gone from the address', async () => {
    const path = await site.signInPath()
    const first = await openVisitor(browser, site.program.http, WIDE)
    await first.page.goto(path)
    await first.page.getByRole('link', { name: 'example.com', exact: true }).waitFor()
    equal(new URL(first.page.url()).hash, '')
    ok(
      first.requests.every((request) => !request.includes('link=')),
      'the token is in no URL that was requested',
    )
    const second = await openVisitor(browser, site.program.http, WIDE)
    await second.page.goto(path)
    await second.page.getByRole('alert').waitFor()
    equal(new URL(second.page.url()).pathname, '/sign-in')
    deepEqual([...first.faults, ...second.faults], [])
    await first.close()
    await second.close()
  })
  await report.check('without a session every screen is the sign-in, and leads back afterwards', async () => {
    const visitor = await openVisitor(browser, site.program.http, WIDE)
    await visitor.page.goto('/zones/example.com/records?q=type:MX')
    await visitor.page.waitForURL(/\/sign-in\?to=/)
    deepEqual(await auditPage(visitor.page), [])
    const { hash } = new URL(await site.signInPath(), site.program.http)
    await visitor.page.getByLabel('Sign-in link or its token').fill(hash)
    await visitor.page.getByRole('button', { name: 'Sign in with the link' }).click()
    await visitor.page.waitForURL(/\/zones\/example\.com\/records\?q=type:MX$/)
    await visitor.page.locator('.who button').first().click()
    await visitor.page.getByRole('button', { name: 'Sign out' }).click()
    await visitor.page.waitForURL('**/sign-in')
    await visitor.page.goto('/zones')
    await visitor.page.waitForURL(/\/sign-in\?to=/)
    deepEqual(visitor.faults, [])
    await visitor.close()
  })
}

async function runScreens(
  browser: Browser,
  site: Site,
  { width, themes }: Layout,
  report: Report,
): Promise<void> {
  const visitor = await signIn(browser, site, { width, height: TALL, theme: 'light' })
  const { page, faults, requests } = visitor
  for (const screen of SCREENS)
    await report.check(
      `${screen.name}, ${width} px, ${themes.join(' and ')}: no finding of axe, few requests`,
      async () => {
        const since = requests.length
        await openScreen(page, screen)
        for (const theme of themes) {
          await page.emulateMedia({ colorScheme: theme })
          const findings = theme === themes[0] ? await auditPage(page) : await auditColors(page)
          deepEqual([theme, ...findings], [theme])
        }
        // Only now: what it asks for after a while counts, too.
        const asked = requests.slice(since).filter((request) => request.includes(' /client/v4/'))
        ok(asked.length <= MAX_REQUESTS, `${asked.length} requests:\n${asked.join('\n')}`)
        deepEqual(faults, [])
      },
    )
  await visitor.close()
}
