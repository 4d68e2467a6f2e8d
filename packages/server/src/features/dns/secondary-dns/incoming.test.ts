// The primaries of a zone, over HTTP.
import { scenarios, type Send } from '../../../testing/scenarios.ts'

const root = '/accounts/{account}/secondary_dns'
const own = '/zones/{zone}/secondary_dns/incoming'
const path = '/zones/{followed}/secondary_dns/incoming'
const NOWHERE = 'f'.repeat(32)
const post = (to: string, body?: unknown): Send => ({ method: 'POST', path: to, body })
const put = (to: string, body: unknown): Send => ({ method: 'PUT', path: to, body })
// Nothing listens there, and nothing is queried: these apps have no nameserver.
const withPeer: Send = { ...post(`${root}/peers`, { name: 'primary', ip: '192.0.2.53' }), as: 'peer' }
const withZone: Send = { ...post('/zones', { name: 'followed.example', type: 'secondary' }), as: 'followed' }
const follows = { name: 'followed.example.', peers: ['{peer}'], auto_refresh_seconds: 300 }
const setUp: readonly Send[] = [withPeer, withZone, post(path, follows)]

scenarios('/zones/:id/secondary_dns/incoming', [
  {
    name: 'a zone gets a primary',
    before: [withPeer, withZone],
    send: post(path, { id: 'whatever', ...follows }),
    expect: {
      status: 200,
      changes: 1,
      result: { name: 'followed.example.', auto_refresh_seconds: 300, soa_serial: 0 },
    },
  },
  {
    name: 'a day by default',
    before: [withPeer, withZone],
    send: post(path, { name: 'followed.example', peers: ['{peer}'] }),
    expect: { status: 200, changes: 1, result: { auto_refresh_seconds: 86_400 } },
  },
  {
    name: 'a primary zone',
    before: [withPeer],
    send: post(own, { ...follows, name: 'example.com' }),
    expect: { status: 400, codes: [19734] },
  },
  {
    name: 'a second time',
    before: setUp,
    send: post(path, follows),
    expect: { status: 400, codes: [19733] },
  },
  ...(
    [
      ['another name', { name: 'example.com' }, 19722, '/name'],
      ['no peer', { peers: [] }, 19723, '/peers'],
      ['an unknown peer', { peers: [NOWHERE] }, 19723, '/peers/0'],
      ['a peer twice', { peers: ['{peer}', '{peer}'] }, 19723, '/peers/1'],
      ['299 seconds', { auto_refresh_seconds: 299 }, 19736, '/auto_refresh_seconds'],
      ['half a second', { auto_refresh_seconds: 300.5 }, 19736, '/auto_refresh_seconds'],
      ['more than four weeks', { auto_refresh_seconds: 2_419_201 }, 19736, '/auto_refresh_seconds'],
    ] as const
  ).flatMap(([name, changes, code, pointer]) => [
    {
      name: `created with ${name}`,
      before: [withPeer, withZone],
      send: post(path, { ...follows, ...changes }),
      expect: { status: 400, codes: [code], pointers: [pointer] },
    },
    {
      name: `changed to ${name}`,
      before: setUp,
      send: put(path, { ...follows, ...changes }),
      expect: { status: 400, codes: [code], pointers: [pointer] },
    },
  ]),
  {
    name: 'a peer without an address',
    before: [{ ...post(`${root}/peers`, { name: 'nowhere' }), as: 'peer' }, withZone],
    send: post(path, follows),
    expect: { status: 400, codes: [19735], pointers: ['/peers/0'] },
  },
  {
    name: 'four weeks',
    before: setUp,
    send: put(path, { ...follows, auto_refresh_seconds: 2_419_200 }),
    expect: { status: 200, changes: 1, result: { auto_refresh_seconds: 2_419_200 } },
  },
  {
    name: 'an unknown member',
    before: [withPeer, withZone],
    send: post(path, { ...follows, auto_refresh: 300 }),
    expect: { status: 400, codes: [6008], pointers: ['/auto_refresh'] },
  },
  {
    name: 'the reply, sent back',
    before: [...setUp, { method: 'GET', path }],
    send: put(path, { ...follows, created_time: '2026-01-01T00:00:00Z', modified_time: null, soa_serial: 7 }),
    expect: { status: 200, changes: 0, result: { soa_serial: 0 } },
  },
  { name: 'no change', before: setUp, send: put(path, follows), expect: { status: 200, changes: 0 } },
  {
    name: 'a peer that is a primary of a zone cannot be deleted',
    before: setUp,
    send: { method: 'DELETE', path: `${root}/peers/{peer}` },
    expect: { status: 400, codes: [19721] },
  },
  {
    name: 'the primaries of a zone are removed',
    before: setUp,
    send: { method: 'DELETE', path },
    expect: { status: 200, changes: 1 },
  },
  {
    name: 'the whole zone is transferred again',
    before: setUp,
    send: post('/zones/{followed}/secondary_dns/force_axfr'),
    expect: { status: 200, changes: 0, result: 'OK' },
  },
  {
    name: 'the state before the first transfer',
    before: setUp,
    send: { method: 'GET', path: '/zonereeve/zones/{followed}/secondary_dns/incoming/status' },
    expect: {
      status: 200,
      result: {
        state: 'waiting',
        soa_serial: null,
        problem: null,
        expires_on: null,
        verified_serial: null,
        catalog: null,
      },
    },
  },
  ...(
    [
      ['GET', path],
      ['PUT', path],
      ['DELETE', path],
      ['POST', '/zones/{followed}/secondary_dns/force_axfr'],
      ['GET', '/zonereeve/zones/{followed}/secondary_dns/incoming/status'],
    ] as const
  ).map(([method, to]) => ({
    name: `${method} ${to} of a zone without primaries`,
    before: [withPeer, withZone],
    send: { method, path: to, ...(method === 'PUT' ? { body: follows } : {}) },
    expect: { status: 404, codes: [19732] },
  })),
  {
    name: 'another type for a zone',
    before: [withZone],
    send: { method: 'PATCH', path: '/zones/{followed}', body: { type: 'full' } },
    expect: { status: 400, codes: [19731], pointers: ['/type'] },
  },
  {
    name: 'the same type for a zone',
    before: [withZone],
    send: { method: 'PATCH', path: '/zones/{followed}', body: { type: 'secondary' } },
    expect: { status: 200, changes: 0 },
  },
])
