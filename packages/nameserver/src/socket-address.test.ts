import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  addressAt,
  createAddressStrings,
  createSocketAddresses,
  portAt,
  toSocketAddress,
} from './socket-address.ts'

const ADDRESS = fc.oneof(
  fc.ipV4(),
  fc.constantFrom('::', '::1', '::ffff:192.0.2.1', '2001:db8::1', 'fe80::1', '2001:db8:1:2:3:4:5:6'),
)

test.each([
  ['IPv4', '192.0.2.1', 53, '02000035c00002010000000000000000'],
  ['IPv6', '2001:db8::1', 5353, '0a0014e90000000020010db800000000000000000000000100000000'],
  ['IPv4 as IPv6', '::ffff:192.0.2.1', 53, '0a0000350000000000000000000000000000ffffc000020100000000'],
])('%s', (_, address, port, octets) => {
  expect(Buffer.from(toSocketAddress(address, port)).toString('hex')).toBe(octets)
})

test('round trip at any offset', () => {
  const textAt = createAddressStrings(2)
  fc.assert(
    fc.property(ADDRESS, fc.nat(0xffff), fc.nat(8), (address, port, start) => {
      const octets = Uint8Array.from([...Array<number>(start).fill(7), ...toSocketAddress(address, port)])
      expect([addressAt(octets, start), portAt(octets, start)]).toEqual([address, port])
      // Called twice, and at two offsets: the cached value never belongs to another address.
      expect([textAt(octets, start), textAt(octets, start)]).toEqual([address, address])
    }),
  )
})

test('cached addresses of clients', () => {
  const socketAddress = createSocketAddresses(2)
  fc.assert(
    fc.property(ADDRESS, fc.nat(0xffff), fc.nat(0xffff), (address, port, other) => {
      expect(socketAddress(address, other)).toEqual(toSocketAddress(address, other))
      expect(socketAddress(address, port)).toEqual(toSocketAddress(address, port))
    }),
  )
  expect(socketAddress('fe80::1%lo', 53)).toBeUndefined()
})
