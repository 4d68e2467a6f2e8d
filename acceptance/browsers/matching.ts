// Which sources allow which URL: compares packages/csp with the browser that it models, on an insecure page (the table
// in fixtures/csp was measured on a secure page).
import { deepEqual, ok } from 'node:assert/strict'
import { join } from 'node:path'
import { decide, parsePolicy } from '@zonereeve/csp'
import type { Report } from '../report.ts'
import { openBrowser, type Browser } from './browser.ts'
import { startSite, until, type Site } from './site.ts'

interface Row {
  readonly directive: 'img-src' | 'connect-src'
  readonly sources: string
  readonly url: string
}

const images = (sources: string, ...urls: readonly string[]): Row[] =>
  urls.map((url) => ({ directive: 'img-src', sources, url }))
const sockets = (sources: string, ...urls: readonly string[]): Row[] =>
  urls.map((url) => ({ directive: 'connect-src', sources, url }))

/** `:P` is the site's port; nothing listens on port 1. The browser decides before it connects. */
const ROWS: readonly Row[] = [
  ...images(
    'img.localhost:P',
    'http://img.localhost:P/',
    'https://img.localhost:P/',
    'http://site.localhost:P/',
  ),
  ...images('img.localhost', 'http://img.localhost:P/', 'https://img.localhost/', 'http://img.localhost/'),
  ...images('img.localhost:80', 'http://img.localhost/', 'https://img.localhost/'),
  ...images('http://img.localhost:P', 'http://img.localhost:P/', 'https://img.localhost:P/'),
  ...images('https://img.localhost:P', 'http://img.localhost:P/', 'https://img.localhost:P/'),
  ...images('http://img.localhost:80', 'https://img.localhost/'),
  ...images('http://img.localhost:*', 'http://img.localhost:1/', 'https://img.localhost:1/'),
  ...images('*.localhost:P', 'http://a.b.localhost:P/', 'http://my_img.localhost:P/', 'http://localhost:P/'),
  ...images('*:P', 'http://img.localhost:P/', 'http://img.localhost:1/'),
  ...images('*', 'http://img.localhost:1/', 'https://img.localhost:1/', 'data:image/png;base64,AAAA'),
  ...images('http:', 'http://img.localhost:1/', 'https://img.localhost:1/'),
  ...images('https:', 'http://img.localhost:1/', 'https://img.localhost:1/'),
  ...images("'self'", 'http://site.localhost:P/', 'https://site.localhost:P/', 'http://site.localhost:1/'),
  ...images("'none'", 'http://site.localhost:P/'),
  ...images("'none' img.localhost:P", 'http://img.localhost:P/'),
  ...images('127.0.0.1:P', 'http://127.0.0.1:P/'),
  ...images(
    'img.localhost:P/a/',
    'http://img.localhost:P/a/b.png',
    'http://img.localhost:P/a',
    'http://img.localhost:P/b',
  ),
  ...images('img.localhost:P/a', 'http://img.localhost:P/a?q', 'http://img.localhost:P/a/'),
  ...images('img.localhost:P/%61%2Fb', 'http://img.localhost:P/a/b'),
  ...images('img.localhost:P/a?q', 'http://img.localhost:P/a'),
  ...images('img.localhost:P/a/../b/', 'http://img.localhost:P/b/'),
  ...images('my_img.localhost:P', 'http://my_img.localhost:P/'),
  ...images('IMG.localhost:P/A', 'http://img.localhost:P/a', 'http://img.localhost:P/A'),
  ...sockets('ws:', 'ws://ws.localhost:1/', 'wss://ws.localhost:1/'),
  ...sockets('wss:', 'ws://ws.localhost:1/', 'wss://ws.localhost:1/'),
  ...sockets('ws://ws.localhost:1', 'ws://ws.localhost:1/', 'wss://ws.localhost:1/'),
  ...sockets('ws.localhost:1', 'ws://ws.localhost:1/', 'wss://ws.localhost:1/'),
  ...sockets("'self'", 'ws://site.localhost:P/', 'wss://site.localhost:P/', 'ws://ws.localhost:P/'),
  ...sockets('*', 'ws://ws.localhost:1/', 'wss://ws.localhost:1/'),
  ...sockets('http:', 'ws://ws.localhost:1/', 'wss://ws.localhost:1/'),
]

export async function runMatching(browser: Browser, report: Report, folder: string): Promise<void> {
  await report.check(`${browser.engine}: sources allow the same URLs as packages/csp`, async () => {
    const answers = new Map<number, boolean>()
    const site: Site = await startSite(({ path, body }) => {
      const [, index] = /^\/row\/(\d+)$/.exec(path) ?? []
      if (path === '/') return page(ROWS.map((_, i) => `<iframe src="/row/${i}"></iframe>`).join(''))
      if (index !== undefined) return rowPage(Number(index), site.port)
      if (path !== '/answer') return undefined
      const { row, isAllowed } = JSON.parse(body) as { row: number; isAllowed: boolean } // what rowPage sends
      answers.set(row, isAllowed)
      return { status: 204 }
    })
    const origin = site.origin('site')
    const open = openBrowser(browser, join(folder, `${browser.engine}-matching`), `${origin}/`)
    try {
      await until(
        () => answers.size === ROWS.length,
        () => `${answers.size} of ${ROWS.length} rows have answers`,
      )
    } finally {
      await open.close()
      await site.close()
    }
    const seen = ROWS.map((row, i) => describeRow(row, answers.get(i)))
    const messages = ROWS.map((row) =>
      describeRow(row, isAdmitted(row, browser, `${origin}/row/0`, site.port)),
    )
    ok(seen.length > 0)
    deepEqual(messages, seen)
  })
}

const describeRow = ({ directive, sources, url }: Row, isAllowed: boolean | undefined): string =>
  `${directive} ${sources} → ${url}: ${isAllowed === true ? 'admitted' : 'not admitted'}`

function isAdmitted(row: Row, { engine }: Browser, pageUrl: string, port: number): boolean {
  const { directive } = row
  const policy = parsePolicy(`${directive} ${ported(row.sources, port)}`)
  const load = { kind: 'url', directive, url: ported(row.url, port) } as const
  return decide(policy, load, { page: pageUrl, reading: engine }).isAllowed
}

/** A page with the row's policy that tries the URL, and reports the outcome to another page, which has no policy. */
function rowPage(row: number, port: number) {
  const { directive, sources, url } = ROWS[row] ?? { directive: 'img-src', sources: '', url: '' }
  const target = JSON.stringify(ported(url, port))
  const attempt =
    directive === 'img-src'
      ? `const image = new Image(); image.onload = image.onerror = () => setTimeout(() => tell(true), 50); image.src = ${target}`
      : `try { const socket = new WebSocket(${target}); socket.onopen = socket.onerror = () => setTimeout(() => tell(true), 50) } catch { setTimeout(() => tell(true), 50) }`
  // Submitting a form is not a fetch: neither directive applies to it.
  const script = `
    let isTold = false
    function tell(isAllowed) {
      if (isTold) return
      isTold = true
      parent.postMessage({ row: ${row}, isAllowed }, '*')
    }
    addEventListener('securitypolicyviolation', () => tell(false))
    ${attempt}`
  return {
    ...page(`<script>${script}</script>`),
    headers: {
      'content-type': 'text/html',
      'content-security-policy': `${directive} ${ported(sources, port)}`,
    },
  }
}

function page(body: string) {
  const listener = `<script>addEventListener('message', ({ data }) => fetch('/answer', { method: 'POST', body: JSON.stringify(data) }))</script>`
  return {
    headers: { 'content-type': 'text/html' },
    body: `<!doctype html><title>matching</title>${listener}${body}`,
  }
}

const ported = (text: string, port: number): string => text.replaceAll(/:P(?![a-z])/g, `:${port}`)
