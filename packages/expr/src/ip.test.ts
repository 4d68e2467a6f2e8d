// Addresses: parsing, printing, and networks.
import { describe, expect, test } from 'vitest'
import {
  compareIp,
  type Ip,
  ipFromOctets,
  ipText,
  lastAddress,
  networkAddress,
  parseIp,
  parseLooseIp,
  prefixOf,
  withoutMapping,
} from './ip.ts'

const ip = (text: string): Ip => {
  const found = parseIp(text)
  if (found === undefined) throw new Error(`${text} is no address`)
  return found
}

describe('octets', () => {
  test.each([
    ['192.0.2.255', [192, 0, 2, 255]],
    ['0.0.0.0', [0, 0, 0, 0]],
    ['2001:db8::ff00:1', [0x20, 1, 0x0d, 0xb8, 0, 0, 0, 0, 0, 0, 0, 0, 0xff, 0, 0, 1]],
  ])('%s', (text, octets) => expect(ipFromOctets(Uint8Array.from(octets))).toEqual(ip(text)))

  test.each([0, 3, 5, 15, 17])('%i octets are no address', (length) =>
    expect(ipFromOctets(new Uint8Array(length))).toBeUndefined(),
  )
})

describe('text', () => {
  test.each([
    ['192.0.2.10', '192.0.2.10'],
    ['0.0.0.0', '0.0.0.0'],
    ['255.255.255.255', '255.255.255.255'],
    ['::', '::'],
    ['::1', '::1'],
    ['2001:0DB8:0:0:0:0:0:1', '2001:db8::1'],
    ['2001:db8:0:1:1:1:1:1', '2001:db8:0:1:1:1:1:1'],
    ['1:0:0:2:0:0:0:3', '1:0:0:2::3'],
    ['fe80::', 'fe80::'],
    ['::ffff:192.0.2.1', '::ffff:192.0.2.1'],
    ['64:ff9b::192.0.2.33', '64:ff9b::c000:221'],
    ['1:2:3:4:5:6:7::', '1:2:3:4:5:6:7:0'],
  ])('%s is %s', (text, canonical) => {
    expect(ipText(ip(text))).toBe(canonical)
    expect(ip(canonical)).toEqual(ip(text))
  })

  test.each([
    ['::ffff:192.0.2.1', '192.0.2.1'],
    ['::FFFF:c000:201', '192.0.2.1'],
    ['::192.0.2.1', '::c000:201'],
    ['::1:ffff:c000:201', '::1:ffff:c000:201'],
    ['192.0.2.1', '192.0.2.1'],
  ])('%s means %s', (text, meant) => expect(withoutMapping(ip(text))).toEqual(ip(meant)))

  test.each([
    '',
    '1',
    '1.2.3',
    '1.2.3.4.5',
    '1.2.3.256',
    '01.2.3.4',
    '1.2.3.',
    '1..2.3',
    ':',
    ':::',
    '1::2::3',
    '1:2:3:4:5:6:7',
    '1:2:3:4:5:6:7:8:9',
    '12345::',
    'g::',
    '::1.2.3',
    '1.2.3.4::',
    '2001:db8::/32',
    ' 1.2.3.4',
    '1:2:3:4:5:6:7:8::',
  ])('%j is not an address', (text) => expect(parseIp(text)).toBeUndefined())

  test.each([
    ['10', '10.0.0.0'],
    ['10.1', '10.1.0.0'],
    ['192.0.02.010', '192.0.2.10'],
    ['2001:db8::', '2001:db8::'],
  ])('in a network, %s is %s', (text, canonical) => expect(parseLooseIp(text)).toEqual(ip(canonical)))

  test.each(['', '256', '1.2.3.4.5', '1.', 'a'])('in a network, %j is invalid', (text) =>
    expect(parseLooseIp(text)).toBeUndefined(),
  )
})

describe('networks', () => {
  test.each([
    ['192.0.2.10', 24, '192.0.2.0', '192.0.2.255'],
    ['192.0.2.10', 32, '192.0.2.10', '192.0.2.10'],
    ['192.0.2.10', 0, '0.0.0.0', '255.255.255.255'],
    ['192.0.2.10', 1, '128.0.0.0', '255.255.255.255'],
    ['2001:db8:1:2:3:4:5:6', 32, '2001:db8::', '2001:db8:ffff:ffff:ffff:ffff:ffff:ffff'],
    ['2001:db8:1:2:3:4:5:6', 60, '2001:db8:1::', '2001:db8:1:f:ffff:ffff:ffff:ffff'],
    ['2001:db8::1', 128, '2001:db8::1', '2001:db8::1'],
    ['2001:db8::1', 0, '::', 'ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff'],
  ])('%s/%i goes from %s to %s', (text, bits, first, last) => {
    const range = { first: networkAddress(ip(text), bits), last: lastAddress(ip(text), bits) }
    expect([ipText(range.first), ipText(range.last)]).toEqual([first, last])
    expect(prefixOf(range)).toBe(bits)
  })

  test.each([
    ['192.0.2.1', '192.0.2.2'],
    ['192.0.2.0', '192.0.2.254'],
    ['::', '::2'],
  ])('%s to %s is not a network', (first, last) =>
    expect(prefixOf({ first: ip(first), last: ip(last) })).toBeUndefined(),
  )

  test('order is by address', () => {
    const sorted = ['::', '::1', '1::', '2001:db8::', 'ffff::'].map(ip)
    expect(sorted.toReversed().toSorted(compareIp)).toEqual(sorted)
  })
})
