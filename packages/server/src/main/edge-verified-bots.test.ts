// Rules about verified bots, with the operator's list: in traces, decisions, and at an embedded proxy; and without a list.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, request, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startEdge, useVerifiedBots, type Edge } from '@zonereeve/edge'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { startTestApp, type TestApp } from '../testing/app.ts'
import { edgeOptions } from '../testing/edge-options.ts'
import { allow, makeToken } from '../testing/test-tokens.ts'

const SILENT = { info: () => undefined, warn: () => undefined }
const folder = mkdtempSync(join(tmpdir(), 'verified-bots-'))
/** The proxy's client is 127.0.0.1. */
const [WITH_CLIENT, WITHOUT_CLIENT] = ['with.txt', 'without.txt']
writeFileSync(join(folder, WITH_CLIENT), '192.0.2.0/24\n127.0.0.1')
writeFileSync(join(folder, WITHOUT_CLIENT), '192.0.2.0/24')
let app: TestApp
let zone: string
let origin: Server
let edge: Edge
let rules = 0

beforeAll(async () => {
  origin = createServer((_incoming, response) => response.end('origin'))
  await new Promise<void>((resolve) => {
    origin.listen(0, '127.0.0.1', resolve)
  })
  app = await startTestApp()
  zone = (await app.must('POST', '/zones', { name: 'example.com' })).id
  edge = await startEdge(
    edgeOptions(
      app,
      await makeToken(app, [allow(['Edge Decide'], 'account.zone.*')]),
      (origin.address() as AddressInfo).port,
      { decisions: undefined },
    ),
  )
  await edge.synced
})
afterAll(async () => {
  useVerifiedBots([], SILENT)
  await edge.close()
  await app.close()
  origin.closeAllConnections()
  origin.close()
  rmSync(folder, { recursive: true, force: true })
})

const use = (file: string): void => void useVerifiedBots([join(folder, file)], SILENT)()

/** Its own status shows which rules an edge has. */
const put = (expression: string) =>
  app.call({
    method: 'PUT',
    path: `/zones/${zone}/rulesets/phases/http_request_firewall_custom/entrypoint`,
    body: {
      rules: [
        {
          action: 'block',
          expression: `http.request.uri.path eq "/" and (${expression})`,
          action_parameters: { response: { status_code: 418, content_type: 'text/plain', content: '-' } },
        },
        {
          action: 'block',
          expression: 'http.request.uri.path eq "/rules"',
          action_parameters: {
            response: { status_code: 400 + (rules += 1), content_type: 'text/plain', content: '-' },
          },
        },
      ],
    },
  })

const asked = (path: string): Promise<number> =>
  new Promise((resolve, reject) => {
    const target = { host: '127.0.0.1', port: edge.proxy?.port, path, agent: false }
    request({ ...target, headers: { host: 'example.com' } }, (response) => {
      response.on('end', () => resolve(response.statusCode ?? 0)).resume()
    })
      .on('error', reject)
      .end()
  })

async function atEdge(): Promise<string> {
  await vi.waitFor(async () => expect(await asked('/rules')).toBe(400 + rules), {
    timeout: 20_000,
    interval: 100,
  })
  return (await asked('/')) === 418 ? 'block' : 'allow'
}

async function atServer(ip: string): Promise<readonly string[]> {
  const body = { url: 'http://example.com/', ip }
  const firewall = `/zonereeve/zones/${zone}/firewall`
  const decided = await app.must<{ action: string }>('POST', `${firewall}/decide`, body)
  const traced = await app.must<{ effective: { action: string } }>('POST', `${firewall}/trace`, {
    ...body,
    method: 'GET',
  })
  return [decided.action, traced.effective.action]
}

test.each<[string, string, readonly string[]]>([
  ['cf.client.bot', WITH_CLIENT, ['block', 'allow', 'block']],
  ['cf.client.bot', WITHOUT_CLIENT, ['block', 'allow', 'allow']],
  ['not cf.client.bot', WITH_CLIENT, ['allow', 'block', 'allow']],
  ['not cf.client.bot', WITHOUT_CLIENT, ['allow', 'block', 'block']],
  ['cf.client.bot and ip.src in {192.0.2.0/24}', WITH_CLIENT, ['block', 'allow', 'allow']],
])('%s with %s', async (expression, file, [listed = '', other = '', proxied]) => {
  use(file)
  expect((await put(expression)).status).toBe(200)
  expect(await atServer('192.0.2.1')).toEqual([listed, listed])
  expect(await atServer('198.51.100.1')).toEqual([other, other])
  expect(await atEdge()).toBe(proxied)
})

test('without a list such a rule is refused by name, and one that is there knows no bot', async () => {
  use(WITH_CLIENT)
  expect((await put('cf.client.bot')).status).toBe(200)
  useVerifiedBots([], SILENT)
  const { status, json } = await put('not cf.client.bot')
  rules -= 1 // it was refused
  expect([status, json.errors[0]?.message]).toEqual([400, expect.stringContaining('--verified-bots')])
  await app.must('PUT', `/zones/${zone}/url_normalization`, { scope: 'incoming', type: 'rfc3986' }) // compiles again
  expect(await atServer('192.0.2.1')).toEqual(['allow', 'allow'])
  expect(await atEdge()).toBe('allow')
})

test.each(['cf.bot_management.verified_bot', 'cf.verified_bot_category eq "Search Engine Crawler"'])(
  'a list does not make %s known',
  async (expression) => {
    use(WITH_CLIENT)
    const { status, json } = await put(expression)
    expect([status, json.errors[0]?.message]).toEqual([400, expect.stringContaining('is not available')])
  },
)
