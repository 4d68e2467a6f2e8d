// zonereeve import account: everything of one server arrives at a second one; a repetition changes nothing.
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { KNOWN_SETTINGS, withPatience, type Reply } from '@zonereeve/account-import'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { ADMIN_TOKEN, startTestApp, type TestApp } from '../testing/app.ts'
import { runCommand } from '../testing/run-command.ts'
import { allow, makeToken } from '../testing/test-tokens.ts'

interface Row {
  readonly zone: string | null
  readonly object: string
  readonly name: string
  readonly action: string
  readonly reason?: string
  readonly source_id?: string
  readonly target_id?: string
}

/** The members that are looked at. */
interface Shown {
  readonly id: string
  readonly name: string
  readonly kind: string
  readonly rules: readonly { readonly action: string; readonly action_parameters: { readonly id: string } }[]
}

function firstOf<Item>([first]: readonly Item[]): Item {
  if (first === undefined) throw new Error('the list is empty')
  return first
}

const MANAGED = 'efb7b8c949ac4650a09736fc376e9aee'
const ZONE = 'shop.example.com'

describe('import account', () => {
  let [source, target]: TestApp[] = []
  let [folder, zone] = ['', '']
  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'zonereeve-import-'))
    source = await startTestApp()
    zone = await fill(here())
  })
  beforeEach(async () => {
    target ??= await startTestApp()
    vi.stubEnv('ZONEREEVE_URL', baseOf(there()))
    vi.stubEnv('ZONEREEVE_TOKEN', ADMIN_TOKEN)
    vi.stubEnv('ZONEREEVE_SOURCE_TOKEN', ADMIN_TOKEN)
  })
  afterEach(async () => {
    vi.unstubAllEnvs()
    // One that has nothing yet serves the next test, too.
    if (target === undefined || (await target.must<Shown[]>('GET', '/zones')).length === 0) return
    await target.close()
    target = undefined
  })
  afterAll(async () => {
    await source?.close()
    await target?.close()
    rmSync(folder, { recursive: true })
  })

  const app = (one: TestApp | undefined): TestApp => {
    if (one === undefined) throw new Error('the app was not started')
    return one
  }
  const here = () => app(source)
  const there = () => app(target)
  const baseOf = ({ port }: TestApp) => `http://127.0.0.1:${port}/client/v4`
  const importing = async (...more: string[]) => {
    const { code, out, err } = await runCommand(
      'import',
      'account',
      '--from',
      baseOf(here()),
      '-o',
      'json',
      ...more,
    )
    return { code, err, rows: (out === '' ? [] : JSON.parse(out)) as Row[] }
  }
  const actions = (rows: readonly Row[]) => new Set(rows.map(({ action }) => action))
  const leftOut = (rows: readonly Row[]) => rows.filter(({ action }) => action === 'left out')

  test('a whole account: planned, imported, compared, and nothing more at the second time', async () => {
    const before = await there().changeCount()
    const plan = await importing('--dry-run')
    expect([plan.code, await there().changeCount()]).toEqual([0, before])
    const done = await importing('--yes')
    expect([done.code, leftOut(done.rows)]).toEqual([0, []])
    expect(done.rows.map(({ object, name }) => `${object} ${name}`)).toEqual(
      expect.arrayContaining(
        plan.rows
          .map(({ object, name }) => `${object} ${name}`)
          .filter((row) => !row.startsWith('DNS settings') && !row.startsWith('monitoring settings')),
      ),
    )
    const copy = firstOf(await there().must<Shown[]>('GET', `/zones?name=${ZONE}`)).id
    for (const path of COMPARED)
      expect([path, contentOf(await there().must<Shown[]>('GET', `/zones/${copy}${path}`))]).toEqual([
        path,
        contentOf(await here().must<Shown[]>('GET', `/zones/${zone}${path}`)),
      ])
    await expectSameRules(copy)
    const [list] = await there().must<Shown[]>('GET', `${await accountOf(there())}/rules/lists`)
    expect(list).toMatchObject({ name: 'office', kind: 'ip', num_items: 2 })

    const after = await there().changeCount()
    const again = await importing('--yes')
    expect([again.code, [...actions(again.rows)], await there().changeCount()]).toEqual([
      0,
      ['unchanged'],
      after,
    ])
  })

  /** Custom rulesets have other identifiers there, and rules name those. */
  async function expectSameRules(copy: string): Promise<void> {
    const entry = '/rulesets/phases/http_request_firewall_managed/entrypoint'
    const [mine, theirs] = [
      await here().must<Shown>('GET', `/zones/${zone}${entry}`),
      await there().must<Shown>('GET', `/zones/${copy}${entry}`),
    ]
    expect(theirs.rules.map(({ action }: { action: string }) => action)).toEqual(
      mine.rules.map(({ action }: { action: string }) => action),
    )
    const account = await accountOf(there())
    const custom = (await there().must<Shown[]>('GET', `${account}/rulesets`)).find(
      ({ kind }: { kind: string }) => kind === 'custom',
    )
    const root = await there().must<Shown>(
      'GET',
      `${account}/rulesets/phases/http_request_firewall_custom/entrypoint`,
    )
    expect(firstOf(root.rules).action_parameters.id).toBe(custom?.id)
  }

  test('a file between two runs, readable only by its owner', async () => {
    const file = join(folder, 'account.json')
    vi.stubEnv('ZONEREEVE_TOKEN', '') // not needed to save
    expect((await importing('--save', file)).code).toBe(0)
    expect(statSync(file).mode & 0o777).toBe(0o600)
    vi.stubEnv('ZONEREEVE_TOKEN', ADMIN_TOKEN)
    vi.stubEnv('ZONEREEVE_SOURCE_TOKEN', 'nobody')
    const { code, out } = await runCommand('import', 'account', '--from', file, '-o', 'json', '--yes')
    expect([code, leftOut(JSON.parse(out))]).toEqual([0, []])
    expect(await there().must<Shown[]>('GET', `/zones?name=${ZONE}`)).toHaveLength(1)
  })

  test('an interrupted import is continued', async () => {
    const account = await accountOf(there())
    const { id } = await there().must('POST', '/zones', { name: ZONE })
    await there().must('POST', `/zones/${id}/dns_records`, {
      type: 'A',
      name: ZONE,
      content: '192.0.2.1',
      ttl: 600,
    })
    await there().must('POST', `/zones/${id}/dns_records`, {
      type: 'TXT',
      name: 'only-here',
      content: 'stays',
    })
    await there().must('POST', `${account}/rules/lists`, { kind: 'ip', name: 'office' })
    const { code, rows } = await importing('--yes')
    expect([code, leftOut(rows)]).toEqual([0, []])
    expect(rows).toContainEqual(
      expect.objectContaining({ object: 'record', name: `${ZONE} A`, action: 'update' }),
    )
    const names = (await there().must<Shown[]>('GET', `/zones/${id}/dns_records`)).map(
      ({ name }: { name: string }) => name,
    )
    expect(names).toContain(`only-here.${ZONE}`)
    expect([...actions((await importing('--yes')).rows)]).toEqual(['unchanged'])
  })

  test('what has no counterpart is named, and the rest is imported', async () => {
    const file = join(folder, 'account.json')
    await importing('--save', file)
    const snapshot = JSON.parse(readFileSync(file, 'utf8'))
    const [{ parts }] = snapshot.zones
    parts.settings.push({
      id: 'rocket_loader',
      value: 'on',
      modified_on: '2026-01-01T00:00:00Z',
      editable: true,
    })
    parts.records.push(
      { id: 'f'.repeat(32), type: 'WALLET', name: ZONE, content: 'x', ttl: 1 },
      { id: 'e'.repeat(32), type: 'A', name: `bad.${ZONE}`, content: 'nowhere', ttl: 1 },
    )
    parts.DNSSEC = { status: 'active' }
    parts.rulesets.push({
      id: 'd'.repeat(32),
      kind: 'zone',
      phase: 'http_request_teleport',
      name: 'x',
      rules: [],
    })
    parts.rulesets
      .find(({ phase }: { phase: string }) => phase === 'http_request_firewall_managed')
      .rules.push(
        {
          id: 'c'.repeat(32),
          action: 'execute',
          action_parameters: { id: 'b'.repeat(32) },
          expression: 'true',
          description: 'unknown ruleset',
        },
        {
          id: 'a'.repeat(32),
          action: 'block',
          expression: 'no.such.field eq 1',
          description: 'unknown field',
        },
      )
    snapshot.zones.push({
      zone: { id: '9'.repeat(32), name: 'other.example.com', type: 'partial' },
      parts: {},
    })
    snapshot.unread.push({ zone: ZONE, part: 'page rules', reason: '403' })
    writeFileSync(file, JSON.stringify(snapshot))
    const { code, out, err } = await runCommand('import', 'account', '--from', file, '-o', 'json', '--yes')
    const named = leftOut(JSON.parse(out)).map(({ object, name }) => `${object} ${name}`)
    expect([code, named.toSorted()]).toEqual([
      1, // two refusals were not in the plan
      [
        'DNSSEC signing',
        'page rules page rules',
        `record bad.${ZONE} A`,
        `record ${ZONE} WALLET`,
        'rule http_request_firewall_managed: unknown field',
        'rule http_request_firewall_managed: unknown ruleset',
        'ruleset http_request_teleport',
        'setting rocket_loader',
        'zone other.example.com',
      ],
    ])
    expect(err).toContain('2 objects of the plan could not be imported')
    const copy = firstOf(await there().must<Shown[]>('GET', `/zones?name=${ZONE}`)).id
    expect((await there().must<Shown[]>('GET', `/zones/${copy}/dns_records`)).length).toBe(
      (await here().must<Shown[]>('GET', `/zones/${zone}/dns_records`)).length,
    )
  })

  test('rules that exist here with others stay, unless they are to be replaced', async () => {
    const path = '/rulesets/phases/http_request_firewall_managed/entrypoint'
    const { id } = await there().must('POST', '/zones', { name: ZONE, plan: { legacy_id: 'enterprise' } })
    await there().must('PUT', `/zones/${id}${path}`, {
      rules: [{ action: 'execute', expression: 'http.host eq "mine"', action_parameters: { id: MANAGED } }],
    })
    expect(leftOut((await importing('--yes')).rows)).toMatchObject([
      { object: 'ruleset', reason: 'it exists with other rules: --replace replaces them' },
    ])
    expect((await there().must<Shown>('GET', `/zones/${id}${path}`)).rules).toMatchObject([
      { expression: 'http.host eq "mine"' },
    ])
    expect(leftOut((await importing('--yes', '--replace')).rows)).toEqual([])
    expect((await there().must<Shown>('GET', `/zones/${id}${path}`)).rules).toHaveLength(
      (await here().must<Shown>('GET', `/zones/${zone}${path}`)).rules.length,
    )
  })

  test('a part that the token may not read is listed', async () => {
    const token = await makeToken(here(), [
      allow(['Zone Read', 'DNS Read'], 'account.zone.*'),
      allow(['Account Settings Read'], 'account.*'),
    ])
    vi.stubEnv('ZONEREEVE_SOURCE_TOKEN', token)
    const { code, rows } = await importing('--yes')
    expect(code).toBe(0)
    expect(leftOut(rows).map(({ object }) => object)).toEqual(
      expect.arrayContaining(['lists', 'rulesets', 'settings']),
    )
    expect(rows).toContainEqual(
      expect.objectContaining({ object: 'record', name: `www.${ZONE} A`, action: 'create' }),
    )
  })

  const wrong: [name: string, argv: () => string[], code: number, message: string][] = [
    ['without --yes and a terminal', () => [], 1, 'nothing was changed'],
    ['an unknown zone', () => ['--only', 'nowhere.example'], 1, 'the account has no zone nowhere.example'],
    ['an unknown account at the source', () => ['--account', 'x'], 1, 'unknown account x: choose one of'],
    ['an unknown account here', () => ['--into', 'x', '--yes'], 1, 'unknown account x: choose one of'],
    ['a file that is missing', () => ['--from', '/nonexistent/x.json'], 2, '--from /nonexistent/x.json'],
    [
      'a file of something else',
      () => ['--from', fileOf('{"a":1}')],
      1,
      '/format must be "zonereeve.account"',
    ],
    [
      'a file with a zone that is none',
      () => ['--from', fileOf(JSON.stringify({ ...EMPTY, zones: [{}] }))],
      1,
      '/zones/0 must be a zone with its parts',
    ],
  ]
  test.each(wrong)('%s is refused, and nothing changes', async (_, argv, code, message) => {
    const before = await there().changeCount()
    const ended = await importing(...argv())
    expect([ended.code, ended.rows, await there().changeCount()]).toEqual([code, [], before])
    expect(ended.err).toContain(message)
  })
  const fileOf = (text: string): string => {
    const file = join(folder, 'file.json')
    writeFileSync(file, text)
    return file
  }

  test('custom rulesets of one name are as many at the target, and each is found again', async () => {
    const ruleset = (path: string) => ({
      name: 'of one name',
      kind: 'custom',
      phase: 'http_request_firewall_custom',
      rules: [{ action: 'block', expression: `http.request.uri.path eq "${path}"` }],
    })
    for (const path of ['/a', '/b']) await here().must('POST', `/zones/${zone}/rulesets`, ruleset(path))
    const madeOf = ({ rows }: { readonly rows: readonly Row[] }) =>
      rows.filter(({ object, name }) => object === 'ruleset' && name === 'of one name')
    const first = madeOf(await importing('--yes'))
    expect(first.map(({ action }) => action)).toEqual(['create', 'create'])
    const again = madeOf(await importing('--yes'))
    expect(again.map(({ action }) => action)).toEqual(['unchanged', 'unchanged'])
    expect(again.map((row) => row.target_id)).toEqual(first.map((row) => row.target_id))
    expect(new Set(first.map((row) => row.target_id)).size).toBe(2)
  })

  test('the settings that are imported are those of a zone', async () => {
    const settings = await here().must<Shown[]>('GET', `/zones/${zone}/settings`)
    expect(settings.map((setting) => setting.id)).toEqual(KNOWN_SETTINGS)
  })
})

test('a rate limit of the source is waited for, but not for ever', async () => {
  const waits: number[] = []
  const limited: Reply = { ok: false, status: 429, issues: [] }
  let left = 2
  const patient = withPatience(
    { send: async () => (left-- > 0 ? limited : { ok: true, result: 1 }) },
    async (seconds) => void waits.push(seconds),
  )
  expect([await patient.send('GET', '/zones'), waits.length]).toEqual([{ ok: true, result: 1 }, 2])
  left = Infinity
  expect([await patient.send('GET', '/zones'), waits.length]).toEqual([limited, 32])
})

const EMPTY = {
  format: 'zonereeve.account',
  version: 1,
  account: {},
  lists: [],
  rulesets: [],
  zones: [],
  unread: [],
}

const COMPARED = [
  '/dns_records',
  '/settings',
  '/dns_settings',
  '/url_normalization',
  '/firewall/access_rules/rules',
  '/firewall/ua_rules',
  '/firewall/lockdowns',
  '/firewall/rules',
  '/pagerules',
  '/page_shield',
  '/page_shield/policies',
]

const SETTINGS = ['http2', 'http3', 'security_level', 'waf', 'disable_security']
const ASSIGNED = [
  'id',
  'zone_id',
  'created_on',
  'modified_on',
  'comment_modified_on',
  'tags_modified_on',
  'updated_at',
  'scope',
]

/** Without what the server assigns; settings have no objects under these names. */
const contentOf = (value: unknown): unknown =>
  JSON.parse(
    JSON.stringify(value, (name, member: unknown) =>
      ASSIGNED.includes(name) && !SETTINGS.includes(String(member)) ? undefined : member,
    ),
  )

const accountOf = async (app: TestApp): Promise<string> =>
  `/accounts/${firstOf(await app.must<Shown[]>('GET', '/accounts')).id}`

/** A zone with something in every part. @returns its identifier. */
async function fill(app: TestApp): Promise<string> {
  const account = await accountOf(app)
  const { id } = await app.must('POST', '/zones', { name: ZONE, plan: { legacy_id: 'enterprise' } })
  const zone = `/zones/${id}`
  await app.must('POST', `${zone}/dns_records/batch`, {
    posts: [
      { type: 'A', name: ZONE, content: '192.0.2.1', comment: 'apex', tags: ['team:web'] },
      { type: 'A', name: 'www', content: '192.0.2.2', proxied: true },
      { type: 'MX', name: ZONE, content: 'mail.example.net', priority: 10, ttl: 3600 },
      { type: 'TXT', name: ZONE, content: '"v=spf1 -all"' },
      {
        type: 'SRV',
        name: '_sip._tcp',
        data: { priority: 1, weight: 2, port: 5060, target: 'sip.example.net' },
      },
      { type: 'CAA', name: ZONE, data: { flags: 0, tag: 'issue', value: 'ca.example.net' } },
      { type: 'HTTPS', name: 'h', data: { priority: 1, target: '.', value: 'alpn="h2"' } },
    ],
  })
  await app.must('PATCH', `${zone}/settings/http3`, { value: 'off' })
  await app.must('PATCH', `${zone}/dns_settings`, {
    flatten_all_cnames: true,
    ns_ttl: 7200,
    soa: { min_ttl: 900 },
  })
  await app.must('PUT', `${zone}/url_normalization`, { scope: 'both', type: 'rfc3986' })
  await app.must('POST', `${zone}/firewall/access_rules/rules`, {
    mode: 'block',
    configuration: { target: 'ip', value: '198.51.100.4' },
    notes: 'noise',
  })
  await app.must('POST', `${zone}/firewall/ua_rules`, {
    mode: 'block',
    configuration: { target: 'ua', value: 'BadBot' },
    description: 'bots',
  })
  await app.must('POST', `${zone}/firewall/lockdowns`, {
    urls: [`${ZONE}/admin*`],
    configurations: [{ target: 'ip', value: '198.51.100.4' }],
  })
  await app.must('POST', `${zone}/firewall/rules`, [
    { action: 'block', filter: { expression: 'http.request.uri.path contains "/old"' }, description: 'old' },
  ])
  for (const priority of [1, 2])
    await app.must('POST', `${zone}/pagerules`, {
      targets: [{ target: 'url', constraint: { operator: 'matches', value: `${ZONE}/p${priority}*` } }],
      actions: [{ id: 'disable_security' }],
      priority,
      status: 'active',
    })
  await app.must('PUT', `${zone}/page_shield`, { enabled: true, use_connection_url_path: true })
  await app.must('POST', `${zone}/page_shield/policies`, {
    description: 'Checkout',
    action: 'log',
    expression: `http.host eq "${ZONE}"`,
    enabled: true,
    value: "script-src 'self'",
  })
  const list = await app.must('POST', `${account}/rules/lists`, {
    kind: 'ip',
    name: 'office',
    description: 'ours',
  })
  await app.must('POST', `${account}/rules/lists/${list.id}/items`, [
    { ip: '192.0.2.0/24', comment: 'desks' },
    { ip: '198.51.100.7' },
  ])
  const custom = await app.must('POST', `${account}/rulesets`, {
    name: 'ours',
    kind: 'custom',
    phase: 'http_request_firewall_custom',
    rules: [{ action: 'block', expression: 'not ip.src in $office', description: 'only the office' }],
  })
  await app.must('PUT', `${account}/rulesets/phases/http_request_firewall_custom/entrypoint`, {
    rules: [{ action: 'execute', expression: 'cf.zone.plan eq "ENT"', action_parameters: { id: custom.id } }],
  })
  await app.must('PUT', `${zone}/rulesets/phases/http_request_firewall_managed/entrypoint`, {
    rules: [
      {
        action: 'skip',
        expression: 'http.request.uri.path eq "/health"',
        action_parameters: { ruleset: 'current' },
        logging: { enabled: true },
      },
      { action: 'execute', expression: 'true', action_parameters: { id: MANAGED }, ref: 'managed' },
    ],
  })
  return id
}
