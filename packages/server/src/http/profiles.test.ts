// The two profiles: each row of the table, shown in both.
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { startTestApp } from '../testing/app.ts'
import { scenarios, type Scenario } from '../testing/scenarios.ts'
import { scratchFolder } from '@zonereeve/platform/testing/scratch-folder.ts'
import { PROFILES, renameMembers } from './profiles.ts'

const RECORDS = '/zones/{zone}/dns_records'
const post = (body: object) => ({ method: 'POST', path: RECORDS, body })
const created = (result: object) => ({ status: 200, changes: 1, events: ['records +1'], records: 1, result })
const refused = { status: 400, codes: [9000], pointers: ['/name'] }

const a = { type: 'A', content: '192.0.2.1' }
const aaaa = { type: 'AAAA', content: '2001:db8::1' }
const cname = { type: 'CNAME', content: 'www.example.net' }
const txt = { type: 'TXT', name: 'text' }

/** A case for a row of the table: the same request in both profiles. */
interface Difference {
  readonly name: string
  readonly body: object
  /** Path to edit with it; without it, a record is created. */
  readonly edits?: string
  /** Path to set with it. */
  readonly sets?: string
  /** Path to create with it instead of a record; the zone's DNS does not change. */
  readonly creates?: string
  /** Part of the result; an object with a status for an error. */
  readonly documented: object
  readonly vendor: object
}

const LETTERS_FIRST: Difference[] = [
  ...[a, aaaa, cname].flatMap((record) => [
    {
      name: `${record.type} 1st`,
      body: { ...record, name: '1st' },
      documented: refused,
      vendor: { name: '1st.example.com' },
    },
    {
      name: `${record.type} 42`,
      body: { ...record, name: '42' },
      documented: refused,
      vendor: { name: '42.example.com' },
    },
  ]),
  { name: 'A _1a', body: { ...a, name: '_1a' }, documented: refused, vendor: { name: '_1a.example.com' } },
  {
    name: 'A a.1b, in the second label',
    body: { ...a, name: 'a.1b' },
    documented: refused,
    vendor: { name: 'a.1b.example.com' },
  },
  { name: 'A *.1b', body: { ...a, name: '*.1b' }, documented: refused, vendor: { name: '*.1b.example.com' } },
]

const QUOTE_TXT: Difference[] = [
  {
    name: 'words',
    body: { ...txt, content: 'v=spf1 -all' },
    documented: { content: '"v=spf1 -all"' },
    vendor: { content: 'v=spf1 -all' },
  },
  {
    name: 'a backslash',
    body: { ...txt, content: 'a\\b' },
    documented: { content: '"a\\\\b"' },
    vendor: { content: 'a\\b' },
  },
  {
    name: 'blanks around',
    body: { ...txt, content: ' a ' },
    documented: { content: '" a "' },
    vendor: { content: ' a ' },
  },
  {
    name: 'letters beyond ASCII',
    body: { ...txt, content: 'grüße' },
    documented: { content: '"grüße"' },
    vendor: { content: 'grüße' },
  },
]

const RENAMED: Difference[] = [
  {
    name: 'members of meta',
    body: { ...a, name: 'www', meta: { managed_by_argo_tunnel: true, managed_by_service_tunnel: true } },
    documented: {
      meta: {
        auto_added: false,
        managed_by_apps: false,
        managed_by_service_tunnel: false,
        source: 'primary',
      },
    },
    vendor: {
      meta: { auto_added: false, managed_by_apps: false, managed_by_argo_tunnel: false, source: 'primary' },
    },
  },
]

const SAME: Difference[] = [
  ...['www', '*', '_dmarc', '*.www', 'a1', 'a-1', 'xn--bcher-kva', '@', `a${'b'.repeat(62)}`].map((name) => ({
    name: `A ${name}`,
    body: { ...a, name },
    documented: {},
    vendor: {},
  })),
  ...['-a', 'a-', 'a_', 'a b', 'a..b', '.a', `a${'b'.repeat(63)}`, 'a.*', 'a*'].map((name) => ({
    name: `A ${name}`,
    body: { ...a, name },
    documented: refused,
    vendor: refused,
  })),
  { name: 'TXT 1st', body: { ...txt, name: '1st', content: '"a"' }, documented: {}, vendor: {} },
  {
    name: 'SRV _1._tcp',
    body: {
      type: 'SRV',
      name: '_1._tcp',
      data: { priority: 1, weight: 1, port: 1, target: 'a.example.net' },
    },
    documented: {},
    vendor: {},
  },
  {
    name: 'TXT in quotes',
    body: { ...txt, content: '"a" "b"' },
    documented: { content: '"a" "b"' },
    vendor: { content: '"a" "b"' },
  },
  {
    name: 'TXT too long for one string',
    body: { ...txt, content: 'x'.repeat(300) },
    documented: { content: `"${'x'.repeat(255)}" "${'x'.repeat(45)}"` },
    vendor: { content: `"${'x'.repeat(255)}" "${'x'.repeat(45)}"` },
  },
  {
    name: 'ttl and locked',
    body: { ...a, name: 'www' },
    documented: { ttl: 1, locked: false },
    vendor: { ttl: 1, locked: false },
  },
]

const DNS_SETTINGS = '/zones/{zone}/dns_settings'
const outOfRange = (pointer: string) => ({ status: 400, codes: [19806], pointers: [pointer] })

const SOA_BOUNDS: Difference[] = [
  ['retry', 3_601],
  ['retry', 86_400],
  ['ttl', 300],
  ['ttl', 1_799],
  ['ttl', 3_601],
  ['ttl', 86_400],
].map(([member = '', value]) => ({
  name: `SOA ${member} ${value}`,
  body: { soa: { refresh: 86_400, [member]: value } },
  edits: DNS_SETTINGS,
  documented: outOfRange(`/soa/${member}`),
  vendor: { soa: { [member]: value } },
}))

const POLICY = { description: '', action: 'log', expression: 'true', value: "img-src 'none'" }

const POLICY_SWITCH: Difference[] = [
  ['true', true],
  ['false', false],
].map(([text, value]) => ({
  name: `a policy with "${text}"`,
  body: { ...POLICY, enabled: text },
  creates: '/zones/{zone}/page_shield/policies',
  documented: { enabled: text },
  vendor: { enabled: value },
}))

const ENDPOINT: Difference[] = [
  {
    name: 'settings of monitoring',
    body: { use_service_reporting_endpoint: false },
    sets: '/zones/{zone}/page_shield',
    documented: { use_service_reporting_endpoint: false, use_cloudflare_reporting_endpoint: false },
    vendor: { use_cloudflare_reporting_endpoint: false },
  },
]

const CAA_DATA = { flags: 0, tag: 'issue', value: 'ca.example.net' }

const UNKNOWN: Difference[] = [
  {
    name: 'a misspelt member',
    body: { ...a, name: 'www', proxid: true },
    documented: { status: 400, codes: [6008], pointers: ['/proxid'] },
    vendor: { name: 'www.example.com', proxied: false },
  },
  {
    name: 'a misspelled member of data',
    body: { type: 'CAA', name: 'www', data: { ...CAA_DATA, flag: 128 } },
    documented: { status: 400, codes: [6008], pointers: ['/data/flag'] },
    vendor: { name: 'www.example.com', data: CAA_DATA },
  },
]

const TABLES = {
  lettersFirst: LETTERS_FIRST,
  quoteTxt: QUOTE_TXT,
  soaBounds: SOA_BOUNDS,
  policySwitchAsSent: POLICY_SWITCH,
  endpointUnderBothNames: ENDPOINT,
  rejectsUnknown: UNKNOWN,
  renamedMembers: RENAMED,
  'all else': SAME,
}

for (const profile of ['documented', 'vendor'] as const) {
  for (const [row, table] of Object.entries(TABLES)) {
    const rows = table.map((difference): Scenario => {
      const { name, body, edits, sets, creates } = difference
      const result = difference[profile]
      const at = creates === undefined ? {} : { path: creates }
      const events = edits === undefined ? [] : ['zone settings']
      const isRecord = edits === undefined && sets === undefined && creates === undefined
      const succeeded = isRecord ? created(result) : { status: 200, changes: 1, events, result }
      const sent = edits === undefined ? { ...post(body), ...at } : { method: 'PATCH', path: edits, body }
      return {
        name,
        send: sets === undefined ? sent : { method: 'PUT', path: sets, body },
        expect: 'status' in result ? (result as typeof refused) : succeeded,
      }
    })
    scenarios(`${profile}: ${row}`, rows, { app: { profile } })
  }
}

describe('profiles', () => {
  test('have cases for each difference', () => {
    // Its cases need separate tokens: features/tokens/token-bounds.test.ts.
    const { name, boundedTokens, ...differences } = PROFILES.documented
    expect([boundedTokens, PROFILES.vendor.boundedTokens]).toEqual([true, false])
    expect(name).toBe('documented')
    expect(Object.keys(TABLES)).toEqual([...Object.keys(differences), 'all else'])
    expect(Object.keys(PROFILES)).toEqual(['documented', 'vendor'])
    for (const key of Object.keys(differences) as (keyof typeof differences)[]) {
      expect(PROFILES.vendor[key]).not.toEqual(PROFILES.documented[key])
    }
  })

  test('rename members, never similar text inside a string', () => {
    const text = JSON.stringify({
      comment: '"managed_by_service_tunnel":1',
      managed_by_service_tunnel: true,
      use_service_reporting_endpoint: 'managed_by_service_tunnel',
    })
    expect(JSON.parse(renameMembers(text, PROFILES.vendor))).toEqual({
      comment: '"managed_by_service_tunnel":1',
      managed_by_argo_tunnel: true,
      use_cloudflare_reporting_endpoint: 'managed_by_service_tunnel',
    })
    expect(renameMembers(text, PROFILES.documented)).toBe(text)
  })

  test('the position of a member does not depend on its name', async () => {
    const app = await startTestApp({ profile: 'vendor' })
    const zone = await app.must('POST', '/zones', { name: 'example.com' })
    const { text } = await app.call({
      method: 'POST',
      path: `/zones/${zone.id}/dns_records`,
      body: { ...a, name: 'www' },
    })
    expect(text).toContain(
      '"meta":{"auto_added":false,"managed_by_apps":false,"managed_by_argo_tunnel":false,"source":"primary"}',
    )
    await app.close()
  })

  test('a record that the other profile stored can be read, edited and deleted', async () => {
    const database = join(scratchFolder(), 'zonereeve.db')
    const vendor = await startTestApp({ profile: 'vendor', database })
    const zone = await vendor.must('POST', '/zones', { name: 'example.com' })
    const records = `/zones/${zone.id}/dns_records`
    const first = await vendor.must('POST', records, { ...a, name: '1st' })
    const text = await vendor.must('POST', records, { ...txt, content: 'bare words' })
    await vendor.close()

    const app = await startTestApp({ profile: 'documented', database })
    expect(await app.must('GET', `${records}/${text.id}`)).toMatchObject({ content: 'bare words' })
    expect(
      (await app.call({ method: 'PATCH', path: `${records}/${first.id}`, body: { ttl: 300 } })).json.errors,
    ).toMatchObject([{ code: 9000 }])
    expect(await app.must('PATCH', `${records}/${first.id}`, { name: 'first', ttl: 300 })).toMatchObject({
      name: 'first.example.com',
    })
    await app.must('DELETE', `${records}/${text.id}`)
    await app.close()
  })
})
