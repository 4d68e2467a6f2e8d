// Explained queries over the whole program: each gives the answer that DNS gives, and the records behind it.
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { loadConfig } from '@zonereeve/config'
import { randomIds, silentLog, systemClock } from '@zonereeve/platform'
import { ADMIN_TOKEN } from '../testing/app.ts'
import { fromTable, startFakeResolver, type FakeResolver } from '@zonereeve/resolver/fake-resolver.cases.ts'
import { callProgram } from '../testing/program-calls.ts'
import { runCommand } from '../testing/run-command.ts'
import { startApp, type App } from './app.ts'

const RECORDS = {
  www: { type: 'A', name: 'www', content: '192.0.2.1', ttl: 120 },
  www2: { type: 'A', name: 'www', content: '192.0.2.2', ttl: 60 },
  proxied: { type: 'A', name: 'proxied', content: '192.0.2.9', proxied: true },
  apex: { type: 'CNAME', name: '@', content: 'cdn.example.net' },
  alias: { type: 'CNAME', name: 'alias', content: 'www.example.com' },
  away: { type: 'CNAME', name: 'away', content: 'www.example.org' },
  lost: { type: 'CNAME', name: 'lost', content: 'lost.example.net', settings: { flatten_cname: true } },
  neighbour: {
    type: 'CNAME',
    name: 'neighbour',
    content: 'front.other.example',
    settings: { flatten_cname: true },
  },
  beside: { type: 'CNAME', name: 'beside', content: 'plain.other.example' },
  wildcard: { type: 'TXT', name: '*.wild', content: 'any' },
  deep: { type: 'A', name: 'a.b.c', content: '192.0.2.3' },
  ns: { type: 'NS', name: 'child', content: 'ns.child.example.com' },
  glue: { type: 'A', name: 'ns.child', content: '192.0.2.4' },
  mx: { type: 'MX', name: 'mail', content: 'www.example.com', priority: 10 },
  moved: { type: 'TYPE39', name: 'moved', content: 'c.example.com.' },
  big: { type: 'TXT', name: 'big', content: 'x'.repeat(2000) },
} as const
type RecordKey = keyof typeof RECORDS

let outside: FakeResolver
let app: App
const ids = new Map<string, RecordKey>()
let zone = ''

const call = <Result>(method: string, path: string, body?: object) =>
  callProgram<Result>(app, method, path, body)

beforeAll(async () => {
  outside = await startFakeResolver(
    fromTable({
      'cdn.example.net A': ['cdn.example.net 60 CNAME edge.example.org', 'edge.example.org 60 A 203.0.113.1'],
      'lost.example.net A': 2,
      'lost.example.net AAAA': 2,
    }),
  )
  const config = loadConfig({
    flags: {
      http: '127.0.0.1:0',
      dns: '127.0.0.1:0',
      'dns-threads': '0',
      resolver: `${outside.host}:${outside.port}`,
      'edge-addresses': '198.51.100.1,2001:db8:ed::1',
    },
    environment: { ZONEREEVE_ADMIN_TOKEN: ADMIN_TOKEN },
  })
  app = await startApp({ config, clock: systemClock(), ids: randomIds(), log: silentLog, inMemory: true })
  const create = async (name: string) =>
    (await call<{ id: string }>('POST', '/zones', { name })).envelope.result.id
  const other = await create('other.example')
  await call('POST', `/zones/${other}/dns_records`, {
    type: 'CNAME',
    name: 'front',
    content: 'secret.example.net',
    settings: { flatten_cname: true },
  })
  await call('POST', `/zones/${other}/dns_records`, { type: 'A', name: 'plain', content: '192.0.2.77' })
  zone = await create('example.com')
  for (const [key, record] of Object.entries(RECORDS)) {
    const { envelope } = await call<{ id: string }>('POST', `/zones/${zone}/dns_records`, record)
    ids.set(envelope.result.id, key as RecordKey) // a key of RECORDS
  }
})
afterAll(async () => {
  await app.close()
  await outside.close()
})

interface Answer {
  readonly rcode: string
  readonly flags: readonly string[]
  readonly truncated_over_udp: boolean
  readonly answer: readonly string[]
  readonly authority: readonly string[]
  readonly additional: readonly string[]
  readonly rrsets: readonly { section: string; type: string; source: string; record_ids: string[] }[]
  readonly steps: readonly {
    outcome: string
    name: string
    owner: string | null
    closest_encloser: string | null
    empty_non_terminal: boolean
    derivation: string | null
    record_ids: string[]
    chains: readonly { type: string; names: readonly { name: string }[]; end: string }[]
    explanation: string
  }[]
}

async function ask(question: string): Promise<Answer> {
  const [name = '', type = ''] = question.split(' ')
  const path = `/zonereeve/zones/${zone}/query?name=${encodeURIComponent(name)}&type=${type}`
  const { status, envelope } = await call<Answer>('GET', path)
  expect(status).toBe(200)
  return envelope.result
}

/** Outside names are resolved in the background: repeats until the chain is complete. */
async function waitUntilIdle(question: string): Promise<Answer> {
  for (;;) {
    const answer = await ask(question)
    const isPending = answer.steps.some(({ chains }) => chains.some(({ end }) => end === 'pending'))
    if (!isPending && answer.rcode !== 'SERVFAIL') return answer
    if (!isPending && question.startsWith('lost')) return answer
    await new Promise((done) => setTimeout(done, 10))
  }
}

interface Row {
  readonly question: string
  readonly rcode?: string
  readonly answer?: readonly string[]
  /** "SECTION TYPE SOURCE KEYS" of each RRset. */
  readonly rrsets?: readonly string[]
  /** "OUTCOME NAME OWNER" of each step, with the derivation and the keys of the records behind it. */
  readonly steps: readonly string[]
  readonly chains?: readonly string[]
  readonly referral?: true
}

const SOA = 'authority SOA zone'
const rows: readonly Row[] = [
  {
    question: 'www A',
    answer: ['www.example.com. 60 IN A 192.0.2.1', 'www.example.com. 60 IN A 192.0.2.2'],
    rrsets: ['answer A stored www www2'],
    steps: ['answer www.example.com www.example.com'],
  },
  {
    question: 'WWW.Example.COM. a',
    rrsets: ['answer A stored www www2'],
    steps: ['answer www.example.com www.example.com'],
  },
  { question: '@ NS', rrsets: ['answer NS zone'], steps: ['answer example.com example.com'] },
  { question: '@ SOA', rrsets: ['answer SOA zone'], steps: ['answer example.com example.com'] },
  {
    question: 'www ANY',
    rrsets: ['answer HINFO any_stand_in'],
    steps: ['answer www.example.com www.example.com'],
  },
  {
    question: 'proxied A',
    answer: ['proxied.example.com. 300 IN A 198.51.100.1'],
    rrsets: ['answer A edge proxied'],
    steps: ['answer proxied.example.com proxied.example.com edge proxied'],
  },
  {
    question: 'proxied HTTPS',
    rrsets: [
      'answer HTTPS https_on_the_fly proxied',
      'additional A edge proxied',
      'additional AAAA edge proxied',
    ],
    steps: ['answer proxied.example.com proxied.example.com edge proxied'],
  },
  {
    question: 'proxied TXT',
    rrsets: [SOA],
    steps: ['no_data proxied.example.com proxied.example.com'],
  },
  {
    question: '@ A',
    answer: ['example.com. 60 IN A 203.0.113.1'],
    rrsets: ['answer A flattened apex'],
    steps: ['answer example.com example.com flattened apex'],
    chains: ['A cdn.example.net edge.example.org addresses'],
  },
  {
    question: 'lost A',
    rcode: 'SERVFAIL',
    steps: ['failing lost.example.com lost.example.com flattened lost'],
    chains: ['A lost.example.net failed'],
  },
  {
    question: 'alias A',
    rrsets: ['answer CNAME stored alias', 'answer A stored www www2'],
    steps: ['alias alias.example.com alias.example.com', 'answer www.example.com www.example.com'],
  },
  {
    question: 'away A',
    rrsets: ['answer CNAME stored away'],
    steps: ['alias away.example.com away.example.com', 'outside www.example.org null'],
  },
  {
    question: 'beside A',
    rrsets: ['answer CNAME stored beside', 'answer A other_zone'],
    steps: ['alias beside.example.com beside.example.com', 'answer plain.other.example plain.other.example'],
  },
  {
    question: 'x.wild TXT',
    answer: ['x.wild.example.com. 300 IN TXT "any"'],
    rrsets: ['answer TXT stored wildcard'],
    steps: ['answer x.wild.example.com *.wild.example.com'],
  },
  { question: 'x.wild A', rrsets: [SOA], steps: ['no_data x.wild.example.com *.wild.example.com'] },
  { question: 'b.c A', rrsets: [SOA], steps: ['no_data b.c.example.com b.c.example.com empty'] },
  { question: 'x.b.c A', rcode: 'NXDOMAIN', rrsets: [SOA], steps: ['no_name x.b.c.example.com null'] },
  {
    question: 'x.child A',
    rrsets: ['authority NS stored ns', 'additional A stored glue'],
    steps: ['referral x.child.example.com child.example.com'],
    referral: true,
  },
  {
    question: 'a.b.moved A',
    answer: [
      'moved.example.com. 300 IN DNAME c.example.com.',
      'a.b.moved.example.com. 300 IN CNAME a.b.c.example.com.',
      'a.b.c.example.com. 300 IN A 192.0.2.3',
    ],
    rrsets: ['answer DNAME stored moved', 'answer CNAME redirection moved', 'answer A stored deep'],
    steps: [
      'redirected a.b.moved.example.com moved.example.com',
      'answer a.b.c.example.com a.b.c.example.com',
    ],
  },
  {
    question: 'moved A',
    rrsets: [SOA],
    steps: ['no_data moved.example.com moved.example.com'],
  },
  {
    question: 'mail MX',
    rrsets: ['answer MX stored mx', 'additional A stored www www2'],
    steps: ['answer mail.example.com mail.example.com'],
  },
  { question: 'www TYPE65280', rrsets: [SOA], steps: ['no_data www.example.com www.example.com'] },
  { question: 'www AXFR', rcode: 'REFUSED', rrsets: [], steps: [] },
]

const keys = (recordIds: readonly string[]): string[] => recordIds.map((id) => ids.get(id) ?? `strange ${id}`)

describe('GET query', () => {
  test.each(rows.map((row) => [row.question, row] as const))('%s', async (question, row) => {
    const answer = await waitUntilIdle(question)
    expect(answer.rcode).toBe(row.rcode ?? 'NOERROR')
    if (row.answer !== undefined) expect(answer.answer).toEqual(row.answer)
    expect(
      answer.rrsets.map(({ section, type, source, record_ids }) =>
        [section, type, source, ...keys(record_ids)].join(' '),
      ),
    ).toEqual(row.rrsets ?? [])
    expect(
      answer.steps.map((step) =>
        [
          step.outcome,
          step.name,
          String(step.owner),
          ...(step.empty_non_terminal ? ['empty'] : []),
          ...(step.derivation === null ? [] : [step.derivation]),
          ...keys(step.record_ids),
        ].join(' '),
      ),
    ).toEqual(row.steps)
    const chains = answer.steps.flatMap((step) => step.chains)
    expect(
      chains.map(({ type, names, end }) => [type, ...names.map(({ name }) => name), end].join(' ')),
    ).toEqual(row.chains ?? [])
    for (const { explanation } of answer.steps) expect(explanation).toMatch(/^\S.*\.$/)
    const isOurs = answer.rcode === 'NOERROR' || answer.rcode === 'NXDOMAIN'
    expect(answer.flags).toEqual(isOurs && row.referral === undefined ? ['qr', 'aa'] : ['qr'])
  })

  test('a name that does not exist is returned with its closest encloser', async () => {
    const { steps } = await ask('x.y.b.c A')
    expect(steps).toMatchObject([{ outcome: 'no_name', closest_encloser: 'b.c.example.com' }])
  })

  test('a redirection is returned with its DNAME', async () => {
    const { steps } = await ask('a.b.moved A')
    expect(steps[0]?.explanation).toBe(
      'a.b.moved.example.com is below moved.example.com, whose DNAME in the zone example.com redirects it: a CNAME to the new name is made and followed.',
    )
  })

  test('an answer too large for UDP is returned completely, and marked', async () => {
    const { answer, truncated_over_udp } = await ask('big TXT')
    expect([answer.length, truncated_over_udp]).toEqual([1, true])
    expect((await ask('www A')).truncated_over_udp).toBe(false)
  })

  test('the target of a flattened CNAME of another zone is not revealed', async () => {
    const answer = await ask('neighbour A')
    expect(JSON.stringify(answer)).not.toContain('secret')
    expect(answer.steps[0]?.chains).toMatchObject([{ names: [{ name: 'front.other.example' }] }])
  })

  test('records synthesized by the signer are shown in their presentation format, signatures separately', async () => {
    const { envelope } = await call<{ id: string }>('POST', '/zones', { name: 'signed.example' })
    await call('PATCH', `/zones/${envelope.result.id}/dnssec`, { status: 'active' })
    const path = `/zonereeve/zones/${envelope.result.id}/query?name=@&type=NSEC`
    const { answer, rrsets } = (await call<Answer>('GET', path)).envelope.result
    expect(rrsets.map(({ section, type }) => `${section} ${type}`)).toEqual(['answer NSEC', 'answer RRSIG'])
    expect(answer[0]).toContain(String.raw`NSEC \000.signed.example. NS SOA RRSIG NSEC DNSKEY`)
    expect(answer[1]).toContain(' RRSIG NSEC 13 2 ')
  })

  test('explained queries are not counted as DNS queries', async () => {
    await ask('www A')
    const url = `http://${app.http.host}:${app.http.port}/metrics`
    const metrics = await (await fetch(url, { headers: { authorization: `Bearer ${ADMIN_TOKEN}` } })).text()
    expect(metrics).toContain('zonereeve_dns_queries_total counter')
    expect(metrics.split('\n').filter((line) => line.startsWith('zonereeve_dns_queries_total{'))).toEqual([])
  })
})

describe('rejected', () => {
  test.each([
    ['an unknown type', 'name=www&type=NOPE', 400, 19851, '/type'],
    ['a type number too large', 'name=www&type=TYPE65536', 400, 19851, '/type'],
    ['no type', 'name=www', 400, 6008, '/type'],
    ['no name', 'type=A', 400, 6008, '/name'],
    ['an empty name', 'name=&type=A', 400, 6008, '/name'],
    ['a complete name outside the zone', 'name=www.example.net.&type=A', 400, 19850, '/name'],
    ['a label too long', `name=${'x'.repeat(64)}&type=A`, 400, 19850, '/name'],
    ['an empty label', 'name=a..b&type=A', 400, 19850, '/name'],
    ['control characters', 'name=a%00b&type=A', 400, 19850, '/name'],
  ])('%s', async (_, query, status, code, pointer) => {
    const answer = await call('GET', `/zonereeve/zones/${zone}/query?${query}`)
    expect([
      answer.status,
      answer.envelope.errors[0]?.code,
      answer.envelope.errors[0]?.source?.pointer,
    ]).toEqual([status, code, pointer])
  })

  test('an unknown zone', async () => {
    const answer = await call('GET', `/zonereeve/zones/${'0'.repeat(32)}/query?name=www&type=A`)
    expect([answer.status, answer.envelope.errors[0]?.code]).toEqual([404, 1001])
  })
})

describe('zonereeve query', () => {
  beforeEach(() => {
    vi.stubEnv('ZONEREEVE_URL', `http://${app.http.host}:${app.http.port}/client/v4`)
    vi.stubEnv('ZONEREEVE_TOKEN', ADMIN_TOKEN)
  })
  afterEach(() => void vi.unstubAllEnvs())

  const run = (...argv: string[]) => runCommand('query', ...argv)

  test('for people: the answer, the reason, and the records behind it', async () => {
    const { code, out } = await run('example.com', 'x.wild', 'TXT', '-o', 'table')
    const [wildcard] = [...ids].find(([, key]) => key === 'wildcard') ?? []
    expect([code, out]).toEqual([
      0,
      [
        ';; NOERROR, flags qr aa',
        '',
        ';; ANSWER',
        'x.wild.example.com. 300 IN TXT "any"',
        '',
        ';; WHY',
        'x.wild.example.com has TXT in the zone example.com, by the wildcard *.wild.example.com.',
        '',
        ';; FROM',
        `answer x.wild.example.com TXT: stored ${wildcard}`,
        '',
      ].join('\n'),
    ])
  })

  test('for programs: JSON, and CSV of the RRsets', async () => {
    const json = await run('example.com', 'www', 'A', '-o', 'json')
    expect(JSON.parse(json.out)).toMatchObject([{ name: 'www.example.com', rcode: 'NOERROR' }])
    expect((await run('example.com', 'x.b.c', 'A', '-o', 'csv')).out).toBe(
      'section,name,type,ttl,source,record_ids\nauthority,example.com,SOA,1800,zone,[]\n',
    )
  })

  test.each([
    ['an unknown type', ['example.com', 'www', 'NOPE'], 1, /19851/],
    ['an unknown zone', ['example.net', 'www', 'A'], 1, /unknown zone example\.net/],
    ['too few arguments', ['example.com', 'www'], 2, /missing required argument/],
  ])('%s', async (_, argv, code, err) => {
    const ended = await run(...argv)
    expect([ended.code, ended.out]).toEqual([code, ''])
    expect(ended.err).toMatch(err)
  })
})
