// A monitored shop in a real browser: the inventory afterwards, what a policy blocks, and what the simulator predicts
// must agree.
import { deepEqual, ok } from 'node:assert/strict'
import { join } from 'node:path'
import type { Target } from '../program.ts'
import type { Report } from '../report.ts'
import { createApi, type Api } from './api.ts'
import { mkdirSync } from 'node:fs'
import { missingOf } from '../../scripts/requirements.ts'
import { openBrowser, type Browser } from './browser.ts'
import { doneBy, openShop, type Shop } from './shop.ts'
import { until } from './site.ts'

export async function runMonitoring(
  browser: Browser,
  target: Target,
  report: Report,
  folder: string,
): Promise<void> {
  const { engine } = browser
  const api = createApi(target)
  // Without TLS there is no Reporting API; browsers report only with the older `report-uri`.
  await inShop(`${engine}-plain`, undefined, async (shop, visit) => {
    await report.check(`${engine}: monitoring finds what a page without TLS loads`, () =>
      findsEverything(api, shop, visit),
    )
    await report.check(`${engine}: the scripts found are fetched, and scored by their structure`, () =>
      scansEverything(api, shop),
    )
  })
  const missing = missingOf(['openssl'])
  if (missing !== undefined)
    return report.skip(`a shop with TLS in ${engine}`, missing.reason, missing.required)
  const certificates = join(folder, `${engine}-certificate`)
  mkdirSync(certificates, { recursive: true })
  await inShop(`${engine}-shop`, certificates, async (shop, visit) => {
    await report.check(`${engine}: monitoring finds exactly what the page loads, and blocks nothing`, () =>
      findsEverything(api, shop, visit),
    )
    await report.check(
      `${engine}: unsigned reports and reports of extensions or other pages add nothing`,
      () => dropsPlanted(api, shop, target),
    )
    await report.check(
      `${engine}: a policy blocks what the simulator predicts, and its violations are counted`,
      () => blocksAsSimulated(api, shop, visit),
    )
    await report.check(`${engine}: the suggested policy allows everything that was found`, () =>
      allowsAsSuggested(api, shop, visit),
    )
  })

  async function inShop(
    name: string,
    certificateFolder: string | undefined,
    judge: (shop: Shop, visit: Visit) => Promise<void>,
  ): Promise<void> {
    const shop = await openShop(name, api, target, certificateFolder)
    let visits = 0
    try {
      await judge(shop, (path) => {
        visits += 1
        return visitPage(browser, shop, join(folder, `${name}-${visits}`), path)
      })
    } finally {
      await shop.site.close()
      await api.call('DELETE', `/zones/${shop.zoneId}`)
    }
  }
}

type Visit = (path: string) => Promise<readonly string[]>

/** @returns what the page did, after the browser has left it. */
async function visitPage(
  browser: Browser,
  shop: Shop,
  folder: string,
  path: string,
): Promise<readonly string[]> {
  const { site, origin, trusted } = shop
  const before = site.requests.length
  const made = () => site.requests.slice(before)
  const open = openBrowser(browser, folder, origin + path, trusted)
  try {
    await until(
      () => made().some((request) => request.path === '/left'),
      () => JSON.stringify(made().map((request) => `${request.host}${request.path}`)),
    )
    // The page sends its last reports while the next one loads.
    await new Promise((resolve) => setTimeout(resolve, 1000))
  } finally {
    await open.close()
  }
  return doneBy(made(), shop)
}

const namesOf = ({ scripts, connections }: Shop): readonly string[] =>
  [...Object.keys(scripts), ...Object.keys(connections)].toSorted()

async function findsEverything(api: Api, shop: Shop, visit: Visit): Promise<void> {
  deepEqual(await visit('/page/shop'), [...namesOf(shop), 'eval', 'inline'].toSorted())
  await untilFound(api, shop)
}

/** Polls the inventory until its URLs are those of the shop. Reports may arrive some time after the page was left. */
async function untilFound(api: Api, shop: Shop): Promise<void> {
  const expected = [...Object.values(shop.scripts), ...Object.values(shop.connections)].toSorted()
  await until(
    async () => (await inventory(api, shop)).length >= expected.length,
    async () => JSON.stringify(await inventory(api, shop)),
    90,
  )
  deepEqual(await inventory(api, shop), expected)
}

async function inventory(api: Api, { path }: Shop): Promise<readonly string[]> {
  const urls = async (kind: string) =>
    (await api.get<{ url: string }[]>(`${path}/${kind}?per_page=100`)).map(({ url }) => url)
  return [...(await urls('scripts')), ...(await urls('connections'))].toSorted()
}

interface ScannedScript {
  readonly id: string
  readonly url: string
  readonly hash: string | null
  readonly fetched_at: string | null
  readonly js_integrity_score: number | null
  readonly versions?: readonly { readonly hash: string | null; readonly fetched_at: string }[]
}

/** Each script of the shop has different content, so each has its own hash; one of them is behind a redirect. */
async function scansEverything(api: Api, { path, own, scripts }: Shop): Promise<void> {
  const list = () => api.get<ScannedScript[]>(`${path}/scripts?per_page=100`)
  await until(
    async () => (await list()).every(({ fetched_at: fetchedAt }) => fetchedAt !== null),
    async () => JSON.stringify(await list()),
  )
  const found = await list()
  deepEqual(found.map(({ url }) => url).toSorted(), Object.values(scripts).toSorted())
  deepEqual(new Set(found.map(({ hash }) => hash)).size, found.length)
  for (const { id, url, hash, js_integrity_score: score } of found) {
    ok(score !== null && score >= 10, `${url} has the score ${score}`)
    ok(/^[0-9a-f]{64}$/.test(hash ?? ''), url)
    const { versions } = await api.get<ScannedScript>(`${path}/scripts/${id}`)
    deepEqual(
      versions?.map((version) => version.hash),
      [hash],
    )
    const explained = await api.get<{ malicious: boolean; problem: null }>(`${own}/scripts/${id}/explanation`)
    deepEqual([explained.malicious, explained.problem], [false, null], url)
  }
}

async function dropsPlanted(api: Api, shop: Shop, { http }: Target): Promise<void> {
  const before = await inventory(api, shop)
  const page = `${shop.origin}/page/shop`
  const monitoring = (await shop.headersOf(page)).find(({ value }) => value.includes("'report-sha256'"))
  const [, address = ''] = /report-uri (\S+);/.exec(monitoring?.value ?? '') ?? []
  const { pathname, search } = new URL(address)
  const signed = http + pathname + search
  const planted: readonly (readonly [to: string, documentUri: string, blockedUri: string])[] = [
    [signed, page, 'chrome-extension://abcdefghijklmnop/content.js'],
    [signed, page, 'moz-extension'],
    [signed, 'https://elsewhere.example/', 'https://elsewhere.example/planted.js'],
    [signed.replace(/&m=[^&]*/, ''), page, 'https://planted.example/unsigned.js'],
    [signed.replace(shop.zoneId, '0'.repeat(32)), page, 'https://planted.example/forged.js'],
  ]
  for (const [to, documentUri, blockedUri] of planted) {
    const report = {
      'document-uri': documentUri,
      'blocked-uri': blockedUri,
      'effective-directive': 'script-src-elem',
    }
    const body = JSON.stringify({ 'csp-report': { ...report, 'original-policy': "script-src 'none'" } })
    await fetch(to, { method: 'POST', headers: { 'content-type': 'application/csp-report' }, body })
  }
  const { dropped } = await api.get<{ dropped: Record<string, number> }>(`${shop.own}/collector`)
  ok((dropped['extension'] ?? 0) >= 2 && (dropped['foreign_page'] ?? 0) >= 1, JSON.stringify(dropped))
  // Longer than the batch delay.
  await new Promise((resolve) => setTimeout(resolve, 500))
  deepEqual(await inventory(api, shop), before)
}

const policyFor = (path: string, value: string) => ({
  description: path,
  action: 'allow',
  expression: `http.request.uri.path eq "${path}"`,
  enabled: true,
  value,
})

interface Simulation {
  readonly blocked: readonly { readonly url: string; readonly blocked_in: readonly string[] }[]
  readonly forbidden: readonly string[]
}

async function blocksAsSimulated(api: Api, shop: Shop, visit: Visit): Promise<void> {
  const { scripts, connections, own } = shop
  const value = `script-src 'self' 'unsafe-inline' ${shop.site.origin('cdn')}; connect-src ${connections['api']}`
  const simulation = await api.post<Simulation>(`${own}/policies/simulate`, { value })
  const { id } = await api.post<{ id: string }>(`${shop.path}/policies`, policyFor('/page/checkout', value))
  const done = await visit('/page/checkout')
  const all = { ...scripts, ...connections }
  const stopped = namesOf(shop).filter((name) => !done.includes(name))
  deepEqual(stopped, ['beacon', 'live', 'skim.js'])
  deepEqual(simulation.blocked.map(({ url }) => url).toSorted(), stopped.map((name) => all[name]).toSorted())
  deepEqual([simulation.forbidden.includes('eval'), done.includes('eval')], [true, false])
  deepEqual([simulation.forbidden.includes('inline_scripts'), done.includes('inline')], [false, true])

  const violations = () => api.get<{ url: string; action: string }[]>(`${own}/violations?policy_id=${id}`)
  const expected = [...stopped.map((name) => all[name] ?? ''), 'eval'].toSorted()
  await until(
    async () => (await violations()).length >= expected.length,
    async () => JSON.stringify(await violations()),
    90,
  )
  const counted = await violations()
  deepEqual(new Set(counted.map(({ action }) => action)), new Set(['allow']))
  const known = counted.map(({ url }) => expected.find((start) => url.startsWith(start)) ?? url)
  deepEqual(known.toSorted(), expected)
  await api.call('DELETE', `${shop.path}/policies/${id}`)
}

async function allowsAsSuggested(api: Api, shop: Shop, visit: Visit): Promise<void> {
  const asked = `${shop.own}/policies/suggestion?inline_hashes=${encodeURIComponent(shop.inlineHash)}`
  const { value } = await api.get<{ value: string }>(asked)
  await api.post(`${shop.path}/policies`, policyFor('/page/basket', value))
  deepEqual(await visit('/page/basket'), [...namesOf(shop), 'inline'].toSorted(), value)
}
