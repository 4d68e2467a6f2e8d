// Webhooks of accounts over HTTP, and their deliveries: changes as in the audit log, security events as counts.
import { createHmac } from 'node:crypto'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { query } from '@zonereeve/storage'
import { START, startTestApp, type TestApp } from '../../../testing/app.ts'
import { type Scenario, scenarios, type Send } from '../../../testing/scenarios.ts'
import { webhookScenarios } from '../../../testing/webhook-scenarios.ts'
import type { LinkedEntry } from '@zonereeve/audit'
import type { WebhookRequest } from '../page-shield-webhooks/index.ts'
import { kindsOf, MAX_ACCOUNT_WEBHOOKS } from './account-webhooks.rules.ts'
import { COUNTS_PER_REQUEST, ENTRIES_PER_REQUEST } from './account-webhooks.service.ts'

const WEBHOOKS = '/zonereeve/accounts/{own}/webhooks'
const ownAccount: Send = { method: 'POST', path: '/accounts', body: { name: 'own' }, as: 'own' }
const MISSING = 'f'.repeat(32)
const URL = 'https://alerts.example.com/hook'
const CHANGES = { source: 'changes', url: URL }
const SECURITY = { source: 'security_events', url: URL }
const create = (body: unknown): Send => ({ method: 'POST', path: WEBHOOKS, body })
const add: Send = { ...create(CHANGES), as: 'webhook' }
const patch = (body: unknown): Send => ({ method: 'PATCH', path: `${WEBHOOKS}/{webhook}`, body })
const get = (path: string): Send => ({ method: 'GET', path })

const SCENARIOS: readonly Scenario[] = [
  ...webhookScenarios(WEBHOOKS, add, URL),
  {
    name: 'created: all changes, enabled, with its secret',
    send: create(CHANGES),
    expect: {
      status: 200,
      changes: 1,
      result: {
        ...CHANGES,
        enabled: true,
        kinds: null,
        secret: expect.stringMatching(/^.{32,}$/),
        status: { delivered_at: null, failures: 0, problem: null },
      },
    },
  },
  {
    name: 'created: some kinds, disabled',
    send: create({ ...CHANGES, kinds: ['dnssec', 'zone'], enabled: false }),
    expect: { status: 200, changes: 1, result: { kinds: ['dnssec', 'zone'], enabled: false } },
  },
  {
    name: 'created: for security events',
    send: create(SECURITY),
    expect: { status: 200, changes: 1, result: { ...SECURITY, kinds: null, status: { last_event: 0 } } },
  },
  ...(
    [
      ['no url', { source: 'changes' }, 6008, '/url'],
      ['no source', { url: URL }, 6008, '/source'],
      ['an unknown source', { source: 'queries', url: URL }, 6008, '/source'],
      ['no URL', { ...CHANGES, url: 'alerts.example.com/hook' }, 19668, '/url'],
      ['another scheme', { ...CHANGES, url: 'ftp://alerts.example.com/' }, 19668, '/url'],
      ['credentials', { ...CHANGES, url: 'https://user:secret@alerts.example.com/' }, 19668, '/url'],
      ['an unknown kind', { ...CHANGES, kinds: ['zone', 'script.new'] }, 6008, '/kinds/1'],
      ['no kinds', { ...CHANGES, kinds: [] }, 6008, '/kinds'],
      ['a kind twice', { ...CHANGES, kinds: ['zone', 'zone'] }, 6008, '/kinds'],
      ['kinds of security events', { ...SECURITY, kinds: ['firewall'] }, 19104, '/kinds'],
      ['a secret of its own', { ...CHANGES, secret: 'mine' }, 6008, '/secret'],
    ] as const
  ).map(([name, body, code, pointer]) => ({
    name: `refused: ${name}`,
    send: create(body),
    expect: { status: 400, codes: [code], pointers: [pointer] },
  })),
  {
    name: 'changed: members not sent stay',
    before: [add],
    send: patch({ enabled: false }),
    expect: { status: 200, changes: 1, result: { ...CHANGES, enabled: false }, text: /^(?!.*secret)/ },
  },
  {
    name: 'refused: another source',
    before: [add],
    send: patch({ source: 'security_events' }),
    expect: { status: 400, codes: [6008], pointers: ['/source'] },
  },
  {
    name: 'refused: kinds of security events, later',
    before: [{ ...create(SECURITY), as: 'webhook' }],
    send: patch({ kinds: ['zone'] }),
    expect: { status: 400, codes: [19104], pointers: ['/kinds'] },
  },
  {
    name: `no more than ${MAX_ACCOUNT_WEBHOOKS}`,
    before: Array.from({ length: MAX_ACCOUNT_WEBHOOKS }, () => create(CHANGES)),
    send: create(CHANGES),
    expect: { status: 400, codes: [19103] },
  },
  {
    name: 'an unknown account',
    send: get(`/zonereeve/accounts/${MISSING}/webhooks`),
    expect: { status: 404, codes: [1003] },
  },
]

scenarios(
  WEBHOOKS,
  SCENARIOS.map((each) => ({ ...each, before: [ownAccount, ...(each.before ?? [])] })),
)

describe('an entry of the audit log has the kinds', () => {
  test.each([
    ['zone.create', [['zone.create', 1]], ['zone']],
    ['dns_record.create', [['dns_record.create', 2]], ['records']],
    [
      'zone.delete',
      [
        ['dns_record.delete', 9],
        ['zone.delete', 1],
      ],
      ['zone', 'records'],
    ],
    ['dnssec.update', [['dnssec.update', 1]], ['dnssec']],
    [
      'waf_migration.update',
      [
        ['waf_migration.update', 1],
        ['ruleset.create', 1],
      ],
      ['migration', 'firewall'],
    ],
    ['zone.serial', [], ['zone']],
    ['page_shield.webhook', [['page_shield.webhook', 1]], ['monitoring']],
    ['account.webhook', [['account.webhook', 1]], ['account']],
    ['token.roll', [['token.roll', 1]], ['access']],
    ['a request', undefined, []],
  ] as const)('%s %j: %j', (action, kinds, expected) => {
    const entry = { action, detail: JSON.stringify({ kinds }) } as LinkedEntry // what it reads
    expect([...kindsOf(entry)].toSorted()).toEqual([...expected].toSorted())
  })
})

interface PostedEntry {
  readonly id: string
  readonly action: { readonly type: string; readonly result: boolean }
  readonly actor: { readonly ip: string | null }
  readonly metadata: { readonly zone_name: string | null }
}
interface PostedCounts {
  readonly after: number
  readonly until: number
  readonly other_events: number
  readonly events: readonly { readonly zone_name: string; readonly rule_id: string; readonly count: number }[]
}

describe('deliveries', () => {
  let app: TestApp
  let posted: WebhookRequest[]
  let problem: string | undefined

  beforeEach(async () => {
    posted = []
    problem = undefined
    app = await startTestApp({
      postWebhook: (request) => {
        posted.push(request)
        return Promise.resolve(problem)
      },
    })
  })
  afterEach(() => app.close())

  const path = () => `/zonereeve/accounts/${app.accountId}/webhooks`
  /** One that has got the entry about its own creation. */
  async function addWebhook(body: object): Promise<{ readonly id: string; readonly secret: string }> {
    const added = await app.must<{ id: string; secret: string }>('POST', path(), { url: URL, ...body })
    await app.notifyWebhooks()
    posted = []
    return added
  }
  const newZone = async (name: string) =>
    (await app.must('POST', '/zones', { name, account: { id: app.accountId } })).id
  const entriesIn = ({ body }: WebhookRequest): readonly PostedEntry[] => JSON.parse(body).events
  const actions = () => posted.flatMap(entriesIn).map(({ action }) => action.type)
  const status = async (id: string) =>
    (await app.must<{ status: Record<string, unknown> }>('GET', `${path()}/${id}`)).status

  test('each change of the account and its zones is posted once, as in the audit log, signed', async () => {
    await newZone('before.example')
    const { id, secret } = await addWebhook({ source: 'changes' })
    const zone = await newZone('example.com')
    await app.must('POST', `/zones/${zone}/dns_records`, { type: 'A', name: 'www', content: '192.0.2.1' })
    await app.must('PATCH', `/zones/${zone}/dnssec`, { status: 'active' })
    await app.must('DELETE', `/zones/${zone}`)
    await app.notifyWebhooks()
    expect(posted).toHaveLength(1)
    expect(actions()).toEqual(['zone.create', 'dns_record.create', 'dnssec.update', 'zone.delete'])
    const { url, body, headers } = posted[0] ?? { url: '', body: '', headers: {} as Record<string, string> }
    const audited = await app.must<PostedEntry[]>('GET', `/accounts/${app.accountId}/audit_logs?per_page=4`)
    const withoutAddress = audited
      .toReversed()
      .map((entry) => ({ ...entry, actor: { ...entry.actor, ip: null } }))
    expect([url, JSON.parse(body)]).toEqual([
      URL,
      { webhook_id: id, account_id: app.accountId, events: withoutAddress },
    ])
    expect(audited.some(({ actor }) => actor.ip !== null)).toBe(true)
    const [, seconds, signature] =
      /^t=(\d+),v1=([0-9a-f]{64})$/.exec(headers['zonereeve-signature'] ?? '') ?? []
    expect(Number(seconds)).toBe(Math.floor(app.clock.now() / 1000))
    expect(signature).toBe(createHmac('sha256', secret).update(`${seconds}.${body}`).digest('hex'))
    expect(headers).toMatchObject({ 'content-type': 'application/json', 'zonereeve-webhook': id })
    await app.notifyWebhooks()
    expect(posted).toHaveLength(1)
    expect(await status(id)).toMatchObject({ failures: 0, problem: null })
  })

  test('the first entry is that of its own creation', async () => {
    await app.must('POST', path(), CHANGES)
    await app.notifyWebhooks()
    expect(actions()).toEqual(['account.webhook'])
  })

  test('changes of other kinds, refused requests and users are skipped, and their position is kept', async () => {
    const { id } = await addWebhook({ source: 'changes', kinds: ['dnssec'] })
    const before = await status(id)
    const zone = await newZone('example.com')
    await app.call({ method: 'POST', path: '/zones', body: { name: 'not a name' } })
    await app
      .must('POST', '/user/tokens', {
        name: 'reader',
        policies: [
          {
            effect: 'allow',
            resources: { [`com.cloudflare.api.account.zone.${zone}`]: '*' },
            permission_groups: [{ name: 'Zone Read' }],
          },
        ],
      })
      .catch(() => undefined)
    await app.requestLog.waitUntilIdle()
    await app.notifyWebhooks()
    expect(posted).toEqual([])
    expect(await status(id)).toMatchObject({ failures: 0, delivered_at: before['delivered_at'] })
    expect((await status(id))['last_event']).toBeGreaterThan(before['last_event'] as number)
    await app.must('PATCH', `/zones/${zone}/dnssec`, { status: 'active' })
    await app.notifyWebhooks()
    expect(actions()).toEqual(['dnssec.update'])
  })

  test('a refused request is never posted, whatever the kinds', async () => {
    await addWebhook({ source: 'changes' })
    const { status: refused } = await app.call({
      method: 'POST',
      path: `/accounts/${app.accountId}/rulesets`,
      body: {},
    })
    expect(refused).toBe(400)
    await app.requestLog.waitUntilIdle()
    await app.notifyWebhooks()
    expect(posted).toEqual([])
  })

  test('changes of another account are not posted', async () => {
    await addWebhook({ source: 'changes' })
    const { id } = await app.must('POST', '/accounts', { name: 'other' })
    await app.must('POST', '/zones', { name: 'other.example', account: { id } })
    await app.notifyWebhooks()
    expect(posted).toEqual([])
  })

  test('what is not accepted is posted again later, in order and without gaps', async () => {
    const { id } = await addWebhook({ source: 'changes', kinds: ['zone'] })
    problem = 'status: 503'
    await newZone('a.example')
    await app.notifyWebhooks()
    await app.notifyWebhooks()
    expect(posted).toHaveLength(1)
    expect(await status(id)).toMatchObject({ failures: 1, problem })
    await newZone('b.example')
    app.clock.advance(30_001)
    problem = undefined
    posted = []
    await app.notifyWebhooks()
    expect(posted.flatMap(entriesIn).map(({ metadata }) => metadata.zone_name)).toEqual([
      'a.example',
      'b.example',
    ])
  })

  test('many changes are posted in several requests', async () => {
    await addWebhook({ source: 'changes', kinds: ['zone'] })
    for (let i = 0; i <= ENTRIES_PER_REQUEST; i++) await newZone(`z${i}.example`)
    await app.notifyWebhooks()
    expect(posted.map((request) => entriesIn(request).length)).toEqual([ENTRIES_PER_REQUEST, 1])
  })

  const event = (ray: number, more: object = {}) => ({
    rayId: ray.toString(16).padStart(16, '0'),
    at: new Date(START + ray * 1000).toISOString(),
    action: 'block' as const,
    source: 'firewallCustom' as const,
    level: 'zone' as const,
    phase: 'http_request_firewall_custom',
    rulesetId: 'a'.repeat(32),
    ruleId: 'b'.repeat(32),
    description: 'no log-in',
    expression: 'ssl',
    matchedField: null,
    uninspectedField: null,
    originStatus: null,
    loggedFields: null,
    method: 'GET',
    host: 'www.example.com',
    path: '/',
    ip: '192.0.2.1',
    ...more,
  })
  const counts = () => posted.map(({ body }): PostedCounts => JSON.parse(body))

  test('security events are posted as counts: the first at once, later ones in the next minute', async () => {
    const zone = await newZone('example.com')
    const { id } = await addWebhook({ source: 'security_events' })
    await app.securityEvents.recordAll(zone, [event(1)])
    await app.notifyWebhooks()
    expect(posted.map(({ body }): unknown => JSON.parse(body))).toEqual([
      {
        webhook_id: id,
        account_id: app.accountId,
        after: 0,
        until: 1,
        events: [
          {
            zone_id: zone,
            zone_name: 'example.com',
            action: 'block',
            source: 'firewallCustom',
            rule_id: 'b'.repeat(32),
            description: 'no log-in',
            count: 1,
            first_at: event(1).at,
            last_at: event(1).at,
          },
        ],
        other_events: 0,
      },
    ])
    posted = []
    await app.securityEvents.recordAll(zone, [event(2), event(3, { action: 'log' }), event(4)])
    await app.notifyWebhooks()
    expect(posted).toEqual([])
    app.clock.advance(60_001)
    await app.notifyWebhooks()
    expect(counts()).toMatchObject([
      {
        after: 1,
        until: 4,
        events: [
          { action: 'block', count: 2, first_at: event(2).at, last_at: event(4).at },
          { action: 'log', count: 1 },
        ],
        other_events: 0,
      },
    ])
    app.clock.advance(60_001)
    await app.notifyWebhooks()
    expect(posted).toHaveLength(1)
  })

  test('counts that were not accepted are posted again, with what came meanwhile', async () => {
    const zone = await newZone('example.com')
    await addWebhook({ source: 'security_events' })
    problem = 'network: ECONNREFUSED'
    await app.securityEvents.recordAll(zone, [event(1)])
    await app.notifyWebhooks()
    await app.securityEvents.recordAll(zone, [event(2)])
    app.clock.advance(30_001)
    problem = undefined
    await app.notifyWebhooks()
    expect(counts()).toMatchObject([
      { after: 0, until: 1, events: [{ count: 1 }] },
      { after: 0, until: 2, events: [{ count: 2 }] },
    ])
  })

  test('security events of another account are not counted, and do not delay those of the own', async () => {
    const { id } = await app.must('POST', '/accounts', { name: 'other' })
    const other = (await app.must('POST', '/zones', { name: 'other.example', account: { id } })).id
    const zone = await newZone('example.com')
    await addWebhook({ source: 'security_events' })
    await app.securityEvents.recordAll(other, [event(1)])
    await app.notifyWebhooks()
    expect(posted).toEqual([])
    await app.securityEvents.recordAll(other, [event(2)])
    await app.securityEvents.recordAll(zone, [event(3)])
    await app.notifyWebhooks()
    expect(counts()).toMatchObject([{ events: [{ zone_name: 'example.com', count: 1 }] }])
  })

  test('the most frequent rules are listed, the other events are a number', async () => {
    const zone = await newZone('example.com')
    await addWebhook({ source: 'security_events' })
    const rules = Array.from({ length: COUNTS_PER_REQUEST + 2 }, (_, i) => i.toString(16).padStart(32, '0'))
    await app.securityEvents.recordAll(zone, [
      ...rules.map((ruleId, i) => event(i, { ruleId })),
      event(1000, { ruleId: rules.at(-1) }),
    ])
    await app.notifyWebhooks()
    const [only] = counts()
    expect(only?.events).toHaveLength(COUNTS_PER_REQUEST)
    expect(only?.events[0]).toMatchObject({ rule_id: rules.at(-1), count: 2 })
    expect(only?.other_events).toBe(2)
  })

  test.each([CHANGES, SECURITY])('a test of %j is posted signed and without events', async (body) => {
    const { id } = await addWebhook({ ...body, enabled: false })
    const before = await status(id)
    const tested = () => app.call<object>({ method: 'POST', path: `${path()}/${id}/test`, body: {} })
    expect((await tested()).json.result).toEqual({ accepted: true, problem: null })
    expect(posted.map((request) => JSON.parse(request.body) as object)).toEqual([
      { webhook_id: id, account_id: app.accountId, events: [] },
    ])
    expect(posted[0]?.headers['zonereeve-signature']).toMatch(/^t=\d+,v1=[0-9a-f]{64}$/)
    expect(await status(id)).toEqual(before)
    expect((await tested()).json.errors).toMatchObject([{ code: 19653 }])
  })

  test('its secret is in no change set, and it is deleted with its account', async () => {
    const { id: account } = await app.must('POST', '/accounts', { name: 'other' })
    const own = `/zonereeve/accounts/${account}/webhooks`
    const { secret } = await app.must<{ secret: string }>('POST', own, CHANGES)
    const rows = () => app.storage.all(query.selectFrom('account_webhooks').selectAll())
    expect(await rows()).toHaveLength(1)
    const log = JSON.stringify(await app.changeLog())
    expect(log).toContain(URL)
    expect(log).not.toContain(secret)
    await app.must('DELETE', `/accounts/${account}`)
    expect(await rows()).toEqual([])
  })

  test('dry runs change nothing', async () => {
    const dry = await app.call({ method: 'POST', path: `${path()}?dry_run=true`, body: CHANGES })
    expect(dry.status).toBe(200)
    expect(await app.must('GET', path())).toEqual([])
    await app.notifyWebhooks()
    expect(posted).toEqual([])
  })
})
