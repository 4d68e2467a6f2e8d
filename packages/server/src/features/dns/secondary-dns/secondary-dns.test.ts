// Keys, ACLs, peers, outgoing transfers and catalog zones over HTTP.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startTestApp, type TestApp } from '../../../testing/app.ts'
import { scenarios, type Send } from '../../../testing/scenarios.ts'
import { readMemberChanges } from './catalog-zone.service.ts'
import { readOpenZone } from './transfers-in-force.ts'
import { allow, makeToken } from '../../../testing/test-tokens.ts'

const root = '/accounts/{account}/secondary_dns'
const outgoing = '/zones/{zone}/secondary_dns/outgoing'
const catalog = '/zonereeve/accounts/{account}/catalog_zone'
const NOWHERE = 'f'.repeat(32)
const SECRET = 'MDEyMzQ1Njc4OWFiY2RlZjAxMjM0NTY3ODlhYmNkZWY='
const post = (path: string, body?: unknown): Send => ({ method: 'POST', path, body })
const put = (path: string, body: unknown): Send => ({ method: 'PUT', path, body })

/** Key names are unique on the whole server, so every row has its own. */
let keys = 0
const key = (changes: object = {}) => ({
  name: `Key-${(keys += 1)}.example.`,
  secret: SECRET,
  algo: 'hmac-sha512.',
  ...changes,
})
const peer = { name: 'ns at home', ip: '192.0.2.53', port: 5353 }
/** 32 octets. */
const PIN = Buffer.alloc(32, 7).toString('base64')
const withPeer: Send = { ...post(`${root}/peers`, peer), as: 'peer' }
const transfers = { name: 'example.com.', peers: ['{peer}'] }
const setUp: readonly Send[] = [withPeer, post(outgoing, transfers)]

scenarios(
  'what has no such member',
  (
    [
      ['a key', post(`${root}/tsigs`, key({ algorithm: 'x' })), '/algorithm'],
      ['an ACL', post(`${root}/acls`, { name: 'a', ip_range: '192.0.2.0/28', ports: [53] }), '/ports'],
      ['a peer', post(`${root}/peers`, { ...peer, notify: true }), '/notify'],
      ['transfers of a zone', post(outgoing, { name: 'example.com', peers: [], notify: true }), '/notify'],
      ['a catalog zone', put(catalog, { name: 'catalog.example', peers: [], version: 1 }), '/version'],
    ] as const
  ).map(([name, send, pointer]) => ({
    name,
    send,
    expect: { status: 400, codes: [6008], pointers: [pointer] },
  })),
)

scenarios('/accounts/:id/secondary_dns/tsigs', [
  {
    name: 'a key is shown as it was sent',
    send: post(`${root}/tsigs`, { id: 'whatever', ...key({ name: 'Shown.Example' }) }),
    expect: {
      status: 200,
      changes: 1,
      result: { name: 'Shown.Example', secret: SECRET, algo: 'hmac-sha512.' },
    },
  },
  ...['hmac-sha256', 'HMAC-SHA384.', 'hmac-sha1.'].map((algo) => ({
    name: `the algorithm ${algo}`,
    send: post(`${root}/tsigs`, key({ algo })),
    expect: { status: 200, changes: 1, result: { algo } },
  })),
  ...(
    [
      ['an invalid name', { name: 'a..b' }, 19710, '/name'],
      ['the root as a name', { name: '.' }, 19710, '/name'],
      ['a secret that is not base64', { secret: 'not base64!' }, 19711, '/secret'],
      ['a secret without its padding', { secret: SECRET.slice(0, -1) }, 19711, '/secret'],
      ['a secret of 15 octets', { secret: btoa('x'.repeat(15)) }, 19711, '/secret'],
      ['an empty secret', { secret: '' }, 19711, '/secret'],
      ['MD5', { algo: 'hmac-md5.sig-alg.reg.int.' }, 19712, '/algo'],
    ] as const
  ).map(([name, changes, code, pointer]) => ({
    name,
    send: post(`${root}/tsigs`, key(changes)),
    expect: { status: 400, codes: [code], pointers: [pointer] },
  })),
  {
    name: 'a secret of 16 octets',
    send: post(`${root}/tsigs`, key({ secret: btoa('x'.repeat(16)) })),
    expect: { status: 200, changes: 1 },
  },
  {
    name: 'every mistake is reported',
    send: post(`${root}/tsigs`, { name: '', secret: '', algo: 'none' }),
    expect: { status: 400, codes: [19710, 19711, 19712], pointers: ['/name', '/secret', '/algo'] },
  },
  {
    name: 'the name of another key, in other letters',
    before: [post(`${root}/tsigs`, key({ name: 'taken.example' }))],
    send: post(`${root}/tsigs`, key({ name: 'TAKEN.example.' })),
    expect: { status: 400, codes: [19713], pointers: ['/name'] },
  },
  {
    name: 'a key is changed',
    before: [{ ...post(`${root}/tsigs`, key()), as: 'key' }],
    send: put(`${root}/tsigs/{key}`, key({ name: 'changed.example' })),
    expect: { status: 200, changes: 1, result: { name: 'changed.example' } },
  },
  {
    name: 'a key is deleted',
    before: [{ ...post(`${root}/tsigs`, key()), as: 'key' }],
    send: { method: 'DELETE', path: `${root}/tsigs/{key}` },
    expect: { status: 200, changes: 1 },
  },
  {
    name: 'a key that a peer uses cannot be deleted',
    before: [
      { ...post(`${root}/tsigs`, key()), as: 'key' },
      post(`${root}/peers`, { ...peer, tsig_id: '{key}' }),
    ],
    send: { method: 'DELETE', path: `${root}/tsigs/{key}` },
    expect: { status: 400, codes: [19714] },
  },
  ...(['GET', 'PUT', 'DELETE'] as const).map((method) => ({
    name: `${method} of an unknown key`,
    send: { method, path: `${root}/tsigs/${NOWHERE}`, ...(method === 'PUT' ? { body: key() } : {}) },
    expect: { status: 404, codes: [19715] },
  })),
])

scenarios('/accounts/:id/secondary_dns/acls', [
  ...['192.0.2.53/24', '192.0.2.53/32', '192.0.2.53', '2001:db8::/64', '::1/128'].map((range) => ({
    name: `the range ${range}`,
    send: post(`${root}/acls`, { name: 'home', ip_range: range }),
    expect: { status: 200, changes: 1, result: { name: 'home', ip_range: range } },
  })),
  ...[
    '192.0.2.0/23',
    '192.0.2.0/33',
    '2001:db8::/63',
    '2001:db8::/129',
    '192.0.2.0/',
    '192.0.2.0/24/24',
    'home',
    '',
    '192.0.2/24',
  ].map((range) => ({
    name: `invalid range "${range}"`,
    send: post(`${root}/acls`, { name: 'home', ip_range: range }),
    expect: { status: 400, codes: [19716], pointers: ['/ip_range'] },
  })),
  {
    name: 'an ACL is changed',
    before: [{ ...post(`${root}/acls`, { name: 'a', ip_range: '192.0.2.1' }), as: 'acl' }],
    send: put(`${root}/acls/{acl}`, { id: '{acl}', name: 'b', ip_range: '192.0.2.2' }),
    expect: { status: 200, changes: 1, result: { name: 'b', ip_range: '192.0.2.2' } },
  },
  {
    name: 'an ACL that is not there',
    send: { method: 'GET', path: `${root}/acls/${NOWHERE}` },
    expect: { status: 404, codes: [19717] },
  },
])

scenarios('/accounts/:id/secondary_dns/peers', [
  {
    name: 'the minimum for a peer',
    send: post(`${root}/peers`, { name: 'later' }),
    expect: { status: 200, changes: 1, result: { name: 'later', port: 53, ixfr_enable: false } },
  },
  {
    name: 'empty strings and null mean none',
    send: post(`${root}/peers`, { name: 'later', ip: '', port: null, ixfr_enable: null, tsig_id: '' }),
    expect: { status: 200, changes: 1, result: { name: 'later', port: 53, ixfr_enable: false } },
  },
  ...['192.0.2', 'ns.example.com', '192.0.2.1/32', 'fe80::1%eth0'].map((ip) => ({
    name: `invalid address "${ip}"`,
    send: post(`${root}/peers`, { ...peer, ip }),
    expect: { status: 400, codes: [19718], pointers: ['/ip'] },
  })),
  {
    name: 'transfers from a peer over TLS, at the default port',
    send: post(`${root}/peers`, { ...peer, tls: { server_name: 'ns1.example.com' } }),
    expect: {
      status: 200,
      changes: 1,
      result: { port: 5353, tls: { port: 853, server_name: 'ns1.example.com', pins: [] } },
    },
  },
  {
    name: 'pins of two keys',
    before: [withPeer],
    send: put(`${root}/peers/{peer}`, { ...peer, tls: { port: 8853, pins: [PIN, PIN] } }),
    expect: { status: 200, changes: 1, result: { tls: { port: 8853, server_name: null, pins: [PIN, PIN] } } },
  },
  ...(
    [
      [{}, ['/tls']],
      [{ server_name: null, pins: [] }, ['/tls']],
      [{ server_name: '192.0.2.1' }, ['/tls/server_name']],
      [{ server_name: 'a..b' }, ['/tls/server_name']],
      [
        { server_name: 'not a name', pins: ['AAAA', PIN, '?'] },
        ['/tls/pins/0', '/tls/pins/2', '/tls/server_name'],
      ],
    ] as const
  ).map(([tls, pointers]) => ({
    name: `TLS without a certificate that can be verified: ${JSON.stringify(tls)}`,
    send: post(`${root}/peers`, { ...peer, tls }),
    expect: { status: 400, codes: pointers.map(() => 19737), pointers: [...pointers], changes: 0 },
  })),
  {
    name: 'an unknown key',
    send: post(`${root}/peers`, { ...peer, tsig_id: NOWHERE }),
    expect: { status: 400, codes: [19719], pointers: ['/tsig_id'] },
  },
  {
    name: 'a peer is replaced: members that are not sent are cleared',
    before: [withPeer],
    send: put(`${root}/peers/{peer}`, { name: 'without address' }),
    expect: { status: 200, changes: 1, result: { name: 'without address', port: 53 } },
  },
  {
    name: 'a peer that zones use cannot be deleted',
    before: [...setUp],
    send: { method: 'DELETE', path: `${root}/peers/{peer}` },
    expect: { status: 400, codes: [19721] },
  },
  {
    name: 'an unknown peer',
    send: { method: 'DELETE', path: `${root}/peers/${NOWHERE}` },
    expect: { status: 404, codes: [19720] },
  },
])

scenarios('/zones/:id/secondary_dns/outgoing', [
  {
    name: 'no transfers configured',
    send: { method: 'GET', path: outgoing },
    expect: { status: 404, codes: [19724] },
  },
  {
    name: 'transfers are configured, and not enabled',
    before: [withPeer],
    send: post(outgoing, transfers),
    expect: {
      status: 200,
      changes: 1,
      result: {
        name: 'example.com.',
        peers: [expect.stringMatching(/^[0-9a-f]{32}$/)],
      },
    },
  },
  {
    name: 'the name without its dot, in capitals',
    before: [withPeer],
    send: post(outgoing, { ...transfers, name: 'EXAMPLE.com' }),
    expect: { status: 200, changes: 1 },
  },
  {
    name: 'the name of another zone',
    before: [withPeer],
    send: post(outgoing, { ...transfers, name: 'www.example.com.' }),
    expect: { status: 400, codes: [19722], pointers: ['/name'] },
  },
  {
    name: 'no peer',
    send: post(outgoing, { ...transfers, peers: [] }),
    expect: { status: 400, codes: [19723], pointers: ['/peers'] },
  },
  {
    name: 'an unknown peer',
    before: [withPeer],
    send: post(outgoing, { ...transfers, peers: ['{peer}', NOWHERE] }),
    expect: { status: 400, codes: [19723], pointers: ['/peers/1'] },
  },
  {
    name: 'a peer twice',
    before: [withPeer],
    send: post(outgoing, { ...transfers, peers: ['{peer}', '{peer}'] }),
    expect: { status: 400, codes: [19723], pointers: ['/peers/1'] },
  },
  { name: 'twice', before: setUp, send: post(outgoing, transfers), expect: { status: 400, codes: [19725] } },
  {
    name: 'status before enabling',
    before: setUp,
    send: { method: 'GET', path: `${outgoing}/status` },
    expect: { status: 200, result: 'Disabled' },
  },
  {
    name: 'enabled',
    before: setUp,
    send: post(`${outgoing}/enable`),
    expect: { status: 200, result: 'Enabled', changes: 1 },
  },
  {
    name: 'progress of peers, enabled',
    before: [...setUp, post(`${outgoing}/enable`)],
    send: { method: 'GET', path: `/zonereeve${outgoing}/status` },
    expect: { status: 200, result: { enabled: true, peers: [] } },
  },
  {
    name: 'progress of peers, without transfers',
    send: { method: 'GET', path: `/zonereeve${outgoing}/status` },
    expect: { status: 404, codes: [19724] },
  },
  {
    name: 'enabled twice changes nothing',
    before: [...setUp, post(`${outgoing}/enable`)],
    send: post(`${outgoing}/enable`, {}),
    expect: { status: 200, result: 'Enabled' },
  },
  {
    name: 'disabled',
    before: [...setUp, post(`${outgoing}/enable`)],
    send: post(`${outgoing}/disable`),
    expect: { status: 200, result: 'Disabled', changes: 1 },
  },
  {
    name: 'peers are notified',
    before: [...setUp, post(`${outgoing}/enable`)],
    send: post(`${outgoing}/force_notify`),
    expect: { status: 200, result: 'OK' },
  },
  {
    name: 'with disabled transfers no peer is notified',
    before: setUp,
    send: post(`${outgoing}/force_notify`),
    expect: { status: 400, codes: [19726] },
  },
  {
    name: 'the end',
    before: [...setUp, post(`${outgoing}/enable`)],
    send: { method: 'DELETE', path: outgoing },
    expect: { status: 200, changes: 1 },
  },
  ...['enable', 'disable', 'force_notify'].map((verb) => ({
    name: `${verb} without transfers`,
    send: post(`${outgoing}/${verb}`),
    expect: { status: 404, codes: [19724] },
  })),
])

describe('catalog zone', () => {
  let app: TestApp
  let zoneId = ''
  let peerId = ''
  const path = () => catalog.replace('{account}', app.accountId)
  const kinds = () =>
    app.events.splice(0).flatMap(({ topic, kinds: own }) => (topic === 'transfers' ? own : []))

  beforeAll(async () => {
    app = await startTestApp()
    zoneId = (await app.must('POST', '/zones', { name: 'example.com' })).id
    peerId = (await app.must('POST', `/accounts/${app.accountId}/secondary_dns/peers`, peer)).id
    kinds()
  })
  afterAll(() => app.close())

  test.each([
    ['no name', { name: 'not a name', peers: ['{peer}'] }, 19727, '/name'],
    ['the name of a zone', { name: 'example.com', peers: ['{peer}'] }, 19727, '/name'],
    ['no peers', { name: 'catalog.example', peers: [] }, 19723, '/peers'],
  ])('%s is rejected', async (_, body, code, pointer) => {
    const sent = { ...body, peers: body.peers.map(() => peerId) }
    const before = await app.changeCount()
    const answer = await app.call({ method: 'PUT', path: path(), body: sent })
    expect(answer.json.errors).toMatchObject([{ code, source: { pointer } }])
    expect(await app.changeCount()).toBe(before)
    expect(kinds()).toEqual([])
  })

  test('its members are the zones whose transfers are enabled, under constant ids', async () => {
    expect((await app.call({ method: 'GET', path: path() })).status).toBe(404)
    await app.must('PUT', path(), { name: 'Catalog.Example', peers: [peerId] })
    expect(kinds()).toEqual(['catalog_zone.create'])
    const transferPath = `/zones/${zoneId}/secondary_dns/outgoing`
    await app.must('POST', transferPath, { name: 'example.com', peers: [peerId] })
    expect(kinds()).toEqual(['outgoing_transfers.create'])
    expect(await readOpenZone(app.storage, zoneId)).toBeUndefined()
    await app.must('POST', `${transferPath}/enable`)
    const serialOf = async () => (await app.must<{ soa_serial: number }>('GET', path())).soa_serial
    const serial = await serialOf()
    const member = { zoneId, name: 'example.com' }
    const memberChange = async () => {
      const number = app.events.at(-1)?.number ?? 0
      return [kinds(), await readMemberChanges(app.storage, app.accountId, number)]
    }
    const update = ['catalog_zone.update', 'catalog_zone.member']
    expect(await memberChange()).toEqual([
      ['outgoing_transfers.update', ...update],
      [{ serial, member, isMember: true }],
    ])
    expect(await readOpenZone(app.storage, zoneId)).toMatchObject({
      peers: [{ id: peerId, address: peer.ip }],
    })
    expect(await app.must('GET', path())).toMatchObject({
      name: 'catalog.example.',
      members: 1,
      transfers: { current: 0, behind: 0, unknown: 0 },
    })
    expect(
      (await app.call({ method: 'POST', path: '/zones', body: { name: 'catalog.example' } })).status,
    ).toBe(400)
    await app.must('DELETE', `/zones/${zoneId}`)
    expect(await memberChange()).toEqual([update, [{ serial: serial + 1, member, isMember: false }]])
    expect(await readOpenZone(app.storage, zoneId)).toBeUndefined()
    expect(await serialOf()).toBe(serial + 1)
    await app.must('DELETE', path())
    expect(kinds()).toEqual(['catalog_zone.delete'])
    expect((await app.call({ method: 'GET', path: path() })).json.errors).toMatchObject([{ code: 19728 }])
  })

  test('a dry run notifies nobody', async () => {
    const body = { name: 'catalog.example', peers: [peerId] }
    const answer = await app.call({ method: 'PUT', path: `${path()}?dry_run=true`, body })
    expect(answer.status).toBe(200)
    expect(kinds()).toEqual([])
    expect((await app.call({ method: 'GET', path: path() })).status).toBe(404)
  })

  test('the change log contains no secret, and a token without the permission sees none', async () => {
    const keyPath = `/accounts/${app.accountId}/secondary_dns/tsigs`
    await app.must('POST', keyPath, key({ name: 'logged.example' }))
    expect(JSON.stringify(await app.changeLog())).not.toContain(SECRET)
    const token = await makeToken(app, [allow(['Zone Read'], 'account.zone.*')])
    const answer = await app.call({ method: 'GET', path: keyPath, token })
    expect(answer.status).toBe(403)
    expect(answer.text).not.toContain(SECRET)
  })
})
