// Our codec beside an independent one, and properties that hold for any value and any octets.
import { Buffer } from 'node:buffer'
import * as dnsPacket from 'dns-packet'
import type { Answer } from 'dns-packet'
import * as fc from 'fast-check'
import type { Arbitrary } from 'fast-check'
import { describe, expect, test } from 'vitest'
import { formatIpv4, formatIpv6, parseIpv4, parseIpv6 } from '../address.ts'
import { TextError, WireError } from '../errors.ts'
import { decodeMessage } from '../message.ts'
import { nameFromWire, parseName } from '../name.ts'
import { latin1FromOctets, octetsFromLatin1 } from '../octets.ts'
import { decodeRdata, encodeRdata, rdataFromText, rdataToText } from '../rdata.ts'
import { recordTypeByName } from './registry.ts'
import type { Rdata, TypeName } from './registry.ts'

/** The oracle has no escapes in names: letters, digits, hyphens, underscores only. */
const plainName = fc
  .array(fc.stringMatching(/^[a-z0-9_-]{1,12}$/), { minLength: 1, maxLength: 5 })
  .map((labels) => parseName(labels.join('.')))
const oddName = fc
  .array(fc.uint8Array({ minLength: 1, maxLength: 12 }), { maxLength: 5 })
  .map((labels) => nameFromWire(Uint8Array.from([...labels.flatMap((l) => [l.length, ...l]), 0])))
const u8 = fc.nat(0xff)
const u16 = fc.nat(0xffff)
const u32 = fc.nat(0xffff_ffff)
const ascii = fc.stringMatching(/^[ -~]{0,40}$/)
const octetString = fc.uint8Array({ maxLength: 255 }).map(latin1FromOctets)
const octets = fc.uint8Array({ maxLength: 300 })
const strings = fc.array(fc.uint8Array({ maxLength: 255 }), { minLength: 1, maxLength: 5 })

interface Oracle<D> {
  /** Values whose names and strings the oracle can hold. */
  readonly plain: Arbitrary<D>
  /** Any values of the type. */
  readonly any: Arbitrary<D>
  /** The value as the oracle's data. */
  toOracle(value: D): unknown
}

const address = (length: number, format: (o: Uint8Array) => string): Oracle<{ readonly address: string }> => {
  const any = fc.uint8Array({ minLength: length, maxLength: length }).map((o) => ({ address: format(o) }))
  return { plain: any, any, toOracle: (d) => d.address }
}
const target = {
  plain: fc.record({ target: plainName }),
  any: fc.record({ target: oddName }),
  toOracle: (d: { target: string }) => d.target,
}
const soa = (name: typeof plainName) =>
  fc.record({
    mname: name,
    rname: name,
    serial: u32,
    refresh: u32,
    retry: u32,
    expire: u32,
    minimum: u32,
  })
const soaPlain = soa(plainName)

const ORACLES: { readonly [T in TypeName]: Oracle<Rdata<T>> } = {
  A: address(4, formatIpv4),
  AAAA: address(16, formatIpv6),
  CAA: {
    plain: fc.record({
      flags: fc.constantFrom(0, 128), // the oracle writes no reserved bits
      tag: fc.stringMatching(/^[a-z]{1,15}$/),
      value: ascii.map(octetsFromLatin1),
    }),
    any: fc.record({ flags: u8, tag: octetString, value: octets }),
    toOracle: (d) => ({
      flags: d.flags,
      issuerCritical: (d.flags & 128) !== 0,
      tag: d.tag,
      value: latin1FromOctets(d.value),
    }),
  },
  CNAME: target,
  HINFO: {
    plain: fc.record({ cpu: ascii, os: ascii }),
    any: fc.record({ cpu: octetString, os: octetString }),
    toOracle: (d) => ({ ...d }),
  },
  MX: {
    plain: fc.record({ preference: u16, exchange: plainName }),
    any: fc.record({ preference: u16, exchange: oddName }),
    toOracle: (d) => ({ ...d }),
  },
  NS: target,
  PTR: target,
  SOA: { plain: soaPlain, any: soa(oddName), toOracle: (d) => ({ ...d }) },
  SRV: {
    plain: fc.record({ priority: u16, weight: u16, port: u16, target: plainName }),
    any: fc.record({ priority: u16, weight: u16, port: u16, target: oddName }),
    toOracle: (d) => ({ ...d }),
  },
  TXT: {
    plain: fc.record({ strings }),
    any: fc.record({ strings }),
    toOracle: (d) => d.strings.map((s) => Buffer.from(s)),
  },
}

for (const type of Object.keys(ORACLES) as TypeName[]) describeType(type) // the keys of ORACLES are type names

function describeType<T extends TypeName>(type: T): void {
  const { plain, any, toOracle }: Oracle<Rdata<T>> = ORACLES[type]
  const recordType = recordTypeByName(type)

  describe(type, () => {
    test('the oracle reads what we write', () => {
      fc.assert(
        fc.property(plain, (value) => {
          const packet = Buffer.from(messageAround(recordType.code, encodeRdata(type, value)))
          const [answer] = dnsPacket.decode(packet).answers ?? []
          expect(comparable(dataOf(answer))).toEqual(comparable(toOracle(value)))
        }),
      )
    })

    test('we read what the oracle writes', () => {
      fc.assert(
        fc.property(plain, (value) => {
          // The oracle's own types part the record types; the table above has each one's shape.
          const answer = { type, name: 'x.test', ttl: 60, data: toOracle(value) } as Answer
          const [record] = decodeMessage(dnsPacket.encode({ type: 'response', answers: [answer] })).answers
          expect(record?.type).toBe(recordType.code)
          expect(decodeRdata(type, record?.rdata ?? new Uint8Array())).toEqual(value)
        }),
      )
    })

    test('octets and text read back to the same value', () => {
      fc.assert(
        fc.property(any, (value) => {
          expect(decodeRdata(type, encodeRdata(type, value))).toEqual(value)
          expect(rdataFromText(type, rdataToText(type, value))).toEqual(value)
        }),
      )
    })

    test('any octets are a value that keeps them, or a WireError', () => {
      const mutated = fc
        .tuple(any, fc.nat(), u8)
        .map(([value, at, octet]) => withOctet(encodeRdata(type, value), at, octet))
      fc.assert(
        fc.property(fc.oneof(fc.uint8Array({ maxLength: 64 }), mutated), (rdata) => {
          const value = valueOr(WireError, () => decodeRdata(type, rdata))
          if (value !== undefined) expect(decodeRdata(type, encodeRdata(type, value))).toEqual(value)
        }),
      )
    })

    test('any text is a value or a TextError', () => {
      const words = fc.array(
        fc.constantFrom('1', '70000', '"a"', 'a.b.', '::1', '192.0.2.1', '(', ')', '"', '\\', ';', '\n'),
      )
      fc.assert(
        fc.property(
          fc.oneof(
            fc.string({ unit: 'binary' }),
            words.map((list) => list.join(' ')),
          ),
          (text) => {
            const value = valueOr(TextError, () => rdataFromText(type, text), WireError)
            if (value !== undefined) expect(rdataFromText(type, rdataToText(type, value))).toEqual(value)
          },
        ),
      )
    })
  })
}

/** A response with one answer owned by the root. */
function messageAround(code: number, rdata: Uint8Array): Uint8Array {
  const head = [0, 0, 0x80, 0, 0, 0, 0, 1, 0, 0, 0, 0]
  return Uint8Array.from([
    ...head,
    0,
    code >> 8,
    code & 0xff,
    0,
    1,
    0,
    0,
    0,
    60,
    rdata.length >> 8,
    rdata.length & 0xff,
    ...rdata,
  ])
}

function dataOf(answer: Answer | undefined): unknown {
  return answer !== undefined && 'data' in answer ? answer.data : undefined
}

/** Addresses compare by octets, since the oracle prints them in other ways. */
function comparable(data: unknown): unknown {
  return typeof data === 'string' ? (parseIpv4(data) ?? parseIpv6(data) ?? data) : data
}

function withOctet(bytes: Uint8Array, at: number, octet: number): Uint8Array {
  const copy = bytes.slice()
  if (copy.length > 0) copy[at % copy.length] = octet
  return copy
}

type ErrorClass = abstract new (...parts: never[]) => Error

function valueOr<T>(expected: ErrorClass, run: () => T, alternative: ErrorClass = expected): T | undefined {
  try {
    return run()
  } catch (error) {
    if (error instanceof expected || error instanceof alternative) return undefined
    throw error
  }
}
