import { anyName, plainName, u16 } from './arbitraries.cases.ts'
import * as fc from 'fast-check'
import { flaggedParams, serviceParams } from './svc-params.cases.ts'
import { parseName as n } from '../name.ts'
import { octetsFromHex, octetsFromLatin1 } from '../octets.ts'
import type { Https } from './https.ts'
import type { TypeCases } from './type-cases.cases.ts'

const bind = (
  priority: number,
  target: string,
  ...params: (readonly [key: number, hex: string])[]
): Https => ({
  priority,
  target: n(target),
  params: params.map(([key, hex]) => ({ key, value: octetsFromHex(hex) ?? new Uint8Array() })),
})

export const httpsCases: TypeCases<Https> = {
  valid: [
    ['HTTP/2 and HTTP/3', '1 . alpn="h3,h2"', '00010000010006026833026832'],
    [
      'any upper case target',
      '1 WWW.Example. alpn=h2',
      '000103777777076578616d706c650000010003026832',
      '1 www.example. alpn="h2"',
    ],
    [
      'whitespace between values',
      '1   .		alpn=h2  port=8443',
      '000100000100030268320003000220fb',
      '1 . alpn="h2" port="8443"',
    ],
    ['the lowest priority', '65535 . alpn="h2"', 'ffff0000010003026832'],
    ['an alias', '0 foo.example.com.', '000003666f6f076578616d706c6503636f6d00'],
    ['an unavailable service', '0 .', '000000'],
    ['the owner itself', '1 .', '000100'],
    [
      'keys in any order',
      '16 foo.example.org. ( alpn=h2,h3-19 mandatory=ipv4hint,alpn\n  ipv4hint=192.0.2.1 )',
      '001003666f6f076578616d706c65036f7267000000000400010004000100090268320568332d313900040004c0000201',
      '16 foo.example.org. mandatory="alpn,ipv4hint" alpn="h2,h3-19" ipv4hint="192.0.2.1"',
    ],
    ['no default protocol', '1 . alpn="h2" no-default-alpn', '0001000001000302683200020000'],
    [
      'an encrypted client hello',
      '1 . ech="AEP+DQA/4QAgACCWhuW3tPZ7"',
      '000100000500120043fe0d003fe1002000209686e5b7b4f67b',
    ],
    [
      'a path for DNS over HTTPS',
      '1 . alpn="h2" dohpath="/dns-query{?dns}"',
      '00010000010003026832000700102f646e732d71756572797b3f646e737d',
    ],
    [
      'everything',
      '1 a.example. mandatory="port" alpn="h3,h2" no-default-alpn port="443" ipv4hint="192.0.2.1,192.0.2.2" ech="AA==" ipv6hint="::1" dohpath="/{?dns}" key8 key65534="x"',
      '00010161076578616d706c650000000002000300010006026833026832000200000003000201bb00040008c0000201c000020200050001000006001000000000000000000000000000000001000700072f7b3f646e737d00080000fffe000178',
    ],
  ],
  values: [
    ['1 . port="53"', bind(1, '.', [3, '0035'])],
    ['0 a.example.', bind(0, 'a.example')],
  ],
  badText: [
    ['no target', '1', 'text.missing', 1],
    ['a priority over 65535', '65536 .', 'https.priority', 0],
    ['a key twice', '1 a. key123=abc key123=def', 'text.svc-duplicate', 16],
    ['a key twice, by name and by number', '1 a. port=1 key3="ab"', 'text.svc-duplicate', 12],
    ['mandatory without value', '1 a. mandatory', 'text.svc-value', 5],
    ['alpn without value', '1 a. alpn', 'text.svc-value', 5],
    ['port without value', '1 a. port', 'text.svc-value', 5],
    ['ipv4hint without value', '1 a. ipv4hint', 'text.svc-value', 5],
    ['ipv6hint without value', '1 a. ipv6hint', 'text.svc-value', 5],
    ['ech without value', '1 a. ech', 'text.svc-value', 5],
    ['no-default-alpn with a value', '1 a. no-default-alpn=abc', 'text.svc-value', 5],
    ['mandatory listing itself', '1 a. mandatory=mandatory', 'text.svc-value', 5],
    ['mandatory listing a key twice', '1 a. mandatory=key123,key123 key123=abc', 'text.svc-value', 5],
    ['mandatory with an invalid key name', '1 a. mandatory=foo', 'text.svc-value', 5],
    ['an unknown name', '1 a. foo=bar', 'text.svc-key', 5],
    ['a key number with a leading zero', '1 a. key0123=bar', 'text.svc-key', 5],
    ['the invalid key', '1 a. key65535=bar', 'text.svc-key', 5],
    ['an upper case name', '1 a. ALPN=h2', 'text.svc-key', 5],
    ['a quoted parameter', '1 a. "alpn=h2"', 'text.svc-key', 6],
    ['a port over 65535', '1 a. port=65536', 'text.svc-value', 5],
    ['a port by name', '1 a. port=https', 'text.svc-value', 5],
    ['an empty protocol', '1 a. alpn=h2,,h3', 'text.svc-value', 5],
    ['a protocol of 256 octets', `1 a. alpn=${'x'.repeat(256)}`, 'text.svc-value', 5],
    ['a bad escape in a protocol', '1 a. alpn="h\\\\2"', 'text.svc-value', 5],
    ['an invalid address hint', '1 a. ipv4hint=192.0.2.256', 'text.svc-value', 5],
    ['a hint of the wrong address family', '1 a. ipv6hint=192.0.2.1', 'text.svc-value', 5],
    ['ech with invalid base64', '1 a. ech=abc', 'text.svc-value', 5],
    ['a path without the variable dns', '1 a. dohpath=/dns-query', 'text.svc-value', 5],
    ['an absolute path template', '1 a. dohpath=https://a/{?dns}', 'text.svc-value', 5],
    ['a known key by number with a malformed value', '1 a. key3=a', 'text.svc-value', 5],
    ['quotes around half a value', '1 a. alpn=h"2"', 'text.svc-value', 10],
    ['an open quote', '1 a. alpn="h2', 'text.unbalanced-quote'],
  ],
  badValue: [
    ['an alias with parameters', bind(0, 'a', [3, '0035']), ['https.alias-params']],
    ['a missing mandatory key', bind(1, 'a', [0, '0004'], [3, '0035']), ['https.mandatory-missing']],
    ['no-default-alpn alone', bind(1, 'a', [2, '']), ['https.alpn-missing']],
    ['an address as target', bind(1, '192.0.2.1'), ['https.target-address']],
    ['a URL as target', bind(1, 'https://example.net/'), ['https.target-host']],
    [
      'every error at once',
      bind(0, '2001:db8::1', [0, '0001'], [2, '']),
      ['https.target-address', 'https.alias-params', 'https.mandatory-missing', 'https.alpn-missing'],
    ],
    ['keys out of order', bind(1, 'a', [4, 'c0000201'], [3, '0035']), ['https.params']],
    ['a key twice', bind(1, 'a', [3, '0035'], [3, '0036']), ['https.params']],
    ['a negative key', bind(1, 'a', [-1, '']), ['https.params']],
    ['the invalid key', bind(1, 'a', [65_535, '']), ['https.params']],
    ['a port of three octets', bind(1, 'a', [3, '000035']), ['https.params']],
    ['numbers out of range', bind(65_536, 'a', [9, '']), ['https.priority']],
  ],
  badWire: [
    ['nothing', '', 'wire.truncated'],
    ['no target', '0001', 'wire.truncated'],
    ['a pointer', '0001c000', 'wire.pointer'],
    ['a key without length', '0001000003', 'wire.truncated'],
    ['a value cut short', '0001000003000200', 'wire.truncated'],
    ['keys out of order', '0001000004000400000000000300020035', 'wire.value'],
    ['a key twice', '000100000300020035000300020036', 'wire.value'],
    ['a port of one octet', '0001000003000135', 'wire.value'],
    ['a protocol cut short', '000100000100020368', 'wire.value'],
    ['an empty protocol', '0001000001000100', 'wire.value'],
    ['no protocol', '00010000010000', 'wire.value'],
    ['half an IPv4 hint', '00010000040002c000', 'wire.value'],
    ['mandatory with half a key', '0001000000000101', 'wire.value'],
    ['mandatory listing itself', '000100000000020000', 'wire.value'],
    ['mandatory out of order', '0001000000000400040003', 'wire.value'],
    ['the invalid key', '000100ffff0000', 'wire.value'],
  ],
  any: fc.record({
    priority: u16,
    target: anyName,
    params: fc.oneof(flaggedParams, serviceParams(fc.uint8Array({ minLength: 1, maxLength: 255 }))),
  }),
  plain: fc.record({
    priority: fc.integer({ min: 1, max: 0xffff }),
    target: plainName,
    params: serviceParams(fc.stringMatching(/^[a-z0-9/.-]{1,10}$/).map(octetsFromLatin1)),
  }),
}
