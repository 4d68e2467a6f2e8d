// The embedded proxy with TLS: certificates by name, what rules and the origin see, and files that change.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { request } from 'node:https'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TLSSocket } from 'node:tls'
import { startEdge, type Edge } from '@zonereeve/edge'
import { FIRST, SECOND } from '@zonereeve/nameserver/certificate.cases.ts'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { BASE, startTestApp, type TestApp } from '../testing/app.ts'
import { allow, makeToken } from '../testing/test-tokens.ts'

const root = mkdtempSync(join(tmpdir(), 'edge-tls-'))
const folder = join(root, 'certificates')
const problems: string[] = []
const origin = createServer((incoming, response) => {
  response.end(String(incoming.headers['x-forwarded-proto']))
})
let app: TestApp
let edge: Edge

const optionsWith = async (certificates: string) => ({
  server: {
    baseUrl: `http://127.0.0.1:${app.port}${BASE}`,
    token: await makeToken(app, [allow(['Edge Decide'], 'account.zone.*')]),
  },
  folder: undefined,
  undecided: { mode: 'closed', phases: new Map() } as const,
  decisions: undefined,
  appSecKey: undefined,
  proxy: undefined,
  proxyTls: { host: '127.0.0.1', port: 0, certificates },
  origins: {
    origin: { host: '127.0.0.1', port: (origin.address() as AddressInfo).port }, // it listens on a port
    scheme: 'http' as const,
    isPrivateAllowed: false,
  },
  log: { info: () => undefined, warn: (_fields: object, message: string) => void problems.push(message) },
})

beforeAll(async () => {
  await new Promise<void>((resolve) => void origin.listen(0, '127.0.0.1', resolve))
  app = await startTestApp()
  const { id } = await app.must<{ id: string }>('POST', '/zones', { name: 'example.com' })
  await app.must('PUT', `/zones/${id}/rulesets/phases/http_request_firewall_custom/entrypoint`, {
    rules: [{ action: 'block', expression: 'ssl and http.request.uri.path eq "/encrypted"' }],
  })
  mkdirSync(join(folder, 'ns1'), { recursive: true })
  writeFileSync(join(folder, 'ns1/fullchain.pem'), FIRST.cert)
  writeFileSync(join(folder, 'ns1/privkey.pem'), FIRST.key)
  edge = await startEdge(await optionsWith(folder))
  await edge.synced
})
afterAll(async () => {
  await edge.close()
  await app.close()
  origin.closeAllConnections()
  origin.close()
  rmSync(root, { recursive: true, force: true })
})

interface Answer {
  readonly status: number
  readonly text: string
  /** The name in the certificate. */
  readonly subject: string
}

const get = (servername: string, path = '/') =>
  new Promise<Answer>((resolve, reject) => {
    const sent = request(
      {
        host: '127.0.0.1',
        port: edge.proxyTls?.port,
        path,
        servername,
        headers: { host: 'ns1.example.com' },
        rejectUnauthorized: false, // self-signed; the subject is compared
        agent: false,
      },
      (reply) => {
        const { subject } = (reply.socket as TLSSocket).getPeerCertificate() // of an encrypted connection
        let text = ''
        reply.setEncoding('utf8').on('data', (chunk: string) => (text += chunk))
        reply.on('end', () => resolve({ status: reply.statusCode ?? 0, text, subject: String(subject.CN) })) // every reply has one
      },
    )
    sent.on('error', reject)
    sent.end()
  })

test('the origin and rules see that the connection is encrypted', async () => {
  expect(await get('ns1.example.com')).toEqual({ status: 200, text: 'https', subject: 'ns1.example.com' })
  expect((await get('ns1.example.com', '/encrypted')).status).toBe(403)
})

test.each(['ns2.example.com', 'other.example', ''])(
  'a handshake for a name without a certificate fails, and nothing else: "%s"',
  async (name) => {
    await expect(get(name)).rejects.toThrow(/socket|alert|handshake/i)
    expect((await get('NS1.example.com')).status).toBe(200)
  },
)

test('a new certificate is used without a restart, and a damaged one changes nothing', async () => {
  writeFileSync(join(folder, 'second.crt'), SECOND.cert)
  writeFileSync(join(folder, 'second.key'), FIRST.key)
  await vi.waitFor(() => expect(problems).toContain('certificates not usable; the last ones stay'), 20_000)
  expect((await get('ns1.example.com')).subject).toBe('ns1.example.com')
  await expect(get('ns2.example.com')).rejects.toThrow(/socket|alert|handshake/i)
  writeFileSync(join(folder, 'second.key'), SECOND.key)
  await vi.waitFor(async () => expect((await get('ns2.example.com')).subject).toBe('ns2.example.com'), 20_000)
  expect((await get('ns1.example.com')).subject).toBe('ns1.example.com')
}, 60_000)

test('an edge does not start without a certificate that it can use', async () => {
  const empty = join(root, 'empty')
  mkdirSync(empty)
  await expect(startEdge(await optionsWith(empty))).rejects.toThrow('has no certificate')
})
