// The official TypeScript SDK, unmodified: only baseURL and apiToken are set. DNS is queried after every step.
import { deepEqual, equal, ok, rejects } from 'node:assert/strict'
import Cloudflare, { BadRequestError, NotFoundError, PermissionDeniedError, type APIError } from 'cloudflare'
import type { RecordCreateParams, RecordEditParams } from 'cloudflare/resources/dns/records'
import type { RecordType } from 'dns-packet'
import { ask, askUntil, type DnsReply } from './dns-client.ts'
import type { Target } from './program.ts'
import type { Report } from './report.ts'
import { runAccount } from './sdk-account.ts'
import { runTransfers } from './sdk-transfers.ts'
import { runFirewall } from './sdk-firewall.ts'
import { runAccess } from './sdk-access.ts'
import { runNamedLists } from './sdk-lists.ts'
import { runMigration } from './sdk-migration.ts'
import { runRulesets } from './sdk-rulesets.ts'
import { runMonitoring } from './sdk-monitoring.ts'
import { runPolicies } from './sdk-policies.ts'
import { runScans } from './sdk-scan.ts'
import { runTypes } from './sdk-types.ts'

const ZONE = 'sdk.example.com'

/** The members of a record that change between steps. */
interface Value {
  readonly content?: string
  readonly data?: Readonly<Record<string, unknown>>
  readonly priority?: number
}

interface TypeCase {
  readonly type: RecordCreateParams['type'] & RecordType
  readonly name: string
  /** Bodies of create, PATCH and PUT. */
  readonly values: readonly [Value, Value, Value]
  /** DNS answers after each of the three. */
  readonly answers: readonly [string, string, string]
  /** Section of the answer: a delegation's NS records are a referral. */
  readonly section?: 'authorities'
}

const cases: readonly TypeCase[] = [
  {
    type: 'A',
    name: 'a',
    values: [{ content: '192.0.2.1' }, { content: '192.0.2.2' }, { content: '192.0.2.3' }],
    answers: ['192.0.2.1', '192.0.2.2', '192.0.2.3'],
  },
  {
    type: 'AAAA',
    name: 'aaaa',
    values: [{ content: '2001:db8::1' }, { content: '2001:DB8:0:0::2' }, { content: '2001:db8::3' }],
    answers: ['2001:db8::1', '2001:db8::2', '2001:db8::3'],
  },
  {
    type: 'CNAME',
    name: 'cname',
    values: [
      { content: 'one.example.net' },
      { content: 'two.example.net.' },
      { content: 'Three.example.net' },
    ],
    answers: ['one.example.net', 'two.example.net', 'three.example.net'],
  },
  {
    type: 'MX',
    name: 'mx',
    values: [
      { content: 'mail1.example.net', priority: 10 },
      { content: 'mail2.example.net' },
      { content: 'mail3.example.net', priority: 30 },
    ],
    answers: ['10 mail1.example.net', '10 mail2.example.net', '30 mail3.example.net'],
  },
  {
    type: 'TXT',
    name: 'txt',
    values: [{ content: '"one"' }, { content: 'two words' }, { content: '"with \\"quotes\\""' }],
    answers: ['one', 'two words', 'with "quotes"'],
  },
  {
    type: 'NS',
    name: 'ns',
    values: [{ content: 'ns1.example.net' }, { content: 'ns2.example.net' }, { content: 'ns3.example.net' }],
    answers: ['ns1.example.net', 'ns2.example.net', 'ns3.example.net'],
    section: 'authorities',
  },
  {
    type: 'SRV',
    name: '_sip._tcp.srv',
    values: [
      { data: { priority: 1, weight: 2, port: 5060, target: 'sip1.example.net' } },
      { data: { priority: 1, weight: 2, port: 5061, target: 'sip2.example.net' } },
      { data: { priority: 3, weight: 4, port: 5062, target: 'sip3.example.net' } },
    ],
    answers: ['1 2 5060 sip1.example.net', '1 2 5061 sip2.example.net', '3 4 5062 sip3.example.net'],
  },
  {
    type: 'CAA',
    name: 'caa',
    values: [
      { data: { flags: 0, tag: 'issue', value: 'ca1.example.net' } },
      { data: { flags: 128, tag: 'issue', value: 'ca2.example.net' } },
      { data: { flags: 0, tag: 'iodef', value: 'mailto:ca@example.net' } },
    ],
    answers: ['0 issue "ca1.example.net"', '128 issue "ca2.example.net"', '0 iodef "mailto:ca@example.net"'],
  },
]

/** Runs every step. `fetch` may record requests and replies; the SDK is otherwise unmodified. */
export async function runSdk(target: Target, report: Report, fetch: typeof globalThis.fetch): Promise<void> {
  const client = connect(target, target.token, fetch)
  let zoneId = ''
  await report.check('sdk: create a zone', async () => {
    zoneId = await createZone(client)
    await askUntil(target.dns, ZONE, 'SOA', (reply) => reply.answers.length === 1)
  })
  for (const type of cases) await runType({ client, target, report, zoneId }, type)
  await runTypes(client, target.dns, report, { id: zoneId, name: ZONE })
  await runFirewall(client, report, zoneId)
  await runPolicies(client, report, zoneId)
  await runRulesets(client, report, zoneId)
  await runNamedLists(client, report, zoneId)
  await runAccess(client, report, zoneId)
  await runMigration(client, report)
  await runMonitoring(client, report, { id: zoneId, name: ZONE })
  await runLists({ client, target, report, zoneId })
  await runBatch({ client, target, report, zoneId })
  await runErrors({ client, target, report, zoneId }, fetch)
  await runScans(client, target, report)
  await runTransfers({ client, report })
  await runAccount({ client, target, report, connectAs: (token) => connect(target, token, fetch) })
  await report.check('sdk: delete the zone, and DNS refuses it', async () => {
    await client.zones.delete({ zone_id: zoneId })
    await askUntil(target.dns, ZONE, 'SOA', (reply) => reply.rcode === 'REFUSED')
  })
}

interface Session {
  readonly client: Cloudflare
  readonly target: Target
  readonly report: Report
  readonly zoneId: string
}

function connect(target: Target, apiToken: string, fetch: typeof globalThis.fetch): Cloudflare {
  return new Cloudflare({ baseURL: `${target.http}/client/v4`, apiToken, maxRetries: 0, fetch })
}

async function createZone(client: Cloudflare): Promise<string> {
  const accounts = await client.accounts.list()
  const account = accounts.result[0]
  ok(account, 'there is an account')
  const zone = await client.zones.create({ account: { id: account.id }, name: ZONE, type: 'full' })
  equal(zone.name, ZONE)
  ok(zone.name_servers.length > 0, 'the zone names its nameservers')
  const listed = await client.zones.list({ name: ZONE })
  deepEqual(
    listed.result.map((found) => found.id),
    [zone.id],
  )
  equal((await client.zones.get({ zone_id: zone.id })).id, zone.id)
  return zone.id
}

async function runType({ client, target, report, zoneId }: Session, type: TypeCase): Promise<void> {
  const name = `${type.name}.${ZONE}`
  const [created, patched, put] = type.values
  const label = (step: string): string => `sdk: ${type.type} ${step}`
  const answersBecome = async (index: 0 | 1 | 2, ttl: number): Promise<void> => {
    const expected = `${type.type} ${ttl} ${type.answers[index]}`
    await askUntil(target.dns, name, type.type, (reply) => {
      const found = reply[type.section ?? 'answers']
      return found.length === 1 && found[0] === expected
    })
  }
  // The SDK types each record type separately; the table has all of them, so its rows are widened here.
  const draft = (value: Value, ttl: number) =>
    ({ zone_id: zoneId, name, type: type.type, ttl, ...value }) as unknown as RecordCreateParams
  let id = ''

  await report.check(label('create'), async () => {
    const record = await client.dns.records.create(draft(created, 300))
    id = record.id
    equal(record.name, name)
    equal(record.type, type.type)
    equal(record.ttl, 300)
    await answersBecome(0, 300)
  })
  await report.check(label('list and get'), async () => {
    const listed = await client.dns.records.list({ zone_id: zoneId, type: type.type, name: { exact: name } })
    deepEqual(
      listed.result.map((record) => record.id),
      [id],
    )
    deepEqual(await client.dns.records.get(id, { zone_id: zoneId }), listed.result[0])
  })
  await report.check(label('edit'), async () => {
    const change = { zone_id: zoneId, ...patched } as unknown as RecordEditParams // as for drafts
    const record = await client.dns.records.edit(id, change)
    equal(record.ttl, 300, 'an edit keeps members that it does not name')
    await answersBecome(1, 300)
  })
  await report.check(label('update'), async () => {
    const record = await client.dns.records.update(id, draft(put, 600))
    equal(record.id, id)
    await answersBecome(2, 600)
  })
  await report.check(label('delete'), async () => {
    deepEqual(await client.dns.records.delete(id, { zone_id: zoneId }), { id })
    await askUntil(target.dns, name, type.type, isGone)
  })
}

function isGone(reply: DnsReply): boolean {
  return reply.rcode === 'NXDOMAIN' && reply.answers.length === 0
}

async function runLists({ client, target, report, zoneId }: Session): Promise<void> {
  const names = Array.from({ length: 25 }, (_, index) => `page-${index}.${ZONE}`)
  await report.check('sdk: pages through a list, each record once', async () => {
    await Promise.all(
      names.map((name, index) =>
        client.dns.records.create({
          zone_id: zoneId,
          type: 'A',
          name,
          ttl: 1,
          content: `192.0.2.${index + 1}`,
        }),
      ),
    )
    const seen: string[] = []
    for await (const record of client.dns.records.list({ zone_id: zoneId, type: 'A', per_page: 10 }))
      seen.push(record.name)
    deepEqual(seen.toSorted(), names.toSorted())
  })
  await report.check('sdk: a filtered list', async () => {
    const listed = await client.dns.records.list({ zone_id: zoneId, name: { startswith: 'page-1' } })
    equal(listed.result.length, 11)
  })
  await report.check('sdk: automatic ttl is served as 300', async () => {
    deepEqual((await ask(target.dns, `page-0.${ZONE}`, 'A')).answers, ['A 300 192.0.2.1'])
  })
}

async function runBatch({ client, target, report, zoneId }: Session): Promise<void> {
  const draft = (name: string, content: string) => ({ type: 'A', name, ttl: 300, content }) as const
  const serial = async (): Promise<number> =>
    Number((await ask(target.dns, ZONE, 'SOA')).answers[0]?.split(' ').at(-1))
  const answers = async (name: string): Promise<readonly string[]> =>
    (await ask(target.dns, `${name}.${ZONE}`, 'A')).answers

  await report.check('sdk: a batch is one change also in DNS', async () => {
    const old = await client.dns.records.create({ zone_id: zoneId, ...draft('batch-old', '192.0.2.1') })
    const remaining = await client.dns.records.create({
      zone_id: zoneId,
      ...draft('batch-kept', '192.0.2.2'),
    })
    const before = await serial()
    await client.dns.records.batch({
      zone_id: zoneId,
      deletes: [{ id: old.id }],
      patches: [{ id: remaining.id, ...draft('batch-kept', '192.0.2.3') }],
      posts: [draft('batch-new', '192.0.2.4')],
    })
    equal(await serial(), before + 1)
    deepEqual(
      [await answers('batch-old'), await answers('batch-kept'), await answers('batch-new')],
      [[], ['A 300 192.0.2.3'], ['A 300 192.0.2.4']],
    )
  })
  await report.check('sdk: a batch with one bad record changes nothing', async () => {
    const before = await serial()
    const posts = [draft('batch-good', '192.0.2.5'), draft('batch-bad', '192.0.2.256')]
    const refused = client.dns.records.batch({ zone_id: zoneId, posts })
    await rejects(refused, failsWith(BadRequestError, 400, 9005))
    equal(await serial(), before)
    deepEqual(await answers('batch-good'), [])
  })
}

async function runErrors(
  { client, target, report, zoneId }: Session,
  fetch: typeof globalThis.fetch,
): Promise<void> {
  const draft = { zone_id: zoneId, type: 'A', name: 'twice', ttl: 1, content: '192.0.2.1' } as const
  await report.check('sdk: an identical record is a BadRequestError, 81058', async () => {
    await client.dns.records.create(draft)
    await rejects(client.dns.records.create(draft), failsWith(BadRequestError, 400, 81058))
  })
  await report.check('sdk: a bad address is a BadRequestError, 9005, and DNS does not change', async () => {
    const bad = { ...draft, name: 'bad', content: '192.0.2.256' }
    await rejects(client.dns.records.create(bad), failsWith(BadRequestError, 400, 9005))
    equal((await ask(target.dns, `bad.${ZONE}`, 'A')).rcode, 'NXDOMAIN')
  })
  await report.check('sdk: a missing record is a NotFoundError, 81044', async () => {
    const missing = client.dns.records.get('0'.repeat(32), { zone_id: zoneId })
    await rejects(missing, failsWith(NotFoundError, 404, 81044))
  })
  await report.check('sdk: an unknown token is a PermissionDeniedError, 9109', async () => {
    const stranger = connect(target, 'x'.repeat(40), fetch)
    await rejects(
      async () => stranger.zones.get({ zone_id: zoneId }),
      failsWith(PermissionDeniedError, 403, 9109),
    )
  })
  await report.check('sdk: the token verifies as active', async () => {
    equal((await client.user.tokens.verify())?.status, 'active')
  })
}

type ErrorClass = abstract new (...args: never[]) => APIError

function failsWith(kind: ErrorClass, status: number, code: number): (error: unknown) => boolean {
  return (error) => {
    ok(error instanceof kind, `a ${kind.name}, not ${String(error)}`)
    equal(error.status, status)
    deepEqual(
      error.errors.map((found) => found.code),
      [code],
    )
    return true
  }
}
