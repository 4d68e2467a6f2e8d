// Record types with structured data or with little codec support: the SDK writes them, and dig reads the DNS answers.
import { deepEqual, equal } from 'node:assert/strict'
import type Cloudflare from 'cloudflare'
import type { RecordCreateParams, RecordEditParams } from 'cloudflare/resources/dns/records'
import { missingOf } from '../scripts/requirements.ts'
import { run } from '../scripts/process.ts'
import type { DnsAddress } from './dns-client.ts'
import type { Report } from './report.ts'

interface DigCase {
  readonly type: string
  readonly name: string
  /** The created record, and dig's output for it. */
  readonly first: readonly [value: object, text: string]
  /** The edit, and dig's output after it. */
  readonly second: readonly [value: object, text: string]
  /** A record that must exist before: a DS needs the NS of its delegation. */
  readonly beside?: object
}

const DIGEST = 'AB'.repeat(32)
const KEY = 'mdsswUyr3DPW132mOi8V9xESWE8jTo0dxCjjnopKl+GqJxpVXckHAeF+KkxLbxILfDLUT0rAK9iUzy1L53eKGQ=='
const CERTIFICATE = 'MIIBCgKCAQEA'

const cases: readonly DigCase[] = [
  {
    type: 'PTR',
    name: 'ptr',
    first: [{ content: 'one.example.net' }, 'one.example.net.'],
    second: [{ content: 'two.example.net' }, 'two.example.net.'],
  },
  {
    type: 'DS',
    name: 'ds',
    beside: { type: 'NS', content: 'ns1.example.net' },
    first: [{ data: { key_tag: 1, algorithm: 13, digest_type: 2, digest: DIGEST } }, `1 13 2 ${DIGEST}`],
    second: [{ data: { key_tag: 2, algorithm: 13, digest_type: 2, digest: DIGEST } }, `2 13 2 ${DIGEST}`],
  },
  {
    type: 'DNSKEY',
    name: 'dnskey',
    first: [{ data: { flags: 257, protocol: 3, algorithm: 13, public_key: KEY } }, `257 3 13 ${KEY}`],
    second: [{ data: { flags: 256, protocol: 3, algorithm: 13, public_key: KEY } }, `256 3 13 ${KEY}`],
  },
  {
    type: 'HTTPS',
    name: 'https',
    first: [{ data: { priority: 1, target: '.', value: 'alpn="h2"' } }, '1 . alpn="h2"'],
    second: [{ data: { priority: 2, target: '.', value: 'alpn="h3,h2"' } }, '2 . alpn="h3,h2"'],
  },
  {
    type: 'SVCB',
    name: '_dns.svcb',
    first: [
      { data: { priority: 1, target: 'a.example.net.', value: 'port=8443' } },
      '1 a.example.net. port=8443',
    ],
    second: [
      { data: { priority: 1, target: 'b.example.net.', value: 'port=8443' } },
      '1 b.example.net. port=8443',
    ],
  },
  {
    type: 'LOC',
    name: 'loc',
    first: [{ data: location(37, 46) }, '37 46 46.000 N 122 23 35.000 W 0.00m 100m 0.00m 0.00m'],
    second: [{ data: location(37, 47) }, '37 47 46.000 N 122 23 35.000 W 0.00m 100m 0.00m 0.00m'],
  },
  {
    type: 'NAPTR',
    name: 'naptr',
    first: [{ data: naptr(10) }, '10 100 "S" "SIP+D2T" "" _sip._tcp.example.net.'],
    second: [{ data: naptr(20) }, '20 100 "S" "SIP+D2T" "" _sip._tcp.example.net.'],
  },
  {
    type: 'SSHFP',
    name: 'sshfp',
    first: [{ data: { algorithm: 4, type: 2, fingerprint: DIGEST } }, `4 2 ${DIGEST}`],
    second: [{ data: { algorithm: 1, type: 2, fingerprint: DIGEST } }, `1 2 ${DIGEST}`],
  },
  {
    type: 'TLSA',
    name: '_443._tcp.tlsa',
    first: [{ data: { usage: 3, selector: 1, matching_type: 1, certificate: DIGEST } }, `3 1 1 ${DIGEST}`],
    second: [{ data: { usage: 2, selector: 1, matching_type: 1, certificate: DIGEST } }, `2 1 1 ${DIGEST}`],
  },
  {
    type: 'SMIMEA',
    name: 'smimea',
    first: [{ data: { usage: 3, selector: 0, matching_type: 1, certificate: DIGEST } }, `3 0 1 ${DIGEST}`],
    second: [{ data: { usage: 3, selector: 1, matching_type: 1, certificate: DIGEST } }, `3 1 1 ${DIGEST}`],
  },
  {
    type: 'CERT',
    name: 'cert',
    first: [
      { data: { type: 1, key_tag: 1, algorithm: 8, certificate: CERTIFICATE } },
      `PKIX 1 RSASHA256 ${CERTIFICATE}`,
    ],
    second: [
      { data: { type: 1, key_tag: 2, algorithm: 8, certificate: CERTIFICATE } },
      `PKIX 2 RSASHA256 ${CERTIFICATE}`,
    ],
  },
  {
    type: 'URI',
    name: '_http._tcp.uri',
    first: [
      { priority: 10, data: { weight: 1, target: 'https://example.net/a' } },
      '10 1 "https://example.net/a"',
    ],
    second: [{ data: { weight: 2, target: 'https://example.net/b' } }, '10 2 "https://example.net/b"'],
  },
  {
    type: 'OPENPGPKEY',
    name: 'key._openpgpkey',
    first: [{ content: KEY }, KEY],
    second: [{ content: CERTIFICATE }, CERTIFICATE],
  },
]

function location(degrees: number, minutes: number): object {
  const west = { long_degrees: 122, long_minutes: 23, long_seconds: 35, long_direction: 'W' }
  const sizes = { altitude: 0, size: 100, precision_horz: 0, precision_vert: 0 }
  return {
    lat_degrees: degrees,
    lat_minutes: minutes,
    lat_seconds: 46,
    lat_direction: 'N',
    ...west,
    ...sizes,
  }
}

function naptr(order: number): object {
  const replacement = '_sip._tcp.example.net.'
  return { order, preference: 100, flags: 'S', service: 'SIP+D2T', regex: '', replacement }
}

/** Creates, edits and deletes one record of each type in the zone. */
export async function runTypes(
  client: Cloudflare,
  dns: DnsAddress,
  report: Report,
  zone: { readonly id: string; readonly name: string },
): Promise<void> {
  const missing = missingOf(['dig'])
  if (missing !== undefined) return report.skip('sdk: thirteen more types', missing.reason, missing.required)
  for (const { type, name, first, second, beside } of cases) {
    await report.check(`sdk: ${type} is created, edited and deleted, checked with dig`, async () => {
      const full = `${name}.${zone.name}`
      // The SDK types each record type separately; the table has all of them, so its rows are widened here.
      const draft = (value: object) =>
        ({ zone_id: zone.id, name: full, type, ttl: 300, ...value }) as RecordCreateParams
      const delegation = beside && (await client.dns.records.create(draft(beside)))
      const { id } = await client.dns.records.create(draft(first[0]))
      deepEqual(await dig(dns, full, type), [first[1]])
      await client.dns.records.edit(id, { zone_id: zone.id, ...second[0] } as RecordEditParams) // widened too
      deepEqual(await dig(dns, full, type), [second[1]])
      await client.dns.records.delete(id, { zone_id: zone.id })
      deepEqual(await dig(dns, full, type), [])
      if (delegation) await client.dns.records.delete(delegation.id, { zone_id: zone.id })
    })
  }
}

async function dig({ host, port }: DnsAddress, name: string, type: string): Promise<string[]> {
  const options = ['+short', '+nosplit', '+norecurse', '+tries=2', '+time=2']
  const finished = await run('dig', [`@${host}`, '-p', String(port), ...options, name, type])
  equal(finished.ok, true, finished.output)
  return finished.output.split('\n').filter((line) => line !== '')
}
