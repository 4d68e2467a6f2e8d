// Compares our codec with an independent one, and checks properties for arbitrary values and octets.
import { Buffer } from 'node:buffer'
import * as dnsPacket from 'dns-packet'
import type { Answer } from 'dns-packet'
import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { parseIpv4, parseIpv6 } from '../address.ts'
import { TextError, WireError } from '../errors.ts'
import { decodeMessage } from '../message.ts'
import { decodeRdata, encodeRdata, rdataFromText, rdataToText } from '../rdata.ts'
import { CASES } from './all.cases.ts'
import { recordTypeByName } from './registry.ts'
import type { Rdata, TypeName } from './registry.ts'
import type { Oracle, TypeCases } from './type-cases.cases.ts'

const TYPES = Object.keys(CASES) as TypeName[] // the keys of CASES are type names

test('the oracle knows some types', () => {
  expect(TYPES.filter((type) => CASES[type].oracle !== undefined).length).toBeGreaterThan(10)
})

for (const type of TYPES) describeType(type)

function describeType<T extends TypeName>(type: T): void {
  const { any, oracle }: TypeCases<Rdata<T>> = CASES[type]

  describe(type, () => {
    if (oracle !== undefined) compareWith(type, oracle)

    test('octets and text round-trip', () => {
      fc.assert(
        fc.property(any, (value) => {
          expect(decodeRdata(type, encodeRdata(type, value))).toEqual(value)
          expect(rdataFromText(type, rdataToText(type, value))).toEqual(value)
        }),
      )
    })

    test('arbitrary octets are a value that keeps them, or a WireError', () => {
      const mutated = fc
        .tuple(any, fc.nat(), fc.nat(255))
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

/** Both directions: each codec reads what the other writes. */
function compareWith<T extends TypeName>(type: T, { plain, toData }: Oracle<Rdata<T>>): void {
  const { code } = recordTypeByName(type)

  test('the oracle reads what we write', () => {
    fc.assert(
      fc.property(plain, (value) => {
        const packet = Buffer.from(messageAround(code, encodeRdata(type, value)))
        const [answer] = dnsPacket.decode(packet).answers ?? []
        expect(comparable(dataOf(answer))).toEqual(comparable(toData(value)))
      }),
    )
  })

  test('we read what the oracle writes', () => {
    fc.assert(
      fc.property(plain, (value) => {
        // The oracle has one static type per record type; toData of each type returns the right one.
        const answer = { type, name: 'x.test', ttl: 60, data: toData(value) } as Answer
        const [record] = decodeMessage(dnsPacket.encode({ type: 'response', answers: [answer] })).answers
        expect(record?.type).toBe(code)
        expect(decodeRdata(type, record?.rdata ?? new Uint8Array())).toEqual(value)
      }),
    )
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

/** Addresses are compared by octets, because the oracle prints them differently. */
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
