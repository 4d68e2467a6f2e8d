// A second node on the same database, whose hub is fed only from the change log: after every write it gives the
// same answers as the writing node, and the old answers until it has read the log.
import { encodeRdata, parseName, typeCode } from '@zonereeve/dns'
import { createExplainer } from '@zonereeve/nameserver'
import { expect, test } from 'vitest'
import { createEventHub, followLog, lastPosition, type EventHub } from '../features/changes/index.ts'
import { createComparedZones, followExpiries } from '../features/dns/publication/index.ts'
import { saveSecondary, withoutPrimary } from '../features/dns/secondary-dns/index.ts'
import { reportingAddress } from '../features/monitoring/page-shield/index.ts'
import { silentLog } from '@zonereeve/platform'
import { query, type Storage } from '@zonereeve/storage'
import { START } from '../testing/app.ts'
import type { Modules } from './modules.ts'
import { openReader, startNode, startWriter } from './second-node.cases.ts'

const NAMES = ['', 'www.', 'a.', 'b.', 'alias.', 'txt.', 'ns1.', 'ns2.']
const TYPES = ['SOA', 'NS', 'A', 'AAAA', 'CNAME', 'TXT', 'DNSKEY', 'CDS'].map((type) => typeCode(type) ?? 0)
const APEXES = ['example.com', 'example.net', 'catalog.example']
const UPDATE_KEY = parseName('followed.update')
const SECRET = Buffer.alloc(32, 7).toString('base64')

/** Everything that a client could query the node about these zones, by the module that answers. */
async function answersOf(node: Modules, zoneIds: readonly string[]) {
  const { table, sending } = node.zonePublication
  const explain = createExplainer({ table, log: silentLog })
  const questions = APEXES.flatMap((apex) => [
    ...NAMES.map((name) => parseName(`${name}${apex}`)),
    ...zoneIds.map((id) => parseName(`${id}.zones.${apex}`)),
  ])
  const firewall: unknown[] = []
  for (const zoneId of zoneIds) {
    const found = await node.features.configurations.of(zoneId).catch((failure: unknown) => String(failure))
    if (typeof found === 'string') firewall.push(found)
    else {
      const { entryPoints } = found.deciding.firewall
      const rules = [...entryPoints.account.values(), ...entryPoints.zone.values()].map(
        ({ id, rules: all }) => [id, all.map(({ expression }) => expression)],
      )
      const { name, plan } = found.legacy.zone
      firewall.push([found.state, { ...found.legacy, zone: [name, plan] }, rules])
    }
  }
  return {
    dns: JSON.stringify(
      questions.map((name) => TYPES.map((type) => explain(name, type))),
      (_, value: unknown) => (value instanceof Uint8Array ? Buffer.from(value).toString('hex') : value),
    ),
    signing: JSON.stringify(
      zoneIds.map((id) =>
        table.zone(id)?.signer?.signing.dnskeys.map((key) => Buffer.from(key).toString('hex')),
      ),
    ),
    updates: JSON.stringify(node.features.updateKeys.findKey(UPDATE_KEY, 'hmac-sha256')?.secret.length),
    transfers: JSON.stringify([
      zoneIds.map((id) => sending.policies.zone(id)?.peers.map(({ address }) => address)),
      sending.policies.findKey(parseName('transfer.key'), 'hmac-sha256') !== undefined,
    ]),
    monitoring: JSON.stringify(await monitoringOf(node, zoneIds)),
    firewall: JSON.stringify(firewall),
  }
}

const ASPECTS = ['dns', 'signing', 'transfers', 'monitoring', 'firewall', 'updates'] as const
type Aspect = (typeof ASPECTS)[number]

/** The effect of one more report about each zone. */
async function monitoringOf({ collector, reportingKey }: Modules, zoneIds: readonly string[]) {
  const outcomes: number[] = []
  for (const zoneId of zoneIds) {
    const address = reportingAddress(reportingKey, { zoneId, policyId: null, oneIn: 1 }, START)
    const before = collector.countsOf(zoneId)['disabled'] ?? 0
    const query = address.slice(address.indexOf('?') + 1)
    await collector.take({ query, body: REPORT, address: '192.0.2.9', userAgent: '' })
    outcomes.push((collector.countsOf(zoneId)['disabled'] ?? 0) - before)
  }
  return outcomes
}

const REPORT = JSON.stringify([
  {
    type: 'csp-violation',
    age: 1,
    url: 'https://www.example.com/',
    user_agent: '',
    body: {
      documentURL: 'https://www.example.com/',
      blockedURL: 'https://cdn.example.org/a.js',
      effectiveDirective: 'script-src-elem',
      originalPolicy: "script-src 'none'; report-to cs",
      disposition: 'report',
      statusCode: 200,
    },
  },
])

type Send = readonly [method: string, path: string, body?: object]
interface Step {
  readonly name: string
  readonly send: Send
  /** Stores the ID of the result under this name. */
  readonly as?: string
  /** What the second node answers unchanged until it has read the log. */
  readonly stale: readonly Aspect[]
}

const record = (name: string, more: object): Send => [
  'POST',
  '/zones/{zone}/dns_records',
  { type: 'A', name, content: '192.0.2.1', ...more },
]
const ENTRY_POINT = '/zones/{zone}/rulesets/phases/http_request_firewall_custom/entrypoint'
const RULE = { action: 'block', expression: 'http.request.uri.path eq "/x"' }
const STEPS: readonly Step[] = [
  { name: 'a zone', send: ['POST', '/zones', { name: 'example.com' }], as: 'zone', stale: ['dns'] },
  { name: 'a record', send: record('www', {}), as: 'www', stale: ['dns'] },
  { name: 'a plain record', send: record('a', {}), stale: ['dns'] },
  { name: 'a text', send: record('txt', { type: 'TXT', content: '"x"' }), stale: ['dns'] },
  {
    name: 'an edit',
    send: ['PATCH', '/zones/{zone}/dns_records/{www}', { content: '192.0.2.2' }],
    stale: ['dns'],
  },
  {
    name: 'a batch',
    send: [
      'POST',
      '/zones/{zone}/dns_records/batch',
      { deletes: [{ id: '{www}' }], posts: [{ type: 'CNAME', name: 'alias', content: 'b.example.com' }] },
    ],
    stale: ['dns'],
  },
  {
    name: 'name servers',
    send: ['PATCH', '/zones/{zone}', { vanity_name_servers: ['ns1.example.com', 'ns2.example.com'] }],
    stale: ['dns'],
  },
  {
    name: 'settings of DNS',
    send: ['PATCH', '/zones/{zone}/dns_settings', { ns_ttl: 3600 }],
    stale: ['dns'],
  },
  {
    name: 'signatures',
    send: ['PATCH', '/zones/{zone}/dnssec', { status: 'active' }],
    stale: ['dns', 'signing'],
  },
  {
    name: 'a key',
    send: [
      'POST',
      '/accounts/{account}/secondary_dns/tsigs',
      { name: 'transfer.key', secret: SECRET, algo: 'hmac-sha256' },
    ],
    as: 'key',
    stale: ['transfers'],
  },
  {
    name: 'a peer',
    send: ['POST', '/accounts/{account}/secondary_dns/peers', { name: 'peer', tsig_id: '{key}' }],
    as: 'peer',
    stale: [],
  },
  {
    name: 'a catalog zone',
    send: [
      'PUT',
      '/zonereeve/accounts/{account}/catalog_zone',
      { name: 'catalog.example', peers: ['{peer}'] },
    ],
    stale: ['dns'],
  },
  {
    name: 'transfers',
    send: ['POST', '/zones/{zone}/secondary_dns/outgoing', { name: 'example.com', peers: ['{peer}'] }],
    stale: [],
  },
  {
    name: 'enabled transfers, and a member of the catalog zone',
    send: ['POST', '/zones/{zone}/secondary_dns/outgoing/enable'],
    stale: ['dns', 'transfers'],
  },
  {
    name: 'a key that signs updates',
    send: ['POST', '/zonereeve/update_keys', { name: 'followed.update', token_id: '{token}' }],
    as: 'updateKey',
    stale: ['updates'],
  },
  {
    name: 'the end of that key',
    send: ['DELETE', '/zonereeve/update_keys/{updateKey}'],
    stale: ['updates'],
  },
  { name: 'a proxied record', send: record('b', { proxied: true }), stale: ['dns'] },
  {
    name: 'monitoring on',
    send: ['PUT', '/zones/{zone}/page_shield', { enabled: true }],
    stale: ['monitoring'],
  },
  {
    name: 'monitoring off',
    send: ['PUT', '/zones/{zone}/page_shield', { enabled: false }],
    stale: ['monitoring'],
  },
  { name: 'a ruleset', send: ['PUT', ENTRY_POINT, { rules: [RULE] }], stale: ['firewall'] },
  { name: 'a switch', send: ['PATCH', '/zones/{zone}/settings/waf', { value: 'off' }], stale: ['firewall'] },
  { name: 'a restore', send: ['POST', '/zonereeve/zones/{zone}/restore', { number: 3 }], stale: ['dns'] },
  { name: 'no signatures', send: ['PATCH', '/zones/{zone}/dnssec', { status: 'disabled' }], stale: ['dns'] },
  { name: 'the end of the zone', send: ['DELETE', '/zones/{zone}'], stale: ['dns', 'transfers', 'firewall'] },
  {
    name: 'the zone created again',
    send: ['POST', '/zones', { name: 'example.com' }],
    as: 'zone',
    stale: ['dns'],
  },
]

test('a second node that reads the log gives the same answers as the writing node', async () => {
  const { database, storage, node: first, call } = await startWriter()

  const followers: {
    readonly node: Modules
    readonly storage: Storage
    readonly hub: EventHub
    position: number
  }[] = []
  const startFollower = async (): Promise<void> => {
    const own = createEventHub(silentLog)
    const reader = await openReader({ database, storage })
    // Changes written while a node loads are delivered again: it must handle that.
    followers.push({ node: await startNode(reader, own), storage: reader, hub: own, position: 0 })
  }
  await startFollower()

  const ids: Record<string, string> = {
    account: (await call<{ id: string }[]>('GET', '/accounts'))[0]?.id ?? '',
    token: (await call<{ id: string }>('GET', '/user/tokens/verify')).id,
  }
  const zoneIds: string[] = []
  for (const [index, { name, send, as, stale }] of STEPS.entries()) {
    if (index === STEPS.length / 2) await startFollower()
    const fill = (text: string) => text.replace(/\{(\w+)\}/g, (_, key: string) => ids[key] ?? '')
    const before = await Promise.all(followers.map(({ node }) => answersOf(node, zoneIds)))
    const [method, path, body] = send
    const result = await call<{ id: string } | null>(
      method,
      fill(path),
      body && JSON.parse(fill(JSON.stringify(body))),
    )
    if (as !== undefined) ids[as] = result?.id ?? ''
    const written = await answersOf(first, zoneIds)
    for (const [at, follower] of followers.entries()) {
      const old = await answersOf(follower.node, zoneIds)
      expect(old, `${name}: before the log is read`).toEqual(before[at])
      for (const aspect of stale) expect(old[aspect], `${name}: ${aspect}`).not.toBe(written[aspect])
      follower.position = await followLog(follower.storage, follower.hub, follower.position)
      const read = await answersOf(follower.node, zoneIds)
      for (const aspect of ASPECTS) expect(read[aspect], `${name}: ${aspect}`).toBe(written[aspect])
    }
    if (as === 'zone') zoneIds.push(ids['zone'] ?? '')
  }
})

test('a second node notices that a secondary zone is current, and that it has expired', async () => {
  const { database, storage, clock, call } = await startWriter()
  const { id: zoneId } = await call<{ id: string }>('POST', '/zones', {
    name: 'followed.example',
    type: 'secondary',
  })
  const reader = await openReader({ database, storage })
  const { table, zones } = (await startNode(reader, createEventHub(silentLog), clock)).zonePublication
  const isExpired = async (): Promise<boolean | undefined> => {
    await followExpiries({ storage: reader, clock, table, zones, betweenChanges: (work) => work() })
    return table.zone(zoneId)?.isExpired
  }
  expect(await isExpired()).toBe(true)
  const name = parseName('ns.followed.example')
  const times = { refresh: 3_600, retry: 600, expire: 86_400, minimum: 60 }
  await storage.write((tx) =>
    saveSecondary(tx, {
      ...withoutPrimary(zoneId),
      soa: encodeRdata('SOA', { mname: name, rname: name, serial: 1, ...times }),
      soaTtlSeconds: 60,
      refreshedAtMillis: clock.now(),
    }),
  )
  expect([table.zone(zoneId)?.isExpired, await isExpired()]).toEqual([true, false])
  clock.advance(86_400_000)
  expect([table.zone(zoneId)?.isExpired, await isExpired()]).toEqual([false, true])
})

test('a zone in memory that differs from that of the other node is equal again once it is read again', async () => {
  const { database, storage, clock, node: first, call } = await startWriter()
  const { id } = await call<{ id: string }>('POST', '/zones', { name: 'example.com' })
  for (const [name, more] of [
    ['a', {}],
    ['b', { proxied: true }],
  ] as const)
    await call('POST', `/zones/${id}/dns_records`, { type: 'A', name, content: '192.0.2.1', ...more })
  const reader = await openReader({ database, storage })
  const second = await startNode(reader, createEventHub(silentLog), clock)
  const stepped: string[] = []
  const serials = { isBound: () => true, request: (zoneId: string) => void stepped.push(zoneId) }
  const compared = [first, second].map(({ zonePublication }, at) =>
    createComparedZones({
      ...zonePublication,
      serials,
      storage,
      isWriter: () => at === 0,
      betweenChanges: (work) => work(),
    }),
  )
  const states = () => Promise.all(compared.map(({ stateOf }) => stateOf(id)))
  const [sound] = await states()
  expect(compared.map(({ ids }) => ids())).toEqual([[id], [id]])
  expect(sound).toMatchObject({ serial: first.zonePublication.table.serial(id) })
  expect(await states()).toEqual([sound, sound])
  for (const [at, { zonePublication }] of [first, second].entries()) {
    const { table } = zonePublication
    const name = parseName('a.example.com')
    const serial = table.serial(id) ?? 0
    table.apply({ zoneId: id, serial, removed: [...table.records(id, name)], added: [], marks: [] })
    const damaged = await states()
    expect(damaged[at]).toMatchObject({ serial, checksum: expect.not.stringMatching(sound?.checksum ?? '') })
    expect(damaged[1 - at]).toEqual(sound)
    await compared[at]?.reread(id)
    expect(await states()).toEqual([sound, sound])
    expect(table.records(id, name)).toHaveLength(1)
  }
  // Secondaries of the node that writes may have what was wrong, and a repair that changes nothing needs no new serial.
  expect(stepped).toEqual([id])
  await compared[0]?.reread(id)
  expect(stepped).toEqual([id])
  // Changes are applied on top of what was read.
  await call('POST', `/zones/${id}/dns_records`, { type: 'A', name: 'c', content: '192.0.2.1' })
  expect(first.zonePublication.table.records(id, parseName('c.example.com'))).toHaveLength(1)
})

test('a node has each zone as it was at one serial, when it starts and when a change could not be applied', async () => {
  const { database, storage, clock, node: writer, call } = await startWriter()
  const { id } = await call<{ id: string }>('POST', '/zones', { name: 'example.com' })
  const add = (name: string) =>
    call('POST', `/zones/${id}/dns_records`, { type: 'A', name, content: '192.0.2.1' })
  await add('a')
  const reader = await openReader({ database, storage })
  // The other node writes each time this one has read a zone.
  let writes = 0
  const disturbed: Storage = {
    ...reader,
    async each(compilable, take) {
      await reader.each(compilable, take)
      if (writes === 0) return
      await add(`w${(writes -= 1)}`)
      await call('PATCH', `/zones/${id}/dns_settings`, { ns_ttl: 3_600 + writes })
    },
  }
  const { id: empty } = await call<{ id: string }>('POST', '/zones', { name: 'example.net' })
  const position = await lastPosition(reader)
  writes = 100
  const own = createEventHub(silentLog)
  const node = await startNode(disturbed, own, clock, { nodes: { reached: () => position } })
  const { table, zones } = node.zonePublication
  const counts = (...names: string[]) =>
    names.map((name) => table.records(id, parseName(`${name}.example.com`)).length)
  const missed = `w${writes}`
  writes = 0
  expect([counts('a', missed), table.has(empty)]).toEqual([[1, 0], true])
  const reached = await followLog(reader, own, position)
  expect([counts('a', 'w99', missed), zones.outOfStep()]).toEqual([[1, 1, 1], []])
  expect((await answersOf(node, [id])).dns).toBe((await answersOf(writer, [id])).dns)
  const number = 99
  const serial = (table.serial(id) ?? 0) + 1
  const strange = {
    id: 'x',
    name: parseName('a.example.com'),
    type: 'A',
    ttlSeconds: 1,
    rdata: new Uint8Array(4),
  }
  const removed = [{ ...strange, proxied: false, settings: {} }]
  const event = { topic: 'records', scopeId: id, number, serial, kinds: [], delta: { removed, added: [] } }
  await expect(async () => zones.take(event as never)).rejects.toThrow('record.missing')
  expect([zones.outOfStep(), zones.incomplete().has(id)]).toEqual([[id], true])
  writes = 1
  await zones.reread(id)
  expect([zones.outOfStep(), counts('a', 'w0')]).toEqual([[], [1, 0]])
  await add('last')
  await followLog(reader, own, reached)
  expect([zones.outOfStep(), counts('a', 'w0', 'last')]).toEqual([[], [1, 1, 1]])
})

/** A node that follows, with two zones of the writer. */
async function startWithZones() {
  const { database, storage, node: writer, call } = await startWriter()
  const create = (name: string) => call<{ id: string }>('POST', '/zones', { name })
  const [{ id }, { id: other }] = [await create('example.com'), await create('example.net')]
  const add = (name: string, zoneId = id) =>
    call<{ id: string }>('POST', `/zones/${zoneId}/dns_records`, { type: 'A', name, content: '192.0.2.1' })
  const reader = await openReader({ database, storage })
  let reads = 0
  const counted: Storage = {
    ...reader,
    all: (compilable) => reader.all(compilable).finally(() => (reads += 1)),
    first: (compilable) => reader.first(compilable).finally(() => (reads += 1)),
  }
  let position = await lastPosition(reader)
  const own = createEventHub(silentLog)
  const node = await startNode(counted, own, undefined, { nodes: { reached: () => position } })
  const { table, zones } = node.zonePublication
  const countsOf = (zoneId: string, apex: string, names: readonly string[]) =>
    names.map((name) => table.records(zoneId, parseName(`${name}.${apex}`)).length)
  /** @returns the number of queries. */
  const follow = async (): Promise<number> => {
    reads = 0
    position = await followLog(counted, own, position)
    return reads
  }
  return { storage, writer, call, id, other, add, node, zones, countsOf, follow }
}

test('changes of records that a node reads at once need few queries, and are applied in their order', async () => {
  const { writer, call, id, other, add, node, zones, follow } = await startWithZones()
  const path = (record: { readonly id: string }) => `/zones/${id}/dns_records/${record.id}`
  const [first] = await Promise.all(Array.from({ length: 60 }, (_, index) => add(`h${index}`)))
  expect(await follow()).toBeLessThanOrEqual(5)
  const www = await add('www')
  await call('PATCH', path(www), { content: '192.0.2.2' })
  await call('DELETE', path(await add('b')))
  const alias = await add('alias')
  await call('DELETE', path(alias))
  await call('POST', `/zones/${id}/dns_records`, { type: 'CNAME', name: 'alias', content: 'www.example.com' })
  await add('a', other)
  await call('PATCH', path(www), { content: '192.0.2.3' })
  for (const last of [9, 1]) await call('PATCH', path(first ?? www), { content: `192.0.2.${last}` })
  expect(await follow()).toBeLessThanOrEqual(9)
  expect((await answersOf(node, [id, other])).dns).toBe((await answersOf(writer, [id, other])).dns)
  expect(zones.outOfStep()).toEqual([])
})

test('a zone that was read again between changes that are applied at once has each of them once', async () => {
  const { writer, id, add, node, zones, countsOf, follow } = await startWithZones()
  for (const name of ['a', 'b']) await add(name)
  await zones.reread(id)
  for (const name of ['c', 'd']) await add(name)
  expect(countsOf(id, 'example.com', ['b', 'c'])).toEqual([1, 0])
  await follow()
  expect([countsOf(id, 'example.com', ['a', 'b', 'c', 'd']), zones.outOfStep()]).toEqual([[1, 1, 1, 1], []])
  await add('e')
  await follow()
  expect([countsOf(id, 'example.com', ['d', 'e']), zones.outOfStep()]).toEqual([[1, 1], []])
  expect((await answersOf(node, [id])).dns).toBe((await answersOf(writer, [id])).dns)
})

test.each([
  ['a change with an unreadable operation takes only its zone out of step', { after: '{}' }, [0, 1, 1]],
  [
    'a change whose record is invalid takes its zone out of step with those applied at once',
    { after: '{}', checksum: null },
    [0, 0, 0],
  ],
])('%s, and holds up no other zone', async (_, damage, counts) => {
  const { storage, id, other, add, zones, countsOf, follow } = await startWithZones()
  const lost = await add('lost')
  for (const name of ['a', 'b']) await add(name)
  await add('a', other)
  await storage.write((tx) =>
    tx.run(query.updateTable('change_ops').set(damage).where('object_id', '=', lost.id)),
  )
  await follow()
  expect([countsOf(id, 'example.com', ['lost', 'a', 'b']), zones.outOfStep()]).toEqual([counts, [id]])
  expect(countsOf(other, 'example.net', ['a'])).toEqual([1])
  await zones.reread(id)
  await add('c')
  await follow()
  const all = countsOf(id, 'example.com', ['lost', 'a', 'b', 'c'])
  expect([all, zones.outOfStep()]).toEqual([[1, 1, 1, 1], []])
})
