import { isIPv4, isIPv6 } from 'node:net'
import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { formatIpv4, formatIpv6, parseIpv4, parseIpv6 } from './address.ts'
import { hexFromOctets } from './octets.ts'

describe('IPv4', () => {
  const cases: [text: string, hex: string | undefined][] = [
    ['0.0.0.0', '00000000'],
    ['192.0.2.1', 'c0000201'],
    ['255.255.255.255', 'ffffffff'],
    ['256.0.0.1', undefined],
    ['1.2.3', undefined],
    ['1.2.3.4.5', undefined],
    ['01.2.3.4', undefined],
    ['00.0.0.0', undefined],
    ['1.2.3.4 ', undefined],
    ['1.2.3.+4', undefined],
    ['1.2.3.', undefined],
    ['0x1.2.3.4', undefined],
    ['3232235777', undefined],
    ['１.2.3.4', undefined], // a full-width digit
    ['', undefined],
  ]
  test('has cases', () => expect(cases.length).toBeGreaterThan(0))
  test.each(cases)('%j', (text, hex) => {
    const octets = parseIpv4(text)
    expect(octets && hexFromOctets(octets)).toBe(hex)
    expect(octets && formatIpv4(octets)).toBe(hex && text)
  })
})

describe('IPv6', () => {
  const cases: [text: string, canonical: string | undefined][] = [
    ['::', '::'],
    ['::1', '::1'],
    ['1::', '1::'],
    ['2001:DB8::1', '2001:db8::1'],
    ['2001:0db8:0000:0000:0000:0000:0000:0001', '2001:db8::1'],
    ['2001:db8:0:1:1:1:1:1', '2001:db8:0:1:1:1:1:1'], // one group is not shortened (RFC 5952 §4.2.2)
    ['2001:db8:0:0:1:0:0:1', '2001:db8::1:0:0:1'], // the first of equal runs (RFC 5952 §4.2.3)
    ['2001:0:0:1:0:0:0:1', '2001:0:0:1::1'],
    ['1:2:3:4:5:6:7::', '1:2:3:4:5:6:7:0'],
    ['::2:3:4:5:6:7:8', '0:2:3:4:5:6:7:8'],
    ['::ffff:192.0.2.1', '::ffff:192.0.2.1'],
    ['::ffff:c000:201', '::ffff:192.0.2.1'],
    ['64:ff9b::192.0.2.1', '64:ff9b::c000:201'],
    ['1:2:3:4:5:6:192.0.2.1', '1:2:3:4:5:6:c000:201'],
    ['', undefined],
    [':', undefined],
    [':::', undefined],
    ['1::2::3', undefined],
    ['1:2:3:4:5:6:7', undefined],
    ['1:2:3:4:5:6:7:8:9', undefined],
    ['1:2:3:4::5:6:7:8', undefined],
    ['12345::', undefined],
    ['g::', undefined],
    ['::1%eth0', undefined],
    ['[::1]', undefined],
    ['::192.0.2.256', undefined],
    ['192.0.2.1::', undefined],
    ['1:192.0.2.1:2::', undefined],
    [':1::', undefined],
    ['::1:', undefined],
    ['192.0.2.1', undefined],
  ]
  test('has cases', () => expect(cases.length).toBeGreaterThan(0))
  test.each(cases)('%j', (text, canonical) => {
    const octets = parseIpv6(text)
    expect(octets && formatIpv6(octets)).toBe(canonical)
  })
})

describe('properties', () => {
  test('formatting and parsing are inverse', () => {
    const octets = fc.array(fc.constantFrom(0, 0, 0, 1, 0xff), { minLength: 16, maxLength: 16 })
    fc.assert(
      fc.property(octets, (list) => {
        const bytes = Uint8Array.from(list)
        expect(parseIpv6(formatIpv6(bytes))).toEqual(bytes)
      }),
    )
  })

  test('the platform agrees on what is an address', () => {
    const chunk = fc.constantFrom('0', '1', 'ff', 'db8', ':', '::', '.', '255', '256', '192.0.2.1', 'g')
    const text = fc.array(chunk, { maxLength: 17 }).map((chunks) => chunks.join(''))
    fc.assert(
      fc.property(fc.oneof(text, fc.ipV6(), fc.ipV4()), (candidate) => {
        expect(parseIpv6(candidate) !== undefined).toBe(isIPv6(candidate))
        expect(parseIpv4(candidate) !== undefined).toBe(isIPv4(candidate))
      }),
      { numRuns: 2000 },
    )
  })
})
