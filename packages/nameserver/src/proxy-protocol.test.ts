import { formatIpv4, formatIpv6 } from '@zonereeve/dns'
import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { localHeader, proxyHeader, type Proxied } from './proxy-header.cases.ts'
import { MAX_PROXY_HEADER_OCTETS, readProxyHeader } from './proxy-protocol.ts'

const OVER_UDP: Proxied = {
  client: Uint8Array.of(192, 0, 2, 7),
  server: Uint8Array.of(198, 51, 100, 1),
  ports: [4660, 53],
  transport: 'udp',
}

/** The octets of the specification for IPv4 over UDP, written by hand. */
const GOLDEN = '0d0a0d0a000d0a515549540a2112000cc0000207c633640112340035'

test('golden octets', () => {
  expect(proxyHeader(OVER_UDP).toString('hex')).toBe(GOLDEN)
  expect(readProxyHeader(Buffer.from(GOLDEN, 'hex'), 28)).toEqual({ octets: 28, client: '192.0.2.7' })
})

const addresses = fc.constantFrom(4, 16).chain((octets) => {
  const address = fc.uint8Array({ minLength: octets, maxLength: octets })
  return fc.tuple(address, address)
})
const port = fc.integer({ min: 0, max: 65_535 })

test('every header is read as it was written, whatever follows, and needs all of its octets', () => {
  fc.assert(
    fc.property(
      addresses,
      fc.tuple(port, port),
      fc.constantFrom('udp', 'tcp'),
      fc.uint8Array({ maxLength: 60 }),
      fc.uint8Array({ maxLength: 40 }),
      ([client, server], ports, transport, extensions, rest) => {
        const header = proxyHeader({ client, server, ports, transport, extensions })
        const octets = Buffer.concat([header, rest])
        expect(readProxyHeader(octets, octets.length)).toEqual({
          octets: header.length,
          client: client.length === 4 ? formatIpv4(client) : formatIpv6(client),
        })
        for (let length = 0; length < header.length; length += 1)
          expect(readProxyHeader(octets, length)).toBe('incomplete')
      },
    ),
  )
})

test('any octets are a header, incomplete or invalid, and a header is within them', () => {
  const anything = fc.uint8Array({ maxLength: 80 })
  const almost = fc
    .tuple(fc.constantFrom(proxyHeader(OVER_UDP), localHeader), fc.nat(27), fc.nat(255), anything)
    .map(([header, at, octet, rest]) => {
      const octets = Buffer.concat([header, rest])
      octets[at] = octet
      return octets
    })
  fc.assert(
    fc.property(fc.oneof(anything, almost), (octets) => {
      const header = readProxyHeader(octets, octets.length)
      if (typeof header === 'string') expect(['incomplete', 'invalid']).toContain(header)
      else expect(header.octets).toBeLessThanOrEqual(octets.length)
    }),
  )
})

describe('invalid', () => {
  const changed = (at: number, ...octets: number[]): Buffer => {
    const header = proxyHeader(OVER_UDP)
    header.set(octets, at)
    return header
  }
  test.each<[string, Buffer]>([
    ['version 1', Buffer.from('PROXY TCP4 192.0.2.7 198.51.100.1 4660 53\r\n')],
    ['another version', changed(12, 0x11)],
    ['an unknown command', changed(12, 0x22)],
    ['an unknown family', changed(13, 0x32)],
    ['no family', changed(13, 0x00)],
    ['an unknown transport', changed(13, 0x13)],
    ['too short for its addresses', changed(14, 0, 11)],
    [
      'longer than the limit',
      changed(14, (MAX_PROXY_HEADER_OCTETS - 15) >> 8, (MAX_PROXY_HEADER_OCTETS - 15) & 255),
    ],
  ])('%s', (_, octets) => {
    expect(readProxyHeader(octets, octets.length)).toBe('invalid')
  })
})

test('the longest header', () => {
  const extensions = new Uint8Array(MAX_PROXY_HEADER_OCTETS - 28)
  const header = proxyHeader({ ...OVER_UDP, extensions })
  expect(readProxyHeader(header, header.length)).toEqual({
    octets: MAX_PROXY_HEADER_OCTETS,
    client: '192.0.2.7',
  })
})

test('a proxy that speaks for itself', () => {
  expect(readProxyHeader(localHeader, 16)).toEqual({ octets: 16, client: undefined })
})
