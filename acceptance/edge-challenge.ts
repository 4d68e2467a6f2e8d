// A challenge of the edge in a real browser: Chromium solves it and sees the site, a client without scripts does not.
import { deepEqual, equal, match, ok } from 'node:assert/strict'
import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { request } from 'node:http'
import { missingOf } from '../scripts/requirements.ts'
import { createApi } from './browsers/api.ts'
import { startSite } from './browsers/site.ts'
import { auditPage } from './dashboard/audit.ts'
import { launchBrowser, openVisitor, type View } from './dashboard/visitor.ts'
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
  const [account] = await api.get<{ id: string }[]>('/accounts')
  const { id } = await api.post<{ id: string }>('/zones', { name: NAME, account: { id: account?.id } })
  const entry = `/zones/${id}/rulesets/phases/http_request_firewall_custom/entrypoint`
  await api.call('PUT', entry, { rules: RULES })
  const origin = await startSite(() => ({
    headers: { 'content-type': 'text/html; charset=utf-8' },
    body: PAGE,
  }))
  const edge = startEdge(launcher, target, origin.port)
  try {
    await check(await proxyPort(edge), report)
  } finally {
    edge.kill()
    await origin.close()
    await api.call('DELETE', `/zones/${id}`)
  }
}

async function check(port: number, report: Report): Promise<void> {
  const site = `http://${NAME}:${port}`
  const browser = await launchBrowser()
  try {
    await report.check('a client without scripts does not pass a challenge', async () => {
      const { status, text } = await get(port, '/shop')
      equal(status, 403)
      match(text, /This site checks that it is visited by a browser/)
      ok(!text.includes(SITE_TEXT))
    })
    for (const view of VIEWS) {
      const visitor = await openVisitor(browser, site, view)
      const { page } = visitor
      await report.check(`Chromium solves a challenge by itself (${view.width} px)`, async () => {
        await page.goto('/shop?a=1')
        await page.getByText(SITE_TEXT).waitFor({ timeout: SOLVED_WITHIN_MILLIS })
        equal(new URL(page.url()).search, '?a=1')
      })
      await report.check(
        `an interactive challenge is accessible, and solved by the keyboard (${view.width} px)`,
        async () => {
          await page.goto('/asked')
          await page.getByRole('button', { name: 'Continue' }).waitFor()
          deepEqual(await auditPage(page), [])
          await page.keyboard.press('Tab')
          await page.keyboard.press('Enter')
          await page.getByText(SITE_TEXT).waitFor({ timeout: SOLVED_WITHIN_MILLIS })
          deepEqual(visitor.faults, [])
        },
      )
      await visitor.close()
    }
  } finally {
    await browser.close()
  }
}

const startEdge = (launcher: string, { http, token }: Target, originPort: number): ChildProcess =>
  spawn(
    launcher,
    ['edge', '--url', `${http}/client/v4`, '--proxy', '127.0.0.1:0', '--origin', `127.0.0.1:${originPort}`],
    { env: { ...process.env, ZONEREEVE_TOKEN: token }, stdio: ['ignore', 'pipe', 'ignore'] },
  )

/** Only browsers know names below localhost. */
const get = (port: number, path: string): Promise<{ readonly status: number; readonly text: string }> =>
  new Promise((resolve, reject) => {
    const sent = request({ host: '127.0.0.1', port, path, headers: { host: NAME } }, (reply) => {
      let text = ''
      reply.setEncoding('utf8').on('data', (chunk: string) => (text += chunk))
      reply.on('end', () => resolve({ status: reply.statusCode ?? 0, text })) // every reply has one
    })
    sent.on('error', reject)
    sent.end()
  })

/** Waits until it has a configuration, so that it decides. */
async function proxyPort(edge: ChildProcess): Promise<number> {
  let output = ''
  edge.stdout?.setEncoding('utf8').on('data', (chunk: string) => (output += chunk))
  const ended = once(edge, 'exit').then(() => Promise.reject(new Error(`the edge ended: ${output}`)))
  ended.catch(() => undefined)
  const port = (async () => {
    for (;;) {
      const found = / proxy=http:\/\/127\.0\.0\.1:(\d+)/.exec(output)?.[1]
      if (found !== undefined) {
        if ((await get(Number(found), '/shop')).status === 403) return Number(found)
      }
      await new Promise((resolve) => setTimeout(resolve, 100))
    }
  })()
  return Promise.race([port, ended])
}
