// Rules that cannot be evaluated: what passes, what is refused, and that each of them is counted and logged.
import { createServer, request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { startEdge, type Edge, type FailureModes } from '@zonereeve/edge'
import { installLeakedPasswords } from '@zonereeve/firewall'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestApp, type TestApp } from '../testing/app.ts'
import { ANY_PORT, edgeOptions } from '../testing/edge-options.ts'
import { allow, makeToken } from '../testing/test-tokens.ts'

const CUSTOM = 'http_request_firewall_custom'
const MANAGED = 'http_request_firewall_managed'
const RESPONSE = 'http_response_headers_transform'

let app: TestApp
let zoneId: string
let token: string

/** The disk with the collection fails; nothing else does. */
const failing = {
  isLeaked: (): boolean => {
    throw new Error('the disk cannot be read')
  },
}

beforeAll(async () => {
  app = await startTestApp()
  installLeakedPasswords(failing)
  zoneId = (await app.must<{ id: string }>('POST', '/zones', { name: 'example.com' })).id
  const checks = `/zones/${zoneId}/leaked-credential-checks`
  await app.must('POST', checks, { enabled: true })
  await app.must('POST', `${checks}/detections`, { password: 'http.request.uri.query' })
  for (const phase of [CUSTOM, MANAGED])
    await app.must('PUT', `/zones/${zoneId}/rulesets/phases/${phase}/entrypoint`, {
      rules: [
        {
          action: 'block',
          expression: `starts_with(http.request.uri.path, "/${phase}") and cf.waf.credential_check.password_leaked`,
        },
        { action: 'block', expression: 'http.request.uri.path contains "blocked"' },
      ],
    })
  await app.must('PUT', `/zones/${zoneId}/rulesets/phases/${RESPONSE}/entrypoint`, {
    rules: [
      {
        action: 'rewrite',
        expression: `starts_with(http.request.uri.path, "/response") and cf.waf.credential_check.password_leaked`,
        action_parameters: { headers: { 'x-secret': { operation: 'remove' } } },
      },
    ],
  })
  token = await makeToken(app, [allow(['Edge Decide'], 'account.zone.*')])
})
afterAll(async () => {
  installLeakedPasswords(undefined)
  await app.close()
})

function ask(edge: Edge, path: string): Promise<number> {
  const port = edge.decisions?.port ?? expect.fail('it does not listen')
  return new Promise((resolve, reject) => {
    const headers = { host: 'example.com', 'x-forwarded-for': '192.0.2.1' }
    const sent = request({ host: '127.0.0.1', port, path: `/auth/envoy${path}`, headers }, (reply) => {
      reply.resume()
      resolve(reply.statusCode ?? 0) // every reply has one
    })
    sent.on('error', reject)
    sent.end()
  })
}

interface Logged {
  readonly event: string
  readonly fields: object
}

async function withEdge(
  undecided: FailureModes,
  use: (edge: Edge, logged: readonly Logged[]) => Promise<void>,
  origin?: { readonly host: string; readonly port: number },
): Promise<void> {
  const logged: Logged[] = []
  const note = (fields: object, event: string) => void logged.push({ event, fields })
  const edge = await startEdge(
    edgeOptions(app, token, origin?.port, {
      undecided,
      proxy: origin && ANY_PORT,
      log: { info: note, warn: note },
    }),
  )
  try {
    await edge.synced
    await use(edge, logged)
  } finally {
    await edge.close()
  }
}

const counted = (logged: readonly Logged[], event: string): number =>
  logged.filter((one) => one.event === event).length

test.each<[string, FailureModes, custom: number, managed: number]>([
  ['closed', { mode: 'closed', phases: new Map() }, 503, 503],
  ['open', { mode: 'open', phases: new Map() }, 204, 204],
  ['closed, managed open', { mode: 'closed', phases: new Map([[MANAGED, 'open']]) }, 503, 204],
  ['open, custom closed', { mode: 'open', phases: new Map([[CUSTOM, 'closed']]) }, 503, 204],
])('%s', async (_name, modes, custom, managed) => {
  await withEdge(modes, async (edge, logged) => {
    expect(await ask(edge, `/${CUSTOM}?password=x`)).toBe(custom)
    expect(await ask(edge, `/${MANAGED}?password=x`)).toBe(managed)
    const refused = [custom, managed].filter((status) => status === 503).length
    expect(counted(logged, 'request undecided')).toBe(refused)
    expect(counted(logged, 'phase skipped')).toBe(2 - refused)
    // What can be evaluated still decides.
    expect([await ask(edge, '/'), await ask(edge, '/blocked')]).toEqual([204, 403])
    expect(counted(logged, 'phase skipped')).toBe(2 - refused)
  })
})

test('after a phase that is skipped, the next one decides, and the server says which one it was', async () => {
  await withEdge({ mode: 'open', phases: new Map() }, async (edge, logged) => {
    expect(await ask(edge, `/${CUSTOM}/blocked?password=x`)).toBe(403)
    const [skipped] = logged.filter(({ event }) => event === 'phase skipped')
    expect(skipped?.fields).toMatchObject({
      phase: CUSTOM,
      host: 'example.com',
      rayId: expect.stringMatching(/^[0-9a-f]{16}$/),
      problem: expect.stringContaining('the disk cannot be read'),
    })
  })
})

test.each<[string, FailureModes, status: number, secret: string | undefined]>([
  ['closed', { mode: 'closed', phases: new Map() }, 503, undefined],
  ['closed, responses open', { mode: 'closed', phases: new Map([[RESPONSE, 'open']]) }, 200, 'of the origin'],
])('a rule about the response: %s', async (_name, modes, status, secret) => {
  const origin = createServer((_, response) =>
    response.writeHead(200, { 'x-secret': 'of the origin' }).end('page'),
  )
  await new Promise<void>((resolve) => void origin.listen(0, '127.0.0.1', resolve))
  const { port } = origin.address() as AddressInfo // it listens on a port
  try {
    await withEdge(
      modes,
      async (edge, logged) => {
        const reply = await getThrough(edge, '/response?password=x')
        expect(reply).toEqual({ status, secret })
        expect(counted(logged, 'response undecided')).toBe(status === 503 ? 1 : 0)
        expect(counted(logged, 'phase skipped')).toBe(status === 503 ? 0 : 1)
        expect(counted(logged, 'origin not reached')).toBe(0)
        // The request could be decided, and other responses are not affected.
        expect(await getThrough(edge, '/')).toEqual({ status: 200, secret: 'of the origin' })
      },
      { host: '127.0.0.1', port },
    )
  } finally {
    await new Promise((resolve) => void origin.close(resolve))
  }
})

function getThrough(edge: Edge, path: string): Promise<{ status: number | undefined; secret: unknown }> {
  const port = edge.proxy?.port ?? expect.fail('the proxy does not listen')
  return new Promise((resolve, reject) => {
    const headers = { host: 'example.com' }
    request({ host: '127.0.0.1', port, path, headers, agent: false }, (reply) => {
      reply.resume()
      resolve({ status: reply.statusCode, secret: reply.headers['x-secret'] })
    })
      .on('error', reject)
      .end()
  })
}
