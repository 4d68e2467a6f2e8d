// The whole program over its sockets: a secondary zone that its primary signs. What the answers must be is tested in
// packages/nameserver/src/presigned.test.ts, and with other nameservers in acceptance/dnssec/presigned.ts.
import { nameToWire, nsecRdata, parseName } from '@zonereeve/dns'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { askUdp, KEY } from '@zonereeve/transfers/asking.cases.ts'
import type { Script } from '@zonereeve/transfers/scripted-primary.cases.ts'
import { APEX, startSecondaryWorld, type SecondaryWorld } from './secondary-world.cases.ts'

const NS = `${APEX} 3600 NS ns1.${APEX}.`
const www = (last: number) => `www.${APEX} 60 A 192.0.2.${last}`
const generic = (octets: Uint8Array): string => `\\# ${octets.length} ${Buffer.from(octets).toString('hex')}`

/** No signature, but it looks like one; `made` tells when it was made. */
function signatureOf(name: string, ttl: number, type: number, made: number): string {
  const head = Buffer.alloc(18)
  head.writeUInt16BE(type)
  head.writeUInt8(13, 2)
  head.writeUInt32BE(ttl, 4)
  head.writeUInt32BE(made, 12)
  return `${name} ${ttl} TYPE46 ${generic(Buffer.concat([head, nameToWire(parseName(APEX)), Buffer.alloc(64, made)]))}`
}

const denialAt = (name: string, next: string, types: readonly number[]): string =>
  `${name} 60 TYPE47 ${generic(nsecRdata(nameToWire(parseName(next)), types))}`

const WWW = `www.${APEX}`
const apexSigned = (made: number): string[] =>
  [6, 2, 47, 48].map((type) => signatureOf(APEX, type === 47 ? 60 : 3600, type, made))
const wwwSigned = (made: number): string[] => [signatureOf(WWW, 60, 1, made), signatureOf(WWW, 60, 47, made)]
const signed = (last: number, made: number): string[] => [
  NS,
  www(last),
  `${APEX} 3600 TYPE48 ${generic(Buffer.concat([Buffer.from('01010302', 'hex'), Buffer.alloc(64, 1)]).fill(13, 3, 4))}`,
  `${APEX} 3600 TYPE59 \\# 5 0001000d01`,
  denialAt(APEX, WWW, [2, 6, 46, 47, 48, 59]),
  denialAt(WWW, APEX, [1, 46, 47]),
  ...apexSigned(made),
  ...wwwSigned(made),
]
const script = (serial: number, records: readonly string[]): Script => ({
  key: KEY,
  serial,
  axfr: [[`SOA ${serial}`, ...records, `SOA ${serial}`]],
})
const SIGNED = script(10, signed(1, 1))
const UNSIGNED = script(10, [NS, www(1)])

let world: SecondaryWorld

beforeEach(async () => {
  world = await startSecondaryWorld(SIGNED)
})
afterEach(() => world.close())

const current = (serial: number) =>
  world.until((status) => status.soa_serial === serial && status.state === 'current')

/** `TYPE` of each record, and when it was signed. */
async function asked(name: string, type: string, dnssecOk = true) {
  const edns = { udpPayloadSize: 1232, version: 0, dnssecOk, options: [] }
  const { rcode, records } = await askUdp(world.dnsPort, { name, type, edns })
  return { rcode, records }
}

const dnssec = (body?: object) =>
  world.call<{ dnssec_presigned: boolean; status: string }>(
    body === undefined ? 'GET' : 'PATCH',
    `/zones/${world.zoneId}/dnssec`,
    body,
  )

test('it is answered with the signatures of its primary, also after a restart', async () => {
  await world.followPrimary(false)
  await current(10)
  const check = async () => {
    const { records } = await asked(WWW, 'A')
    expect(records).toEqual([www(1), expect.stringMatching(/^www\.followed\.example 60 RRSIG /)])
    expect((await asked(WWW, 'A', false)).records).toEqual([www(1)])
    expect((await asked(APEX, 'CDS')).records).toEqual([expect.stringMatching(/ CDS /)])
    expect((await asked(`none.${APEX}`, 'A')).rcode).toBe(3)
    expect((await asked(APEX, 'NSEC', false)).records).toEqual([expect.stringMatching(/ 60 NSEC /)])
  }
  await check()
  await world.restart()
  await check()
})

test('the list, counts and zone files have what the API knows', async () => {
  await world.followPrimary(false)
  await current(10)
  const path = `/zones/${world.zoneId}/dns_records`
  const listed = async (query: string) =>
    (await world.must<{ type: string }[]>('GET', `${path}${query}`)).map(({ type }) => type).toSorted()
  expect(await listed('')).toEqual(['A', 'DNSKEY', 'NS'])
  expect(await listed('?type=TYPE46')).toEqual([])
  expect(await listed('?search=followed')).toEqual(['A', 'DNSKEY', 'NS'])
  expect(await listed('?order=name&per_page=5&page=2')).toEqual([])
  expect((await world.must<{ record_usage: number }>('GET', `${path}/usage`)).record_usage).toBe(3)
})

test('new signatures arrive by IXFR', async () => {
  await world.followPrimary(true)
  await current(10)
  const dropped = [...apexSigned(1), ...wwwSigned(1)]
  const added = [...apexSigned(2), ...wwwSigned(2)]
  world.primary.script = {
    ...SIGNED,
    serial: 11,
    ixfr: [['SOA 11', 'SOA 10', ...dropped, 'SOA 11', ...added, 'SOA 11']],
  }
  await world.notify(KEY)
  await current(11)
  const signatures = async () => (await asked(WWW, 'A')).records.filter((line) => line.includes('RRSIG'))
  const [signature] = await signatures()
  expect(await signatures()).toHaveLength(1)
  expect(world.primary.asked.at(-1)).toBe('IXFR')
  await world.restart()
  expect(await signatures()).toEqual([signature])
})

test('it cannot be signed here, too, and only a secondary zone can be signed by a primary', async () => {
  expect(
    (await world.call('PATCH', `/zones/${await ownZone()}/dnssec`, { dnssec_presigned: true })).codes,
  ).toEqual([19751])
  await world.followPrimary(false)
  await current(10)
  expect((await dnssec()).result).toMatchObject({ dnssec_presigned: true, status: 'disabled' })
  expect((await dnssec({ status: 'active' })).codes).toEqual([19758])
  expect((await dnssec({ dnssec_presigned: false })).codes).toEqual([19757])
  expect((await dnssec({ dnssec_presigned: true })).status).toBe(200)
  expect((await asked(WWW, 'A')).records).toHaveLength(2)
})

const ownZone = async () => (await world.must('POST', '/zones', { name: 'own.example' })).id

test('the setting can be made before the first signed transfer', async () => {
  world.primary.script = UNSIGNED
  await world.followPrimary(false)
  await current(10)
  expect((await dnssec()).result.dnssec_presigned).toBe(false)
  expect((await dnssec({ status: 'active' })).codes).toEqual([19730])
  expect((await dnssec({ dnssec_presigned: true })).result.dnssec_presigned).toBe(true)
  expect((await dnssec({ status: 'active' })).codes).toEqual([19758])
  await world.restart()
  expect((await dnssec()).result).toMatchObject({ dnssec_presigned: true, status: 'disabled' })
  expect((await dnssec({ dnssec_presigned: false })).result.dnssec_presigned).toBe(false)
  expect((await asked(WWW, 'A')).records).toEqual([www(1)])
})

test('the zone becomes unsigned when its primary does not sign it any more', async () => {
  await world.followPrimary(false)
  await current(10)
  world.primary.script = script(11, [NS, www(1)])
  await world.notify(KEY)
  await current(11)
  expect((await asked(WWW, 'A')).records).toEqual([www(1)])
  expect((await dnssec()).result.dnssec_presigned).toBe(false)
  expect((await dnssec({ status: 'active' })).codes).toEqual([19730])
})

test.each([
  ['RRSIG', 'TYPE46 \\# 1 00'],
  ['RRSIG', 'TYPE46 \\# 18 00010d030000012c6b0e0e006af8f6000943'],
  ['NSEC', 'TYPE47 \\# 0'],
  ['NSEC3', 'TYPE50 \\# 5 0100000000'],
  ['NSEC3PARAM', 'TYPE51 \\# 3 010000'],
])('a malformed %s is not accepted: %s', async (type, text) => {
  world.primary.script = script(10, [...signed(1, 1), `${WWW} 60 ${text}`])
  await world.followPrimary(false)
  const { problem } = await world.until((status) => status.problem !== null)
  expect(problem).toContain(`the ${type} record at ${WWW} is malformed`)
})

test('too many iterations of NSEC3 are not accepted', async () => {
  world.primary.script = script(10, [NS, www(1), `${APEX} 0 TYPE51 \\# 5 0100003300`])
  await world.followPrimary(false)
  const { problem } = await world.until((status) => status.problem !== null)
  expect(problem).toMatch(/51 iterations of NSEC3; at most 50/)
})
