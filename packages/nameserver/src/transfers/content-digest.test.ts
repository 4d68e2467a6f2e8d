// Digests of zones as they are transferred: any state of a zone that a secondary has, by a whole transfer or by
// differences, is verified by its digest as the inward verification does it, and that digest is answered.
import { createHash } from 'node:crypto'
import {
  decodeRdata,
  nameFromWire,
  parseName,
  RRSIG,
  type PlainRecord,
  type SigningKey,
  zoneDigestOctets,
} from '@zonereeve/dns'
import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { recordOf, zoneOf } from '../asking.cases.ts'
import { RECORD_LINE } from '../random-zone.cases.ts'
import { RDATA_OFFSET, rdatasOf, TYPE } from '../rrset.ts'
import type { ZoneRecord } from '../zone-data.ts'
import { KEY, signingWith } from '../zone-signing.cases.ts'
import type { Zone } from '../zone.ts'
import { createZoneTable } from '../zone-table.ts'
import { digestStatusOf, MAX_DIGEST_NAMES, MAX_PREPARED_NAMES, verifiedSerialOf } from './content-digest.ts'
import { createSignedCopies } from './signed-copies.ts'
import type { ComingRrsets } from './transfer-messages.ts'
import { createTransferableZone, type Difference, type TransferableZone } from './transferable-zone.ts'

const APEX = parseName('example.com')
const ZONE_ID = 'zone-example.com'
const GIVEN_DIGEST = `@ 60 TYPE63 000000070101${'ab'.repeat(48)}`

const record = (line: string): ZoneRecord => recordOf(line, APEX, line)

let signed = 0
const KEYS = [257, 256].map((flags): SigningKey => ({
  ...KEY,
  flags,
  keyTag: flags,
  // All signatures differ, as with ECDSA.
  sign: () => Buffer.from(String((signed += 1)).padStart(64, '0')),
}))

type Denial = 'nsec' | 'nsec3' | 'unsigned'

/** A followed zone with a digest. */
function setUp(lines: readonly string[], denial: Denial = 'unsigned', copies = createSignedCopies()) {
  const table = createZoneTable()
  const contents = {
    ...zoneOf('example.com', ''),
    zoneId: ZONE_ID,
    hasDigest: true,
    records: lines.map(record),
  }
  table.load(contents)
  if (denial !== 'unsigned') table.sign(ZONE_ID, signingWith(KEYS, { denial }))
  const zone = table.zone(ZONE_ID)
  if (zone === undefined) throw new Error('there is no zone')
  const transferable = createTransferableZone(zone, copies, (digest) => table.publishDigest(zone, digest))
  zone.follower = transferable.take
  const change = (removed: readonly string[], added: readonly string[], serial = zone.serial + 1): void =>
    table.apply({ zoneId: ZONE_ID, serial, removed: removed.map(record), added: added.map(record) })
  const reconfigure = (hasDigest: boolean): void => {
    const soa = { ...zone.authority.soa, serial: zone.serial + 1 }
    table.reconfigure(ZONE_ID, { ...zone.authority, soa, hasDigest })
  }
  return { table, zone, transferable, change, reconfigure }
}

/** `owner type ttl rdata` of each record, octets in hexadecimal. */
function linesOf(owned: ComingRrsets): string[] {
  return [...owned].flatMap((one) => {
    if (one === undefined) return []
    const { key, rrset } = one
    const wire = Buffer.from(rrset.wire)
    const lines: string[] = []
    for (let at = 0; at < wire.length;) {
      const end = at + RDATA_OFFSET + wire.readUInt16BE(at + 10)
      const [type, ttl] = [wire.readUInt16BE(at + 2), wire.readUInt32BE(at + 6)]
      const rdata = wire.subarray(at + RDATA_OFFSET, end).toString('hex')
      lines.push(`${Buffer.from(key, 'latin1').toString('hex')}. ${type} ${ttl} ${rdata}`)
      at = end
    }
    return lines
  })
}

/** Without the second SOA. */
const taken = (transferable: TransferableZone): string[] =>
  linesOf(transferable.whole()).slice(0, -1).toSorted()

const typeIn = (line: string): number => Number(line.split(' ')[1])
const isSoa = (line: string): boolean => typeIn(line) === TYPE.SOA && line.startsWith('. ')
const withoutSoa = (lines: readonly string[]): string[] => lines.filter((line) => !isSoa(line))

/** A secondary's copy after a difference, which must fit. */
function applied(copy: readonly string[], difference: Difference | undefined): string[] {
  if (difference === undefined) throw new Error('there is no difference')
  const [soaAfter = '', ...lines] = linesOf(difference.records)
  const second = lines.findIndex((line, at) => at > 0 && isSoa(line))
  const [gone, come] = [withoutSoa(lines.slice(0, second)), withoutSoa(lines.slice(second, -1))]
  const left = new Set(withoutSoa(copy))
  for (const line of gone) if (!left.delete(line)) throw new Error(`takes away what is not there: ${line}`)
  for (const line of come) {
    if (left.has(line)) throw new Error(`adds what is there: ${line}`)
    left.add(line)
  }
  return [soaAfter, ...left].toSorted()
}

function plainRecord(line: string): PlainRecord {
  const [key = '', type, ttl, rdata = ''] = line.split(' ')
  const owner = Buffer.concat([Buffer.from(key.slice(0, -1), 'hex'), Buffer.from('\x07example\x03com\x00')])
  return { name: nameFromWire(owner), type: Number(type), ttl: Number(ttl), rdata: Buffer.from(rdata, 'hex') }
}

const isApexDigest = (line: string): boolean => line.startsWith(`. ${TYPE.ZONEMD} `)

/** What a verifier says of a copy of the zone. */
function verdictOn(copy: readonly string[]): string {
  const soa = copy.filter(isSoa).map((line) => decodeRdata('SOA', plainRecord(line).rdata).serial)
  const digests = copy.filter(isApexDigest).map((line) => decodeRdata('ZONEMD', plainRecord(line).rdata))
  const [digest] = digests
  if (soa.length !== 1) return 'not one SOA'
  if (digest === undefined || digests.length > 1) return `${digests.length} digests`
  if (digest.serial !== soa[0]) return 'of another serial'
  const hash = createHash('sha384')
  for (const octets of zoneDigestOctets(APEX, copy.map(plainRecord))) hash.update(octets)
  return hash.digest().equals(digest.digest) ? 'right' : 'wrong'
}

describe.each<Denial>(['unsigned', 'nsec', 'nsec3'])('random changes, %s', (denial) => {
  const line = fc.oneof({ weight: 9, arbitrary: RECORD_LINE }, fc.constant(GIVEN_DIGEST))
  const steps = fc.array(fc.uniqueArray(line, { maxLength: 5 }), { minLength: 1, maxLength: 8 })

  test('each state that a secondary has is verified, and equals what is answered', () => {
    fc.assert(
      fc.property(fc.uniqueArray(line, { maxLength: 8 }), steps, (first, changes) => {
        const { zone, transferable, change } = setUp(first, denial)
        let present = new Set(first)
        change([], [])
        const states = new Map([[zone.serial, taken(transferable)]])
        for (const toggled of changes) {
          const removed = toggled.filter((each) => present.has(each))
          const added = toggled.filter((each) => !present.has(each))
          change(removed, added)
          expect(zone.node('')?.rrsets.some(({ type }) => type === TYPE.ZONEMD)).toBe(false)
          present = new Set([...present].filter((each) => !removed.includes(each)).concat(added))
          for (const [serial, copy] of states) {
            const after = applied(copy, transferable.since(serial))
            expect(verdictOn(after)).toBe('right')
            expect(after).toEqual(taken(transferable))
          }
          const whole = taken(transferable)
          expect(verdictOn(whole)).toBe('right')
          const answered = zone.node('')?.rrsets.find(({ type }) => type === TYPE.ZONEMD)
          expect(answered && rdatasOf(answered).map((rdata) => Buffer.from(rdata).toString('hex'))).toEqual(
            whole.filter(isApexDigest).map((each) => each.split(' ').at(-1)),
          )
          states.set(zone.serial, whole)
        }
      }),
      { numRuns: 40 },
    )
  })

  test('its signature and its type in the denial of the apex are there if the zone is signed', () => {
    const { transferable, change } = setUp(['a 60 A 192.0.2.1'], denial)
    change([], ['b 60 A 192.0.2.2'])
    const lines = taken(transferable)
    const covering = lines.filter((each) => typeIn(each) === RRSIG && each.split(' ')[3]?.startsWith('003f'))
    expect(covering).toHaveLength(denial === 'unsigned' ? 0 : 1)
    // Window 0; ZONEMD is the last bit of the eighth octet.
    const denials = lines.filter((each) => [47, 50].includes(typeIn(each)) && /0008[0-9a-f]{14}/.test(each))
    const listing = denials.filter(
      (each) => (Number.parseInt(/0008[0-9a-f]{14}([0-9a-f]{2})/.exec(each)?.[1] ?? '0', 16) & 1) === 1,
    )
    expect(listing).toHaveLength(denial === 'unsigned' ? 0 : 1)
  })

  test('a change while the digest is made changes neither the transfer nor the next difference', () => {
    const lines = Array.from({ length: 1_200 }, (_, at) => `h${at} 300 A 192.0.2.1`)
    const { zone, transferable, change } = setUp(lines, denial)
    change([], ['x 60 A 192.0.2.9'])
    const before = zone.serial
    const coming = transferable.whole()[Symbol.iterator]()
    const sent = []
    // As far as the last name: the rest is the digest.
    for (let next = coming.next(); next.done !== true; next = coming.next()) {
      if (next.value === undefined && sent.length > 1_000) break
      if (next.value !== undefined) sent.push(next.value)
    }
    change(['h0 300 A 192.0.2.1'], ['y 60 A 192.0.2.9'])
    for (let next = coming.next(); next.done !== true; next = coming.next())
      if (next.value !== undefined) sent.push(next.value)
    const copy = linesOf(sent).slice(0, -1)
    expect(verdictOn(copy)).toBe('right')
    // What is answered is of the new serial, which has no digest yet.
    expect(zone.node('')?.rrsets.some(({ type }) => type === TYPE.ZONEMD)).toBe(false)
    expect(verdictOn(applied(copy, transferable.since(before)))).toBe('right')
  })

  test('switched on and off, the digest comes and goes with the next serial', () => {
    const { zone, transferable, reconfigure, change } = setUp(['a 60 A 192.0.2.1', GIVEN_DIGEST], denial)
    change([], [])
    const on = taken(transferable)
    const first = zone.serial
    reconfigure(false)
    const off = applied(on, transferable.since(first))
    // The given record, which is stored, is served again.
    expect(off.filter(isApexDigest)).toEqual([`. 63 60 ${GIVEN_DIGEST.split(' ')[3]}`])
    expect(off).toEqual(taken(transferable))
    reconfigure(true)
    const again = applied(off, transferable.since(first + 1))
    expect([verdictOn(again), again]).toEqual(['right', taken(transferable)])
  })
})

test('a transfer that is stopped does not hold up the others', () => {
  const { transferable, change } = setUp(Array.from({ length: 1_200 }, (_, at) => `h${at} 300 A 192.0.2.1`))
  change([], ['x 60 A 192.0.2.9'])
  const [one, two] = [transferable.whole()[Symbol.iterator](), transferable.whole()[Symbol.iterator]()]
  while (one.next().value !== undefined);
  one.return?.()
  const rest = []
  for (let next = two.next(); next.done !== true; next = two.next())
    if (next.value !== undefined) rest.push(next.value)
  expect(verdictOn(linesOf(rest).slice(0, -1))).toBe('right')
})

test('a change that leaves the content as it was leaves the digest, which is answered again', () => {
  const { zone, transferable, change } = setUp(['a 60 A 192.0.2.1'])
  change([], ['b 60 A 192.0.2.2'])
  const digests = () => zone.node('')?.rrsets.filter(({ type }) => type === TYPE.ZONEMD) ?? []
  const prepare = (): void => void [...transferable.preparing()]
  prepare()
  const [made] = digests()
  change([], [], zone.serial)
  expect(digests()).toEqual([])
  prepare()
  expect(digests()).toEqual([made])
})

test('no difference leads from a serial whose digest no transfer had', () => {
  const { zone, transferable, change } = setUp(['a 60 A 192.0.2.1'])
  change([], ['b 60 A 192.0.2.2'])
  const serial = zone.serial
  change([], ['c 60 A 192.0.2.3'])
  expect(transferable.since(serial)).toBeUndefined()
})

test('signed zones that are signed for each transfer have none', () => {
  const { zone, transferable } = setUp(['a 60 A 192.0.2.1'], 'nsec', createSignedCopies(0))
  expect(verdictOn(taken(transferable))).toBe('0 digests')
  expect(zone.node('')?.rrsets.some(({ type }) => type === TYPE.ZONEMD)).toBe(false)
})

describe('the status of a digest', () => {
  const names = (count: number): string[] =>
    Array.from({ length: count }, (_, at) => `h${at} 300 A 192.0.2.1`)

  test.each(['unsigned', 'nsec'] as const)(
    'awaited until it is made, and again after a change: %s',
    (denial) => {
      const { zone, transferable, change, reconfigure } = setUp(['a 60 A 192.0.2.1'], denial)
      change([], ['b 60 A 192.0.2.2'])
      expect(digestStatusOf(zone)).toEqual({ state: 'awaited', serial: undefined })
      for (const _ of transferable.preparing());
      expect(digestStatusOf(zone)).toEqual({ state: 'answered', serial: zone.serial })
      change([], ['c 60 A 192.0.2.3'])
      expect(digestStatusOf(zone)).toEqual({ state: 'awaited', serial: undefined })
      reconfigure(false)
      expect(digestStatusOf(zone)).toEqual({ state: 'off', serial: undefined })
    },
  )

  test('that of a large signed zone is made by a transfer', () => {
    const { zone, transferable } = setUp(names(MAX_PREPARED_NAMES + 1), 'nsec')
    for (const _ of transferable.preparing());
    expect(digestStatusOf(zone).state).toBe('at_transfer')
    taken(transferable)
    expect(digestStatusOf(zone)).toEqual({ state: 'answered', serial: zone.serial })
  })

  test('a large zone that is not signed does not wait for a transfer', () => {
    const { zone } = setUp(names(MAX_PREPARED_NAMES + 1))
    expect(digestStatusOf(zone).state).toBe('awaited')
  })

  test.each([
    [MAX_DIGEST_NAMES, 'awaited'],
    [MAX_DIGEST_NAMES + 1, 'too_large'],
  ])('of a zone of %i names: %s', (nodes, state) => {
    const zone = { authority: { hasDigest: true }, nodes, node: () => undefined } as unknown as Zone // what it reads
    expect(digestStatusOf(zone).state).toBe(state)
  })
})

describe('a zone that was verified by its primary’s digest', () => {
  const digest = (serial: number, kind: string, octets = 48): string =>
    `@ 60 TYPE63 ${serial.toString(16).padStart(8, '0')}${kind}${'ab'.repeat(octets)}`

  test.each([
    ['SHA-384', [digest(2, '0101')], 2],
    ['SHA-512', [digest(2, '0102', 64)], 2],
    ['one of several', [digest(2, '01f0'), digest(2, '0101')], 2],
    ['an unknown scheme', [digest(2, 'f001')], undefined],
    ['an unknown hash', [digest(2, '01f0')], undefined],
    ['of another serial', [digest(1, '0101')], undefined],
    ['none', [], undefined],
  ])('%s', (_, lines, expected) => {
    const { zone, reconfigure } = setUp([...lines, 'a 60 A 192.0.2.1'])
    reconfigure(false)
    expect(zone.serial).toBe(2)
    expect(verifiedSerialOf(zone)).toBe(expected)
  })

  test('a digest that is made here verifies nothing', () => {
    const { zone, transferable, change } = setUp(['a 60 A 192.0.2.1'])
    change([], ['b 60 A 192.0.2.2'])
    for (const _ of transferable.preparing());
    expect(verifiedSerialOf(zone)).toBeUndefined()
  })
})
