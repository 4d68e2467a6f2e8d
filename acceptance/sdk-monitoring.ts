// Client-side monitoring through the SDK: settings, lists with their filters, details. The listed items are reported
// through our own observations operation, which the SDK does not have.
import { deepEqual, equal, ok, rejects } from 'node:assert/strict'
import { setTimeout } from 'node:timers/promises'
import { BadRequestError, NotFoundError } from 'cloudflare'
import type Cloudflare from 'cloudflare'
import type { Report } from './report.ts'

/** @param zone has a plan with all features. */
export async function runMonitoring(
  client: Cloudflare,
  report: Report,
  zone: { readonly id: string; readonly name: string },
): Promise<void> {
  const own = { zone_id: zone.id }
  const shop = `shop.${zone.name}`
  const { scripts, connections, cookies } = client.pageShield

  await report.check('sdk: monitoring is enabled', async () => {
    equal((await client.pageShield.get(own))?.enabled, false)
    const updated = await client.pageShield.update({ ...own, enabled: true, use_connection_url_path: true })
    deepEqual([updated.enabled, updated.use_connection_url_path], [true, true])
    deepEqual(await client.pageShield.get(own), updated)
  })
  await report.check('sdk: observations of page loads are accepted', async () => {
    const observation = {
      page_url: `https://${shop}/checkout?cart=1`,
      scripts: ['https://cdn.example.net/a.js', 'https://cdn.example.net/b.js'],
      connections: ['https://api.example.net/v1'],
      set_cookie: [
        'session=0; Path=/; Max-Age=60; Expires=Mon, 21 Oct 2030 12:28:20 GMT; Secure; HttpOnly; SameSite=Lax',
      ],
      cookie: 'visitor=0',
    }
    const observations = [
      observation,
      observation,
      { ...observation, scripts: observation.scripts.slice(0, 1) },
    ]
    const path = `/zonereeve/zones/${zone.id}/page_shield/observations`
    const reported = await client.post<{ result: object }>(path, { body: { observations } })
    deepEqual(reported.result, { scripts: 5, connections: 3, cookies: 6, frames: 0, ignored: 0 })
  })
  await report.check('sdk: scripts are listed with filters, and got', async () => {
    const active = await scripts.list(own)
    deepEqual(
      active.result.map(({ url, host }) => [url, host]),
      [['https://cdn.example.net/a.js', shop]],
    )
    const both = await scripts.list({
      ...own,
      status: 'active,infrequent',
      hosts: 'shop.*',
      urls: 'cdn.example.net,other',
      page_url: `${shop}/checkout`,
      order_by: 'first_seen_at',
      direction: 'asc',
      page: 'all',
      prioritize_malicious: true,
    })
    equal(both.result.length, 2)
    const id = active.result[0]?.id ?? ''
    const script = await scripts.get(id, own)
    deepEqual([script?.id, script?.page_urls, script?.versions], [id, [`${shop}/checkout`], []])
  })
  await report.check('sdk: connections and cookies are listed and got', async () => {
    const [connection] = (await connections.list(own)).result
    equal(connection?.url, 'https://api.example.net/v1')
    equal((await connections.get(connection?.id ?? '', own))?.first_page_url, `${shop}/checkout`)
    const [cookie] = (await cookies.list({ ...own, type: 'first_party', secure: true, name: 'sess*' })).result
    deepEqual(
      [cookie?.name, cookie?.max_age_attribute, cookie?.same_site_attribute, cookie?.expires_attribute],
      ['session', 60, 'lax', '2030-10-21T12:28:20Z'],
    )
    deepEqual(await cookies.get(cookie?.id ?? '', own), cookie)
    const unknown = await cookies.list({ ...own, type: 'unknown' })
    deepEqual(
      unknown.result.map(({ name }) => name),
      ['visitor'],
    )
  })
  await report.check('sdk: unknown ids and invalid parameters are rejected', async () => {
    const missing = 'f'.repeat(32)
    await rejects(scripts.get(missing, own), NotFoundError)
    await rejects(connections.get(missing, own), NotFoundError)
    await rejects(cookies.get(missing, own), NotFoundError)
    await rejects(
      scripts.list({ ...own, status: 'gone' }),
      (error: unknown) => error instanceof BadRequestError && error.errors[0]?.code === 19_622,
    )
  })
  await runFeeds(client, report, zone.id)
  await report.check('sdk: monitoring is disabled, and its findings remain', async () => {
    await client.pageShield.update({ ...own, enabled: false })
    ok((await scripts.list(own)).result.length > 0)
  })
}

/** A feed that contains one of the scripts. */
async function runFeeds(client: Cloudflare, report: Report, zoneId: string): Promise<void> {
  const own = { zone_id: zoneId }
  const { scripts, connections } = client.pageShield
  await report.check('sdk: a threat feed flags its entries, and deleting it clears the flags', async () => {
    const flags = async () => {
      const [script] = (await scripts.list({ ...own, prioritize_malicious: true })).result
      const [connection] = (await connections.list({ ...own, prioritize_malicious: true })).result
      return [script, connection].map((one) => [
        one?.domain_reported_malicious,
        one?.malicious_domain_categories,
        one?.url_reported_malicious,
        one?.malicious_url_categories,
      ])
    }
    const feeds = '/zonereeve/threat_feeds'
    const body = { name: 'own list', format: 'plain', categories: ['Malware', 'Spyware'] }
    const made = await client.post<{ result: { id: string } }>(feeds, { body })
    const one = `${feeds}/${made.result.id}`
    const file = 'example.net.evil.example\nhttps://cdn.example.net/a.js\n'
    const headers = { 'content-type': 'text/plain' }
    await client.put(`${one}/entries`, { body: file, headers })
    await until(async () => (await flags())[0]?.[2] === true)
    deepEqual(await flags(), [
      [true, ['Spyware', 'Malware'], true, ['Spyware', 'Malware']],
      [false, undefined, false, undefined],
    ])
    await client.delete(one)
    await until(async () => (await flags())[0]?.[2] === false)
    deepEqual(await flags(), [
      [false, undefined, false, undefined],
      [false, undefined, false, undefined],
    ])
  })
}

/** Feeds are matched with the inventory in the background, every two seconds. */
async function until(isSo: () => Promise<boolean>): Promise<void> {
  for (let tries = 0; tries < 100; tries++) {
    if (await isSo()) return
    await setTimeout(200)
  }
  throw new Error('the expected flags did not appear')
}
