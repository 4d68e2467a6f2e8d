// How a zone is judged by what the world answers.
import { DATA_TYPE, encodeRdata, keyTag, parseIpv4, parseIpv6, parseName, type Name } from '@zonereeve/dns'
import { describe, expect, test } from 'vitest'
import { examineZone, type ExaminedZone, type Records, type World } from './zone.ts'

const ZONE: ExaminedZone = {
  name: 'example.com',
  isActive: true,
  nameServers: ['ns1.example.net', 'ns2.example.net'],
}
const KEY = { flags: 257, protocol: 3, algorithm: 13, publicKey: new Uint8Array(64).fill(1) }

const ns = (...names: string[]) => names.map((name) => encodeRdata('NS', { target: parseName(name) }))
const ds = (tag: number) => [
  encodeRdata('DS', { keyTag: tag, algorithm: 13, digestType: 2, digest: new Uint8Array(32) }),
]
const soa = (serial: number) => [
  encodeRdata('SOA', {
    mname: parseName('ns1.example.net'),
    rname: parseName('dns.example.net'),
    serial,
    refresh: 1,
    retry: 1,
    expire: 1,
    minimum: 1,
  }),
]

interface Answers {
  readonly ns?: Records
  readonly ds?: Records
  readonly a?: Records
  readonly aaaa?: Records
  readonly keys?: Records
  readonly own?: Records
  /** Serials by address. */
  readonly serials?: Readonly<Record<string, number | undefined>>
}

/** In order, except for what is given. */
function worldOf(given: Answers): World {
  const answers = {
    ns: ns('ns1.example.net', 'ns2.example.net'),
    ds: [],
    a: [parseIpv4('192.0.2.1') ?? new Uint8Array()],
    aaaa: [],
    keys: [],
    own: soa(10),
    serials: { '192.0.2.1': 10 },
    ...given,
  }
  const resolved: Readonly<Record<number, Records>> = {
    [DATA_TYPE.NS]: answers.ns,
    [DATA_TYPE.DS]: answers.ds,
    [DATA_TYPE.A]: answers.a,
    [DATA_TYPE.AAAA]: answers.aaaa,
  }
  return {
    resolve: (_: Name, type) => Promise.resolve(resolved[type]),
    askOwn: (_, type) => Promise.resolve(type === DATA_TYPE.SOA ? answers.own : answers.keys),
    askServer: (address) => {
      const serial = answers.serials[address]
      return Promise.resolve(serial === undefined ? undefined : soa(serial))
    },
  }
}

const tag = keyTag(KEY)
const keys = [encodeRdata('DNSKEY', KEY)]

describe('zone', () => {
  test.each<[name: string, given: Answers, zone: Partial<ExaminedZone>, levels: string[], message: RegExp]>([
    ['all in order', {}, {}, [], /^$/],
    [
      'placeholders',
      {},
      { nameServers: ['ns1.zonereeve.internal'] },
      ['warning delegation'],
      /are placeholders/,
    ],
    ['the resolver is silent', { ns: undefined }, {}, ['problem delegation'], /resolver does not answer/],
    ['no delegation', { ns: [] }, {}, ['problem delegation'], /is not delegated/],
    [
      'no delegation of a new zone',
      { ns: [] },
      { isActive: false },
      ['warning delegation'],
      /is not delegated/,
    ],
    [
      'delegated elsewhere',
      { ns: ns('ns1.example.org') },
      {},
      ['problem delegation'],
      /others than ns1\.example\.net, ns2/,
    ],
    [
      'also elsewhere',
      { ns: ns('ns1.example.net', 'ns2.example.net', 'ns.example.org') },
      {},
      ['warning delegation'],
      /also delegated to ns\.example\.org/,
    ],
    ['names in another case', {}, { nameServers: ['NS1.example.net', 'ns2.Example.net'] }, [], /^$/],
    [
      'no addresses',
      { a: [], aaaa: undefined },
      {},
      ['problem addresses', 'problem addresses'],
      /has no address/,
    ],
    [
      'an IPv6 address that is silent',
      { aaaa: [parseIpv6('2001:db8::1') ?? new Uint8Array()] },
      {},
      ['problem serial', 'problem serial'],
      /does not answer/,
    ],
    [
      'a secondary is behind',
      { serials: { '192.0.2.1': 9 } },
      {},
      ['warning serial', 'warning serial'],
      /serial 9 is behind 10/,
    ],
    [
      'behind across the wrap of serials',
      { own: soa(1), serials: { '192.0.2.1': 0xffff_fffe } },
      {},
      ['warning serial', 'warning serial'],
      /is behind 1/,
    ],
    [
      'ahead, as after a restore',
      { serials: { '192.0.2.1': 11 } },
      {},
      ['problem serial', 'problem serial'],
      /is ahead of 10/,
    ],
    ['this server is silent', { own: undefined }, {}, ['problem answers'], /does not answer for it/],
    ['signed, without DS', { keys }, {}, ['warning DS'], /parent has no DS/],
    ['signed, with its DS', { keys, ds: ds(tag) }, {}, [], /^$/],
    [
      'signed, with the DS of another key',
      { keys, ds: ds(tag ^ 1) },
      {},
      ['problem DS'],
      /reject all answers/,
    ],
    ['not signed, but with a DS', { ds: ds(tag) }, {}, ['problem DS'], /reject all answers/],
  ])('%s', async (_, given, zone, levels, message) => {
    const findings = await examineZone({ ...ZONE, ...zone }, worldOf(given))
    const found = findings.filter(({ level }) => level !== 'ok')
    expect(found.map(({ level, check }) => `${level} ${check}`)).toEqual(levels)
    expect(found[0]?.message ?? '').toMatch(message)
    for (const { level, remedy } of findings) expect(remedy === null).toBe(level === 'ok')
  })

  test('a nameserver inside the zone needs glue', async () => {
    const zone = { ...ZONE, nameServers: ['ns1.example.com'] }
    const findings = await examineZone(zone, worldOf({ ns: ns('ns1.example.com'), a: [] }))
    expect(findings.find(({ check }) => check === 'addresses')?.remedy).toMatch(/as glue at the registrar/)
  })
})
