import { parseIpv4, parseIpv6 } from '@zonereeve/dns'
import { describe, expect, test } from 'vitest'
import { httpsRdata } from './https-record.ts'

const v4 = (text: string) => parseIpv4(text) ?? new Uint8Array()
const v6 = (text: string) => parseIpv6(text) ?? new Uint8Array()
const NO_EDGE = { ipv4: [], ipv6: [] }
const hex = (octets: Uint8Array | undefined) => octets && Buffer.from(octets).toString('hex')

// RDATA in the order of RFC 9460 §2.2, with values as in its appendix D.
describe('octets', () => {
  test.each([
    ['both versions', { http2: true, http3: true }, NO_EDGE, '000100 0001 0006 026833 026832'],
    ['HTTP/2', { http2: true, http3: false }, NO_EDGE, '000100 0001 0003 026832'],
    ['HTTP/3', { http2: false, http3: true }, NO_EDGE, '000100 0001 0003 026833'],
    [
      'hints of one family',
      { http2: true, http3: false },
      { ipv4: [v4('192.0.2.1'), v4('192.0.2.2')], ipv6: [] },
      '000100 0001 0003 026832 0004 0008 c0000201 c0000202',
    ],
    [
      'hints of both families',
      { http2: true, http3: false },
      { ipv4: [v4('192.0.2.1')], ipv6: [v6('2001:db8::1')] },
      '000100 0001 0003 026832 0004 0004 c0000201 0006 0010 20010db8000000000000000000000001',
    ],
  ])('%s', (_, settings, edge, expected) => {
    expect(hex(httpsRdata(settings, edge))).toBe(expected.replaceAll(' ', ''))
  })

  test('neither HTTP version: no record', () => {
    expect(httpsRdata({ http2: false, http3: false }, NO_EDGE)).toBeUndefined()
  })
})
