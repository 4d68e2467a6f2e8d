// A shop behind a proxy: its pages are sent with the headers from the API, and browser reports are forwarded to the
// collector.
import { createHash } from 'node:crypto'
import type { Target } from '../program.ts'
import type { Api } from './api.ts'
import type { Trusted } from './browser.ts'
import { makeCertificate } from './certificate.ts'
import { startSite, type Site, type SiteReply, type SiteRequest } from './site.ts'

/** What a page of the shop loads, by short name: scripts by URL, connections by scheme and host. */
export type Loads = Readonly<Record<string, string>>

export interface Shop {
  readonly site: Site
  readonly zoneId: string
  /** Paths of monitoring in the API: the compatible ones and our own. */
  readonly path: string
  readonly own: string
  /** Undefined if it is served without TLS. */
  readonly trusted: Trusted | undefined
  /** Origin of the shop's pages. */
  readonly origin: string
  readonly scripts: Loads
  readonly connections: Loads
  /** Source expression without quotes. */
  readonly inlineHash: string
  /** Policy headers for a page. */
  readonly headersOf: (url: string) => Promise<readonly Header[]>
}

export interface Header {
  readonly name: string
  readonly value: string
}

/**
 * Opens a shop in its own monitored zone. One page view activates everything it loads.
 *
 * @param folder for its certificate; undefined means without TLS.
 */
export async function openShop(
  name: string,
  api: Api,
  target: Target,
  folder: string | undefined,
): Promise<Shop> {
  const zone = await api.post<{ id: string }>('/zones', {
    name: `${name}.localhost`,
  })
  const path = `/zones/${zone.id}/page_shield`
  const own = `/zonereeve${path}`
  await api.call('PUT', path, { enabled: true })
  await api.call('PUT', `${own}/retention`, { active_page_views: 1 })

  const hosts = [`www.${name}`, 'cdn', 'evil', 'api', 'live', 'beacon'].map((label) => `${label}.localhost`)
  const certificate = folder === undefined ? undefined : await makeCertificate(folder, hosts)
  const site: Site = await startSite((request) => answer(request), certificate)
  const trusted = certificate && { certificate, hosts, port: site.port }
  const origin = site.origin(`www.${name}`)
  const cdn = site.origin('cdn')
  const scripts = {
    'first.js': `${origin}/first.js`,
    'lib.js': `${cdn}/lib.js?v=2`,
    'moved.js': `${cdn}/moved.js`,
    'skim.js': `${site.origin('evil')}/skim.js`,
  }
  const connections = {
    api: site.origin('api'),
    live: site.origin('live').replace(/^http/, 'ws'),
    beacon: site.origin('beacon'),
  }
  const inline = inlineScript(connections)
  const inlineHash = `sha256-${createHash('sha256').update(inline).digest('base64')}`
  return { site, zoneId: zone.id, path, own, trusted, origin, scripts, connections, inlineHash, headersOf }

  async function headersOf(url: string): Promise<readonly Header[]> {
    const asked = `${own}/headers?url=${encodeURIComponent(url)}`
    return (await api.get<{ headers: readonly Header[] }>(asked)).headers
  }

  async function answer(request: SiteRequest): Promise<SiteReply | undefined> {
    const { path: asked, host } = request
    const [file = ''] = asked.split('?')
    if (asked.startsWith('/cdn-cgi/')) return passOn(request, target)
    if (file === '/moved.js') return { status: 302, headers: { location: '/landed.js' } }
    if (file.endsWith('.js')) return { headers: { 'content-type': 'text/javascript' }, body: scriptOf(file) }
    if (file.startsWith('/page/'))
      return page(await headersOf(`${new URL(origin).protocol}//${host}${asked}`))
    // Allows the page to read replies from another origin.
    return { status: 204, headers: { 'access-control-allow-origin': '*' } }
  }

  function page(headers: readonly Header[]): SiteReply {
    const lines: Record<string, string[]> = { 'content-type': ['text/html'], 'cache-control': ['no-store'] }
    for (const { name: header, value } of headers) (lines[header] ??= []).push(value)
    const tags = Object.values(scripts).map((src) => `<script src="${src}"></script>`)
    const body = `<!doctype html><title>shop</title>${tags.join('')}<script>${inline}</script>`
    return { headers: lines, body }
  }
}

/** Long enough for everything a page does on a slow machine. */
const STAY_MS = 2000

/** Connects, tries eval, and finally navigates away: browsers send a page's last reports when it unloads. */
function inlineScript({ api, live, beacon }: Readonly<Record<'api' | 'live' | 'beacon', string>>): string {
  return `
    window.ran = (what) => { new Image().src = '/ran/' + what }
    ran('inline')
    fetch('${api}/items').catch(() => {})
    try { new WebSocket('${live}/feed') } catch {}
    navigator.sendBeacon('${beacon}/seen', 'x')
    try { (0, eval)("ran('eval')") } catch {}
    addEventListener('load', () => setTimeout(() => { location.href = '/left' }, ${STAY_MS}))`
}

/** A script that reports to the page's own host that it ran. */
const scriptOf = (file: string): string =>
  `new Image().src = '/ran/${file === '/landed.js' ? 'moved.js' : file.slice(1)}'`

/** Forwards browser reports as a proxy in front of the shop does. */
async function passOn({ method, path, body, headers }: SiteRequest, { http }: Target): Promise<SiteReply> {
  const reply = await fetch(http + path, {
    method,
    headers: {
      'content-type': headers['content-type'] ?? '',
      'user-agent': headers['user-agent'] ?? '',
    },
    ...(method === 'POST' ? { body } : {}),
  })
  const cors = [...reply.headers].filter(([name]) => name.startsWith('access-control-'))
  return { status: reply.status, headers: Object.fromEntries(cors) }
}

/** What a page did, by short names: scripts that ran, connections that arrived, `inline` and `eval`. */
export function doneBy(requests: readonly SiteRequest[], { connections }: Shop): readonly string[] {
  const done = requests.flatMap(({ method, host, path }) => {
    const [, what] = /^\/ran\/([^?]+)$/.exec(path) ?? []
    if (what !== undefined) return [what]
    const reached = Object.entries(connections).find(([, url]) => url.endsWith(`//${host}`))
    return reached === undefined || method === 'OPTIONS' ? [] : [reached[0]]
  })
  return [...new Set(done)].toSorted()
}
