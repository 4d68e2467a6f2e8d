// A challenge of the edge in a real browser: Chromium solves it and sees the site, a client without scripts does not.
import { deepEqual, equal, match, ok } from 'node:assert/strict'
import type { Page } from 'playwright-core'
import { missingOf } from '../scripts/requirements.ts'
import { createApi } from './browsers/api.ts'
import { startSite, until } from './browsers/site.ts'
import { auditPage } from './dashboard/audit.ts'
import { launchBrowser, openVisitor, type View } from './dashboard/visitor.ts'
import { getFrom, startEdge } from './edge-process.ts'
import type { Target } from './program.ts'
import type { Report } from './report.ts'

/** Browsers resolve names below localhost to this machine, and treat them as secure. */
const NAME = 'challenged.localhost'
const RULES = [
  { action: 'managed_challenge', expression: 'http.request.uri.path eq "/shop"' },
  { action: 'challenge', expression: 'http.request.uri.path eq "/asked"' },
]
const SITE_TEXT = 'the real shop'
const PAGE = `<!doctype html><html lang="en"><title>Shop</title><h1>${SITE_TEXT}</h1></html>`
const SOLVED_WITHIN_MILLIS = 60_000
const VIEWS: readonly View[] = [
  { width: 1440, height: 900, theme: 'light' },
  { width: 390, height: 844, theme: 'dark' },
]

/** @param launcher of the program whose edge is started. */
export async function runEdgeChallenge(target: Target, launcher: string, report: Report): Promise<void> {
  const missing = missingOf(['chromium'])
  if (missing !== undefined) return report.skip('challenges in a browser', missing.reason, missing.required)
  const api = createApi(target)
  const { id } = await api.post<{ id: string }>('/zones', { name: NAME })
  const entry = `/zones/${id}/rulesets/phases/http_request_firewall_custom/entrypoint`
  await api.call('PUT', entry, { rules: RULES })
  const origin = await startSite(() => ({
    headers: { 'content-type': 'text/html; charset=utf-8' },
    body: PAGE,
  }))
  let logged = ''
  const edge = await startEdge(launcher, target, origin.port, { onLog: (text) => (logged += text) })
  try {
    // It must have a configuration, so that it decides.
    await until(
      async () => (await getFrom(edge.proxy, NAME, '/shop')).status === 403,
      () => 'the edge does not challenge',
    )
    await check(edge.proxy, report, () => logged)
  } finally {
    edge.stop()
    await origin.close()
    await api.call('DELETE', `/zones/${id}`)
  }
}

async function check(port: number, report: Report, logged: () => string): Promise<void> {
  const site = `http://${NAME}:${port}`
  const browser = await launchBrowser()
  try {
    await report.check('a client without scripts does not pass a challenge', async () => {
      const { status, text } = await getFrom(port, NAME, '/shop')
      equal(status, 403)
      match(text, /This site checks that it is visited by a browser/)
      ok(!text.includes(SITE_TEXT))
    })
    for (const view of VIEWS) {
      const visitor = await openVisitor(browser, site, view)
      const { page } = visitor
      const checkPage = (name: string, body: () => Promise<void>): Promise<void> =>
        report.check(`${name} (${view.width} px)`, () =>
          body().catch(async (error: unknown) => {
            throw new Error(`${String(error)}\n${await shownBy(page)}\nthe edge logged:\n${logged()}`)
          }),
        )
      await checkPage('Chromium solves a challenge by itself', async () => {
        await page.goto('/shop?a=1')
        await page.getByText(SITE_TEXT).waitFor({ timeout: SOLVED_WITHIN_MILLIS })
        equal(new URL(page.url()).search, '?a=1')
      })
      await checkPage('an interactive challenge is accessible, and solved by the keyboard', async () => {
        await page.goto('/asked')
        await page.getByRole('button', { name: 'Continue' }).waitFor()
        deepEqual(await auditPage(page), [])
        await page.keyboard.press('Tab')
        await page.keyboard.press('Enter')
        await page.getByText(SITE_TEXT).waitFor({ timeout: SOLVED_WITHIN_MILLIS })
        deepEqual(visitor.faults, [])
      })
      await visitor.close()
    }
  } finally {
    await browser.close()
  }
}

/** The part of a page that a reader sees, for the message of a failure. */
async function shownBy(page: Page): Promise<string> {
  const text = await page
    .locator('body')
    .innerText({ timeout: 1000 })
    .catch((error: unknown) => `not to be read: ${String(error)}`)
  return `${page.url()} shows: ${text.slice(0, 300)}`
}
