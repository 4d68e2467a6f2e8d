// The policies and the monitoring of pages in Chromium: behind the embedded proxy of an edge, and behind nginx as docs/edge.md
// sets it up.
import { deepEqual, equal, ok } from 'node:assert/strict'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Browser } from 'playwright-core'
import { missingOf } from '../scripts/requirements.ts'
import { createApi, type Api } from './browsers/api.ts'
import { startSite, until, type Site } from './browsers/site.ts'
import { launchBrowser, openVisitor } from './dashboard/visitor.ts'
import { getFrom, startEdge, type RunningEdge } from './edge-process.ts'
import type { Target } from './program.ts'
import { startNginx } from './proxy.ts'
import type { Report } from './report.ts'

const DOCUMENT = new URL('../docs/edge.md', import.meta.url)
/** Browsers resolve names below localhost to this machine, and treat them as secure. */
const ZONE = 'pages.localhost'
const VIEW = { width: 1024, height: 768, theme: 'light' } as const

/** @param launcher of the program whose edge is started. */
export async function runEdgePages(
  target: Target,
  launcher: string,
  report: Report,
  folder: string,
): Promise<void> {
  const missing = missingOf(['chromium', 'nginx'])
  if (missing !== undefined)
    return report.skip('policies of pages in a browser', missing.reason, missing.required)
  const api = createApi(target)
  const { id } = await api.post<{ id: string }>('/zones', { name: ZONE })
  await api.call('PUT', `/zones/${id}/page_shield`, { enabled: true })
  await api.post(`/zones/${id}/page_shield/policies`, {
    description: '',
    action: 'allow',
    expression: 'http.request.uri.path eq "/checkout"',
    enabled: true,
    value: `script-src 'self'`,
  })
  const others = await startSite(({ path }) => script(`window.others = ${JSON.stringify(path)}`))
  const shop = await startSite(({ path, host }) => pageOf(path, host, others))
  const edge = await startEdge(launcher, target, shop.port)
  const nginx = await nginxWith(join(folder, 'edge-nginx'), edge, shop.port, target)
  const browser = await launchBrowser()
  try {
    for (const [name, port] of [
      ['the embedded proxy', edge.proxy],
      ['nginx', nginx.port],
    ] as const)
      await judge(name, `${name === 'nginx' ? 'n' : 'e'}.${ZONE}:${port}`, {
        api,
        id,
        browser,
        report,
        others,
      })
  } finally {
    await browser.close()
    await nginx.stop()
    edge.stop()
    await shop.close()
    await others.close()
    await api.call('DELETE', `/zones/${id}`)
  }
}

const script = (body: string) => ({ headers: { 'content-type': 'text/javascript' }, body })

/** A page with a script of its own and one of another host. The host of its name tells its proxies apart. */
function pageOf(path: string, host: string, others: Site) {
  if (path.endsWith('.js')) return script('window.own = true')
  const proxy = host.split('.', 1)[0] ?? '' // names of this test have a dot
  return {
    headers: {
      'content-type': 'text/html; charset=utf-8',
      'set-cookie': `cart-${proxy}=private; Path=/; HttpOnly`,
    },
    body: `<!doctype html><html lang="en"><title>Shop</title><h1>The shop</h1>
<script src="/own.js"></script><script src="${others.origin('cdn')}/${proxy}.js"></script></html>`,
  }
}

interface Judged {
  readonly api: Api
  readonly id: string
  readonly browser: Browser
  readonly report: Report
  readonly others: Site
}

async function judge(
  name: string,
  host: string,
  { api, id, browser, report, others }: Judged,
): Promise<void> {
  const port = Number(host.split(':').at(-1))
  await until(
    async () => (await getFrom(port, host, '/checkout')).status === 200,
    () => `${name} does not answer`,
  )
  const scriptUrl = `${others.origin('cdn')}/${host.split('.', 1)[0]}.js`
  const visitor = await openVisitor(browser, `http://${host}`, VIEW)
  const ran = () =>
    visitor.page.evaluate<[boolean, boolean]>('[window.own === true, window.others !== undefined]')
  try {
    await report.check(
      `behind ${name}, a policy blocks scripts of other hosts on its page alone`,
      async () => {
        await until(
          async () => {
            await visitor.page.goto('/checkout')
            return (await ran())[1] === false
          },
          () => 'the script of the other host still runs',
        )
        deepEqual(await ran(), [true, false])
        await visitor.page.goto('/shop')
        deepEqual(await ran(), [true, true])
      },
    )
    await report.check(`behind ${name}, the script that a page loads is in the inventory`, async () => {
      const path = `/zones/${id}/page_shield/scripts?status=active,infrequent`
      let seen: readonly { readonly url: string; readonly page_urls?: readonly string[] }[] = []
      await until(
        async () => {
          await visitor.page.goto('/shop')
          seen = await api.get<typeof seen>(path)
          return seen.some(({ url }) => url === scriptUrl)
        },
        () => `not reported: ${scriptUrl}`,
      )
      ok(!seen.some(({ url }) => url.endsWith('/own.js') && url.includes('checkout')))
    })
    if (name !== 'nginx')
      await report.check(
        `behind ${name}, the cookie of a page is in the inventory, without its value`,
        async () => {
          let text = ''
          await until(
            async () => {
              text = JSON.stringify(await api.get(`/zones/${id}/page_shield/cookies`))
              return text.includes('"cart-e"')
            },
            () => 'not in the inventory',
          )
          equal(text.includes('private'), false)
        },
      )
  } finally {
    await visitor.close()
  }
}

/** nginx with the blocks of the document, at the addresses of this run. */
async function nginxWith(folder: string, edge: RunningEdge, shopPort: number, { http }: Target) {
  mkdirSync(join(folder, 'conf.d'), { recursive: true })
  const text = readFileSync(DOCUMENT, 'utf8')
  const blocks = [...text.matchAll(/^```nginx\n([\s\S]*?)^```$/gm)].map(
    ([, block = '']) =>
      block
        .replaceAll('127.0.0.1:8090', `127.0.0.1:${edge.decisions}`)
        .replaceAll('http://127.0.0.1:3000', `http://127.0.0.1:${shopPort}`)
        .replaceAll('http://127.0.0.1:8080', http)
        .replaceAll(/proxy_(connect|read)_timeout \d+ms/g, 'proxy_$1_timeout 5s'), // other suites use the machine as well
  )
  const [maps = '', locations = ''] = blocks
  equal(blocks.length, 2, 'the page has a block for http and one for the server')
  writeFileSync(join(folder, 'conf.d/zonereeve.conf'), maps)
  return startNginx(folder, [locations])
}
