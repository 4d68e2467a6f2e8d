// Rules that cannot be evaluated: what passes, what is refused, and that each of them is counted and logged.
import { request } from 'node:http'
import { startEdge, type Edge, type FailureModes } from '@zonereeve/edge'
import { installLeakedPasswords } from '@zonereeve/firewall'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { BASE, startTestApp, type TestApp } from '../testing/app.ts'
import { allow, makeToken } from '../testing/test-tokens.ts'

const CUSTOM = 'http_request_firewall_custom'
const MANAGED = 'http_request_firewall_managed'

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
): Promise<void> {
  const logged: Logged[] = []
  const note = (fields: object, event: string) => void logged.push({ event, fields })
  const edge = await startEdge({
    server: { baseUrl: `http://127.0.0.1:${app.port}${BASE}`, token },
    folder: undefined,
    undecided,
    decisions: { host: '127.0.0.1', port: 0 },
    appSecKey: undefined,
    proxy: undefined,
    origins: { origin: undefined, scheme: 'http', isPrivateAllowed: false },
    log: { info: note, warn: note },
  })
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
