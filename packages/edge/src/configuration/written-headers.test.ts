// Headers through real proxies with a written configuration, with an edge and without one.
import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import { type AddressInfo, connect, type Server as NetServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { HeaderLine } from '@zonereeve/expr'
import { editHeaders, type HeaderEdit } from '@zonereeve/firewall'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { missingOf } from '../../../../scripts/requirements.ts'
import { describeWith, testWith } from '../../../../scripts/test-requirements.ts'
import { answerForwardAuth } from '../adapters/forward-auth.ts'
import { createProxy } from '../adapters/proxy.ts'
import { createSpopAgent } from '../adapters/spop.ts'
import type { EdgeDecision, EdgeRequest } from '../engine.ts'
import { changedHeaders } from './changed-headers.ts'
import { errorPageKinds } from './error-pages.ts'
import { proxyConfiguration, uncopiedHeaders } from './proxy-configuration.ts'

const PROXIES = ['nginx', 'haproxy'] as const
type Proxy = (typeof PROXIES)[number]

const LOOPBACK = '127.0.0.1'
const ZONE = 'example.com'
const RAY = '00000000000000aa'
const LONG = 'x'.repeat(6_000)
const log = { info: () => undefined, warn: () => undefined }
const rewriting = (phase: string, headers: object) => ({
  phase,
  rules: [{ definition: { action: 'rewrite', expression: 'true', parameters: { headers } } }],
})
const RULE_POLICY = "default-src 'self'"
const PAGE_POLICY = "script-src 'none'"
const set = (value: string) => ({ operation: 'set', value })
const PAGES = errorPageKinds({
  rulesets: [
    {
      phase: 'http_custom_errors',
      rules: [
        { definition: { parameters: { content: 'x', content_type: 'text/html', status_code: 410 } } },
        { definition: { parameters: { content: 'x', content_type: 'application/json' } } },
        { definition: { parameters: { content: 'x', content_type: 'text/xml', status_code: 999 } } },
        { definition: { parameters: { asset_name: 'x', content_type: 'text/plain' } } },
      ],
    },
  ],
} as unknown as Parameters<typeof errorPageKinds>[0])
const PAGE = `<p title="100% %[src]">äöü\n</p>${'x'.repeat(30_000)}`
const HEADERS = changedHeaders({
  rulesets: [
    rewriting('http_request_late_transform', { 'x-own': set('of a rule'), 'x-long': set('as it is') }),
    rewriting('http_response_headers_transform', {
      'content-type': set('text/plain'),
      'content-security-policy': set(RULE_POLICY),
      date: { operation: 'remove' },
    }),
  ],
  products: { managedHeaders: ['add_true_client_ip_headers', 'add_visitor_location_headers'] },
} as unknown as Parameters<typeof changedHeaders>[0])

/** Statuses and types of errors, as they are sent. */
const errorsSent: unknown[] = []

/** As the rules of a zone with these headers decide. */
function decide({ target, headers }: EdgeRequest): EdgeDecision {
  const all = { rayId: RAY, outcome: 'decided', zone: undefined, action: 'allow' } as const
  const valueOf = (name: string): string => headers.find((line) => line[0] === name)?.[1] ?? ''
  const edits: HeaderEdit[] = [
    { operation: 'set', name: 'true-client-ip', value: LOOPBACK },
    { operation: 'remove', name: 'cf-ipcountry' },
    ...(target === '/changed' ? [{ operation: 'set', name: 'x-own', value: 'of a rule' } as const] : []),
    ...(target.startsWith('/long')
      ? [{ operation: 'set', name: 'x-long', value: valueOf('x-long') } as const]
      : []),
  ]
  const own: HeaderEdit[] = target.startsWith('/ruled')
    ? [{ operation: 'set', name: 'content-security-policy', value: RULE_POLICY }]
    : []
  return {
    ...all,
    response: undefined,
    forwarded: { target: undefined, edits },
    responseEdits: () => own,
    errorPage: ({ status }) =>
      status === 520
        ? { statusCode: 520, contentType: 'application/json', content: '{}' }
        : status !== 404
          ? undefined
          : target.startsWith('/missing.json')
            ? { statusCode: 404, contentType: 'application/json', content: '{}' }
            : { statusCode: 410, contentType: 'text/html', content: PAGE },
    noteSent: ({ status, headers: lines }) => {
      if (status >= 400) errorsSent.push([status, lines.find(([name]) => name === 'content-type')?.[1]])
    },
    responseHeaders: ({ headers: lines }) => [
      ...editHeaders(lines, own),
      ['content-security-policy', PAGE_POLICY],
    ],
  }
}

interface Reply {
  readonly status: number
  readonly headers: readonly HeaderLine[]
  readonly body: string
  /** What the origin has received. */
  readonly received: { readonly url: string; readonly headers: Readonly<Record<string, string>> }
}

/** Sends a request as it is. The connection ends with the response. */
function exchange(port: number, target: string, lines: readonly string[] = []): Promise<Reply> {
  const head = [`GET ${target} HTTP/1.1`, `Host: ${ZONE}`, 'Connection: close', ...lines, '', '']
  return new Promise((resolve, reject) => {
    const socket = connect(port, LOOPBACK)
    let text = ''
    socket.setEncoding('latin1').on('data', (chunk: string) => (text += chunk))
    socket.on('error', (error) => (text === '' ? reject(error) : undefined))
    socket.setTimeout(10_000, () => socket.destroy())
    socket.on('close', () => {
      const [replied = '', body = ''] = text.split('\r\n\r\n')
      const [first = '', ...others] = replied.split('\r\n')
      const json = /\{"url".*\}/s.exec(body)?.[0] ?? '{"url":"","headers":{}}' // a reply of the proxy
      resolve({
        status: Number(first.split(' ')[1]),
        headers: others.map((line): HeaderLine => {
          const colon = line.indexOf(':')
          return [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()]
        }),
        body: Buffer.from(body, 'latin1').toString(),
        received: JSON.parse(json) as Reply['received'],
      })
    })
    socket.write(head.join('\r\n'))
  })
}

async function listen(server: NetServer): Promise<number> {
  await new Promise<void>((resolve) => {
    server.listen(0, LOOPBACK, resolve)
  })
  return (server.address() as AddressInfo).port
}

async function freePort(): Promise<number> {
  const server = createServer()
  const port = await listen(server)
  await new Promise((resolve) => {
    server.close(resolve)
  })
  return port
}

const origin = createServer(({ url, headers }, response) => {
  const body = JSON.stringify({ url, headers })
  // With its length, so that the body arrives in one.
  const status = url?.includes('missing') === true ? 404 : url === '/unnamed' ? 520 : 200
  response.writeHead(status, {
    'content-type': url?.endsWith('.html') === true ? 'text/html; charset=utf-8' : 'application/json',
    'content-length': String(Buffer.byteLength(body)),
  })
  response.end(body)
})
const agent = createSpopAgent({ engine: { decide }, log })
const decisions = createServer((request, response) => {
  if (agent.answerStopped(request, response)) return
  if (!answerForwardAuth({ decide }, request, response)) response.writeHead(404).end()
})
const folder = mkdtempSync(join(tmpdir(), 'written-headers-'))
const running: ChildProcess[] = []
const servers: Server[] = []

async function startProxy(proxy: Proxy, asked: { decisions: number; spop: number }): Promise<number> {
  const port = await freePort()
  const file = join(folder, `${proxy}-${port}`)
  const { main, other } = proxyConfiguration(
    proxy,
    {
      zone: ZONE,
      headers: HEADERS,
      errorPages: PAGES,
      listen: `${LOOPBACK}:${port}`,
      origin: `${LOOPBACK}:${(origin.address() as AddressInfo).port}`,
      decisions: `${LOOPBACK}:${asked.decisions}`,
      spop: `${LOOPBACK}:${asked.spop}`,
      reports: undefined,
      undecided: 'open',
    },
    file,
  )
  // A busy machine must not change decisions.
  writeFileSync(file, main.replace('proxy_read_timeout 500ms', 'proxy_read_timeout 5s'))
  if (other !== undefined)
    writeFileSync(
      file + other.suffix,
      other.text.replace('timeout processing 500ms', 'timeout processing 5s'),
    )
  const paths = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
    (name) => `${name}_temp_path ${folder}/${name};`,
  )
  const whole = `${file}.whole`
  writeFileSync(
    whole,
    `daemon off; pid ${file}.pid; events {} http { access_log off; ${paths.join(' ')} include ${file}; }`,
  )
  const args =
    proxy === 'nginx' ? ['-p', folder, '-c', whole, '-e', join(folder, 'error.log')] : ['-db', '-f', file]
  running.push(spawn(proxy, args, { stdio: 'ignore' }))
  await vi.waitFor(async () => expect((await exchange(port, '/')).status).toBe(200), {
    timeout: 20_000,
    interval: 100,
  })
  return port
}

async function startEmbedded(decideWith: (request: EdgeRequest) => EdgeDecision): Promise<number> {
  const { server, close } = createProxy({
    engine: { decide: decideWith, hasPages: () => false },
    forwardReport: () => Promise.resolve(204),
    origins: {
      origin: { host: LOOPBACK, port: (origin.address() as AddressInfo).port },
      scheme: 'http',
      isPrivateAllowed: false,
    },
    certificates: undefined,
    log,
  })
  servers.push(server)
  closers.push(close)
  return listen(server)
}

const closers: (() => Promise<void>)[] = []
/** With the edge, and without one; by the name of the proxy. */
const ports = new Map<string, number>()
const portOf = (name: string): number => ports.get(name) ?? expect.fail(`${name} does not run`)

beforeAll(async () => {
  await listen(origin)
  const asked = { decisions: await listen(decisions), spop: await listen(agent.server) }
  const unreachable = { decisions: await freePort(), spop: await freePort() }
  for (const proxy of PROXIES) {
    if (missingOf([proxy]) !== undefined) continue
    ports.set(proxy, await startProxy(proxy, asked))
    ports.set(`${proxy} alone`, await startProxy(proxy, unreachable))
  }
  const undecided = { rayId: RAY, outcome: 'undecided', zone: undefined, action: 'open' } as const
  ports.set('embedded', await startEmbedded(decide))
  ports.set('embedded alone', await startEmbedded(() => ({ ...undecided, response: undefined })))
}, 60_000)

afterAll(async () => {
  for (const child of running) {
    if (child.exitCode !== null) continue
    const ended = new Promise((resolve) => {
      child.once('exit', resolve)
    })
    child.kill('SIGTERM')
    await ended
  }
  for (const close of closers) await close()
  agent.close()
  agent.server.close()
  for (const server of [origin, decisions, ...servers]) {
    server.closeAllConnections()
    server.close()
  }
  rmSync(folder, { recursive: true, force: true })
})

const FORGED = ['True-Client-IP: 192.0.2.9', 'CF-IPCountry: XX', 'X-Own: of the client']

for (const proxy of PROXIES)
  describeWith(proxy, proxy, () => {
    test('managed headers of a request are those of the edge', async () => {
      const { received } = await exchange(portOf(proxy), '/', FORGED)
      expect([received.headers['true-client-ip'], received.headers['cf-ipcountry']]).toEqual([
        LOOPBACK,
        undefined,
      ])
      expect(received.headers['x-own']).toBe('of the client')
      expect((await exchange(portOf(proxy), '/changed', FORGED)).received.headers['x-own']).toBe('of a rule')
    })

    test('a header that is already what a rule sets it to arrives', async () => {
      const { received } = await exchange(portOf(proxy), '/changed', [
        `True-Client-IP: ${LOOPBACK}`,
        'X-Own: of a rule',
      ])
      expect([received.headers['true-client-ip'], received.headers['x-own']]).toEqual([LOOPBACK, 'of a rule'])
    })

    test('a decision with a long header arrives', async () => {
      const { status, headers, received } = await exchange(portOf(proxy), '/long', [
        ...FORGED,
        `X-Long: ${LONG}`,
      ])
      expect([status, received.headers['x-long']?.length]).toEqual([200, LONG.length])
      expect(headers.find(([name]) => name === 'x-ray-id')?.[1]).toBe(RAY)
    })
  })

for (const proxy of [...PROXIES, 'embedded'] as const)
  testWith(
    proxy === 'embedded' ? [] : proxy,
    `${proxy} without a decision: managed headers of the client do not pass`,
    async () => {
      const { status, received } = await exchange(portOf(`${proxy} alone`), '/changed', FORGED)
      expect([status, received.headers['true-client-ip'], received.headers['cf-ipcountry']]).toEqual([
        200,
        undefined,
        undefined,
      ])
      // Those of rules stay as they were sent.
      expect(received.headers['x-own']).toBe('of the client')
    },
  )

for (const proxy of ['haproxy', 'embedded'] as const)
  testWith(
    proxy === 'embedded' ? [] : proxy,
    `${proxy} sends the page of rules in place of an error`,
    async () => {
      for (const [target, status, type, content] of [
        ['/missing.json', 404, 'application/json', '{}'],
        ['/missing', 410, 'text/html; charset=utf-8', PAGE],
        ['/unnamed', 520, 'application/json', '{}'],
      ] as const) {
        const reply = await exchange(portOf(proxy), target)
        const headers = new Map(reply.headers)
        expect([reply.status, headers.get('content-type'), headers.get('x-ray-id')]).toEqual([
          status,
          type,
          RAY,
        ])
        // HAProxy has no line breaks in variables.
        expect(reply.body).toBe(proxy === 'haproxy' ? content.replace('\n', ' ') : content)
      }
      expect((await exchange(portOf(proxy), '/')).status).toBe(200)
    },
  )

test('rules and policies change the headers of the page that is sent', async () => {
  errorsSent.length = 0
  const { status, headers } = await exchange(portOf('embedded'), '/ruled-missing')
  const valuesOf = (name: string): string[] => headers.flatMap((line) => (line[0] === name ? [line[1]] : []))
  expect([status, valuesOf('content-security-policy')]).toEqual([410, [RULE_POLICY, PAGE_POLICY]])
  expect(valuesOf('content-type')).toEqual(['text/html; charset=utf-8'])
  expect(valuesOf('content-length')).toEqual([String(Buffer.byteLength(PAGE))])
  expect(errorsSent).toEqual([[410, 'text/html; charset=utf-8']])
})

test('a rule without a status has a page for every error', () => {
  const statuses = PAGES.flatMap(({ status, contentType }) =>
    contentType === 'application/json' ? [status] : [],
  )
  expect(statuses).toEqual(Array.from({ length: 200 }, (_, index) => 400 + index))
})

describeWith('nginx', 'policies of pages behind nginx, whose type and policy a rule may change', () => {
  test.each([
    ['/page.html', [PAGE_POLICY]],
    ['/ruled.html', [`${RULE_POLICY}, ${PAGE_POLICY}`]],
    ['/ruled', [RULE_POLICY]],
    ['/other', []],
  ])('%s', async (target, policies) => {
    const { status, headers } = await exchange(portOf('nginx'), target)
    const valuesOf = (name: string): string[] =>
      headers.flatMap((line) => (line[0] === name ? [line[1]] : []))
    expect([status, valuesOf('content-security-policy')]).toEqual([200, policies])
    expect(valuesOf('content-type')).toHaveLength(1)
  })
})

test('the reply for nginx has no header of its own that a rule could name', async () => {
  const { headers } = await fetch(
    `http://${LOOPBACK}:${(decisions.address() as AddressInfo).port}/auth/nginx`,
  )
  expect(headers.get('date')).toBeNull()
})

test.each([
  ['nginx', 'set', 1, true],
  ['haproxy', 'add', 1, true],
  ['caddy', 'add', 1, false],
  ['caddy', 'add', 2, true],
] as const)('cookies of %s: a rule that %ss them, %i times', (proxy, operation, times, isUncopied) => {
  const rule = rewriting('http_response_headers_transform', { 'set-cookie': { operation, value: 'a=1' } })
  const rulesets = Array.from({ length: times }, () => rule)
  const headers = changedHeaders({ rulesets } as unknown as Parameters<typeof changedHeaders>[0])
  expect(uncopiedHeaders(proxy, headers)).toEqual(isUncopied ? ['set-cookie'] : [])
})
