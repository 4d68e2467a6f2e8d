// Public addresses and the operator's networks pass; all other addresses are rejected.
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { createAddressGuard } from './addresses.ts'

const isPublic = createAddressGuard([])

const PASS = ['1.1.1.1', '9.255.255.255', '11.0.0.0', '100.63.255.255', '100.128.0.0', '172.15.255.255']
PASS.push('172.32.0.0', '192.167.255.255', '192.169.0.0', '198.17.255.255', '198.20.0.0', '223.255.255.255')
PASS.push('2606:4700:4700::1111', '2a00:1450::1', '2001:200::1')

const REFUSED: readonly (readonly [string, string])[] = [
  ['this network', '0.0.0.0'],
  ['private 10', '10.0.0.1'],
  ['private 10, the last', '10.255.255.255'],
  ['carrier-grade NAT', '100.64.0.1'],
  ['carrier-grade NAT, the last', '100.127.255.255'],
  ['loopback', '127.0.0.1'],
  ['loopback, the last', '127.255.255.255'],
  ['link-local', '169.254.0.1'],
  ['metadata', '169.254.169.254'],
  ['metadata at a public address', '168.63.129.16'],
  ['private 172', '172.16.0.1'],
  ['private 172, the last', '172.31.255.255'],
  ['protocol assignments', '192.0.0.192'],
  ['documentation', '192.0.2.1'],
  ['6to4 relay', '192.88.99.1'],
  ['private 192', '192.168.255.255'],
  ['benchmarks', '198.19.255.255'],
  ['documentation 2', '198.51.100.1'],
  ['documentation 3', '203.0.113.1'],
  ['multicast', '224.0.0.1'],
  ['multicast, the last', '239.255.255.255'],
  ['reserved', '240.0.0.1'],
  ['broadcast', '255.255.255.255'],
  ['unspecified', '::'],
  ['loopback 6', '::1'],
  ['IPv4-compatible', '::127.0.0.1'],
  ['IPv4-mapped private', '::ffff:10.0.0.1'],
  ['IPv4-mapped in groups', '::ffff:7f00:1'],
  ['IPv4-mapped public', '::ffff:1.1.1.1'],
  ['IPv4-translated', '::ffff:0:127.0.0.1'],
  ['NAT64', '64:ff9b::7f00:1'],
  ['NAT64 of a public address', '64:ff9b::101:101'],
  ['local NAT64', '64:ff9b:1::a00:1'],
  ['discard', '100::1'],
  ['Teredo', '2001:0:7f00:1::'],
  ['benchmarks 6', '2001:2::1'],
  ['ORCHID', '2001:20::1'],
  ['documentation 6', '2001:db8::1'],
  ['6to4 of loopback', '2002:7f00:1::'],
  ['6to4 of a public address', '2002:101:101::'],
  ['documentation 6, newer', '3fff::1'],
  ['segment routing', '5f00::1'],
  ['unique local', 'fd00:ec2::254'],
  ['unique local, fc00', 'fc00::1'],
  ['link-local 6', 'fe80::1'],
  ['link-local with a scope', 'fe80::1%lo'],
  ['public with a scope', '2606:4700:4700::1111%lo'],
  ['site-local', 'fec0::1'],
  ['multicast 6', 'ff02::1'],
  ['a name', 'example.com'],
  ['a number', '2130706433'],
  ['octal', '0177.0.0.1'],
  ['hexadecimal', '0x7f000001'],
  ['short', '127.1'],
  ['nothing', ''],
]

describe('addresses', () => {
  test.each(PASS)('%s passes', (address) => {
    expect(isPublic(address)).toBe(true)
  })

  test.each(REFUSED)('%s is rejected: %s', (_name, address) => {
    expect(isPublic(address)).toBe(false)
  })

  test('networks and single addresses of the operator pass, neighboring addresses do not', () => {
    const guard = createAddressGuard(['10.1.0.0/16', '127.0.0.1', 'fd00:1::/32'])
    const passed = ['10.1.255.255', '127.0.0.1', 'fd00:1::5', '1.1.1.1']
    expect(passed.filter((address) => !guard(address))).toEqual([])
    const refused = ['10.2.0.0', '127.0.0.2', 'fd00:2::5', '::ffff:10.1.0.1', '::ffff:127.0.0.1', '::1']
    expect(refused.filter((address) => guard(address))).toEqual([])
  })

  test('no string is taken for a public address without being one', () => {
    fc.assert(fc.property(fc.ipV4(), (ip) => !isPublic(`::ffff:${ip}`) && !isPublic(`64:ff9b::${ip}`)))
    fc.assert(fc.property(fc.string(), (text) => !isPublic(text) || /^[0-9a-f.:]+$/i.test(text)))
  })
})
