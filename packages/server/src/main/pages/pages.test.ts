// Pages of our own, outside the API's paths: health, metrics, the API document and its page.
import { openApiDocument, OPERATIONS } from '@zonereeve/contract'
import { fastify, type FastifyInstance } from 'fastify'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Caller, type Reach, WIRE_ERRORS } from '@zonereeve/platform'
import { createMetrics } from '../metrics/metrics.ts'
import { addPages } from './pages.ts'

let app: FastifyInstance
let isReady = true
const metrics = createMetrics({ maxZones: 1, droppedLogLines: () => 0, ofProcess: true })
let documentsMade = 0
const anyClient = { reach: () => [EVERYTHING] } as unknown as Caller // the only member that pages use
beforeAll(() => {
  app = fastify()
  addPages(app, {
    document(servers) {
      documentsMade += 1
      return openApiDocument(OPERATIONS, { version: '1.2.3', servers })
    },
    isReady: async () => isReady,
    publicUrl: undefined,
    authenticate: async () => anyClient,
    problems: () => Promise.resolve([]),
    metrics,
    dashboard: undefined,
  })
})
afterAll(() => app.close())

const EVERYTHING: Reach = {
  everything: true,
  accountIds: [],
  zoneIds: [],
  exceptAccountIds: [],
  exceptZoneIds: [],
}
const headers = { authorization: `Bearer ${'a'.repeat(40)}` }
const get = (url: string) => app.inject({ method: 'GET', url, headers })

describe('pages', () => {
  test('/livez succeeds while the process runs', async () => {
    expect((await get('/livez')).statusCode).toBe(200)
  })

  test('/ is a page for browsers, and JSON for other clients', async () => {
    const asked = (accept?: string) =>
      app.inject({ method: 'GET', url: '/', headers: accept === undefined ? {} : { accept } })
    const page = await asked('text/html,application/xhtml+xml,*/*;q=0.8')
    expect([page.statusCode, page.headers['content-type']]).toEqual([200, 'text/html; charset=utf-8'])
    expect(page.headers['content-security-policy']).toMatch(/^default-src 'none'; style-src 'unsafe-inline';/)
    const links = [...page.body.matchAll(/(?:href|src)="([^"]*)"/g)].map(([, target]) => target)
    expect(links).toEqual(['/docs', '/openapi.json', '/readyz'])
    expect(page.body).toContain('color-scheme:light dark')
    expect(page.body).not.toMatch(/<script|@import|url\(/)
    for (const link of links) expect([link, (await get(link ?? '')).statusCode]).toEqual([link, 200])
    for (const accept of [undefined, '*/*', 'application/json']) {
      const answer = await asked(accept)
      expect([answer.statusCode, answer.headers['vary']]).toEqual([200, 'Accept'])
      expect(answer.json()).toMatchObject({ docs: '/docs', openapi: '/openapi.json', ready: '/readyz' })
    }
  })

  test('/readyz reports whether the server is ready', async () => {
    expect((await get('/readyz')).statusCode).toBe(200)
    isReady = false
    const refused = await get('/readyz')
    expect([refused.statusCode, refused.body]).toEqual([503, 'not ready\n'])
    isReady = true
  })

  test('/metrics counts requests and queries, and only increases', async () => {
    const value = async (line: RegExp) => Number(line.exec((await get('/metrics')).body)?.[1] ?? 0)
    const requests = /^zonereeve_http_requests_total\{operation="zones\.list",status="200"\} (\d+)$/m
    metrics.observeRequest('zones.list', 200, 0.01)
    expect(await value(requests)).toBe(1)
    metrics.observeRequest('zones.list', 200, 0.02)
    metrics.observeRequest('zones.list', 403, 0.02)
    expect(await value(requests)).toBe(2)
    metrics.countQuery('udp', 'NOERROR', undefined)
    expect(await value(/^zonereeve_dns_queries_total\{transport="udp",rcode="NOERROR"\} (\d+)$/m)).toBe(1)
    metrics.countQuery('udp', 'NXDOMAIN', { zoneId: 'a', name: 'example.com' })
    metrics.countQuery('tls', 'NXDOMAIN', { zoneId: 'a', name: 'example.com' })
    for (const name of ['example.net', 'example.org'])
      metrics.countQuery('udp', 'NXDOMAIN', { zoneId: name, name })
    const zoneQueries = (zone: string) =>
      value(new RegExp(`^zonereeve_dns_zone_queries_total\\{zone="${zone}",rcode="NXDOMAIN"\\} (\\d+)$`, 'm'))
    expect([await zoneQueries('example.com'), await zoneQueries('other')]).toEqual([2, 2])
    expect((await get('/metrics')).body).not.toContain('example.net')
    metrics.setZones(7)
    expect(await value(/^zonereeve_zones (\d+)$/m)).toBe(7)
    const { headers, body } = await get('/metrics')
    expect(headers['content-type']).toMatch(/^text\/plain; version=0\.0\.4/)
    expect(body).not.toMatch(/zone_id|[0-9a-f]{32}/)
  })

  test('/openapi.json is the document of the contract', async () => {
    const { headers, body } = await get('/openapi.json')
    expect(headers['content-type']).toMatch(/^application\/json/)
    expect(JSON.parse(body)).toEqual(
      JSON.parse(
        JSON.stringify(
          openApiDocument(OPERATIONS, { version: '1.2.3', servers: ['/client/v4', '/api/v4', '/v4'] }),
        ),
      ),
    )
  })

  test.each(['/openapi.json', '/docs'])('%s is built once, however often it is requested', async (url) => {
    const first = await get(url)
    const made = documentsMade
    const again = await get(url)
    expect(documentsMade).toBe(made)
    expect([again.statusCode, again.body === first.body]).toEqual([200, true])
  })

  test('/docs names every operation and every error, and loads nothing but its filter', async () => {
    const { headers, body } = await get('/docs')
    expect(headers['content-security-policy']).toMatch(/default-src 'none'/)
    for (const { id } of OPERATIONS) expect(body).toContain(`id="${id}"`)
    for (const { code } of Object.values(WIRE_ERRORS)) expect(body).toContain(`<code>${code}</code>`)
    const [script, ...others] = [...body.matchAll(/<script[^>]*>/g)].map(([tag]) => tag)
    expect([script, others]).toEqual(['<script src="/docs/filter.js" defer>', []])
    expect(body).not.toMatch(/javascript:|\son\w+=|<link|<img|@import|url\(/i)
    expect(
      [...body.matchAll(/(?:src|href)="([^"]*)"/g)].filter(([, url]) => !/^[#/]/.test(url ?? '')),
    ).toEqual([])
  })

  test('the filter of /docs is a script of its own origin, and nothing else may run', async () => {
    const { headers } = await get('/docs')
    expect(headers['content-security-policy']).toMatch(/default-src 'none'; script-src 'self';/)
    const script = await get('/docs/filter.js')
    expect([script.statusCode, script.headers['content-type']]).toEqual([
      200,
      'text/javascript; charset=utf-8',
    ])
    expect(() => new Function(script.body)).not.toThrow()
  })

  test('/docs begins with zones and records, and each operation has its command', async () => {
    const { body } = await get('/docs')
    const sections = [...body.matchAll(/<section id="([^"]+)"/g)].map(([, id]) => id)
    expect(sections.slice(0, 2)).toEqual(['zones', 'dns-records'])
    expect([...body.matchAll(/<h4>Command<\/h4>/g)]).toHaveLength(OPERATIONS.length)
    expect(body).toContain('$SERVER/client/v4/zones/$ZONE_ID/dns_records')
  })

  test('/docs has links only to existing anchors', async () => {
    const { body } = await get('/docs')
    const ids = new Set([...body.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id))
    const targets = [...body.matchAll(/href="#([^"]+)"/g)].map(([, target]) => target)
    expect(targets.length).toBeGreaterThan(0)
    expect(targets.filter((target) => !ids.has(target))).toEqual([])
  })
})
