import { anyName, plainName, u16 } from './arbitraries.cases.ts'
import * as fc from 'fast-check'
import { flaggedParams, serviceParams } from './svc-params.cases.ts'
import { parseName as n } from '../name.ts'
import { octetsFromHex, octetsFromLatin1 } from '../octets.ts'
import type { Svcb } from './svcb.ts'
import type { TypeCases } from './type-cases.cases.ts'

const bind = (
  priority: number,
  target: string,
  ...params: (readonly [key: number, hex: string])[]
): Svcb => ({
  priority,
  target: n(target),
  params: params.map(([key, hex]) => ({ key, value: octetsFromHex(hex) ?? new Uint8Array() })),
})

export const svcbCases: TypeCases<Svcb> = {
  valid: [
    ['an alias', '0 foo.example.com.', '000003666f6f076578616d706c6503636f6d00'],
    ['a service that is not available', '0 .', '000000'],
    ['the owner itself', '1 .', '000100'],
    [
      'a port',
      '16 foo.example.com. port=53',
      '001003666f6f076578616d706c6503636f6d00000300020035',
      '16 foo.example.com. port="53"',
    ],
    [
      'an unknown key',
      '1 foo.example.com. key667=hello',
      '000103666f6f076578616d706c6503636f6d00029b000568656c6c6f',
      '1 foo.example.com. key667="hello"',
    ],
    [
      'an unknown key with a decimal escape',
      '1 foo.example.com. key667="hello\\210qoo"',
      '000103666f6f076578616d706c6503636f6d00029b000968656c6c6fd2716f6f',
    ],
    ['an unknown key without value', '1 . key667', '000100029b0000'],
    [
      'two IPv6 hints',
      '1 foo.example.com. ( ipv6hint="2001:db8::1,2001:db8::53:1" )',
      '000103666f6f076578616d706c6503636f6d000006002020010db800000000000000000000000120010db8000000000000000000530001',
      '1 foo.example.com. ipv6hint="2001:db8::1,2001:db8::53:1"',
    ],
    [
      'an IPv6 hint with an IPv4 tail',
      '1 example.com. ipv6hint="2001:db8:122:344::192.0.2.33"',
      '0001076578616d706c6503636f6d000006001020010db80122034400000000c0000221',
      '1 example.com. ipv6hint="2001:db8:122:344::c000:221"',
    ],
    [
      'keys in any order',
      '16 foo.example.org. ( alpn=h2,h3-19 mandatory=ipv4hint,alpn\n  ipv4hint=192.0.2.1 )',
      '001003666f6f076578616d706c65036f7267000000000400010004000100090268320568332d313900040004c0000201',
      '16 foo.example.org. mandatory="alpn,ipv4hint" alpn="h2,h3-19" ipv4hint="192.0.2.1"',
    ],
    [
      'escapes in a protocol, quoted',
      '16 foo.example.org. alpn="f\\\\\\\\oo\\\\,bar,h2"',
      '001003666f6f076578616d706c65036f7267000001000c08665c6f6f2c626172026832',
    ],
    [
      'escapes in a protocol, as a word',
      '16 foo.example.org. alpn=f\\\\\\092oo\\092,bar,h2',
      '001003666f6f076578616d706c65036f7267000001000c08665c6f6f2c626172026832',
      '16 foo.example.org. alpn="f\\\\\\\\oo\\\\,bar,h2"',
    ],
    ['no default protocol', '1 . alpn="h2" no-default-alpn', '0001000001000302683200020000'],
    [
      'no default protocol with an empty value',
      '1 . alpn="h2" no-default-alpn=""',
      '0001000001000302683200020000',
      '1 . alpn="h2" no-default-alpn',
    ],
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
    ['oblivious HTTP', '1 . alpn="h2" ohttp', '0001000001000302683200080000'],
    ['a known key by its number', '1 . key3="\\000\\080"', '000100000300020050', '1 . port="80"'],
    [
      'everything',
      '1 a.example. mandatory="port" alpn="h3,h2" no-default-alpn port="443" ipv4hint="192.0.2.1,192.0.2.2" ech="AA==" ipv6hint="::1" dohpath="/{?dns}" ohttp key65534="x"',
      '00010161076578616d706c650000000002000300010006026833026832000200000003000201bb00040008c0000201c000020200050001000006001000000000000000000000000000000001000700072f7b3f646e737d00080000fffe000178',
    ],
  ],
  values: [
    ['1 . port="53"', bind(1, '.', [3, '0035'])],
    ['0 a.example.', bind(0, 'a.example')],
  ],
  badText: [
    ['no target', '1', 'text.missing', 1],
    ['a priority over 65535', '65536 .', 'svcb.priority', 0],
    ['a key twice', '1 a. key123=abc key123=def', 'text.svc-duplicate', 16],
    ['a key twice, by name and by number', '1 a. port=1 key3="ab"', 'text.svc-duplicate', 12],
    ['mandatory without value', '1 a. mandatory', 'text.svc-value', 5],
    ['alpn without value', '1 a. alpn', 'text.svc-value', 5],
    ['port without value', '1 a. port', 'text.svc-value', 5],
    ['ipv4hint without value', '1 a. ipv4hint', 'text.svc-value', 5],
    ['ipv6hint without value', '1 a. ipv6hint', 'text.svc-value', 5],
    ['ech without value', '1 a. ech', 'text.svc-value', 5],
    ['no-default-alpn with a value', '1 a. no-default-alpn=abc', 'text.svc-value', 5],
    ['mandatory that lists itself', '1 a. mandatory=mandatory', 'text.svc-value', 5],
    ['mandatory that lists a key twice', '1 a. mandatory=key123,key123 key123=abc', 'text.svc-value', 5],
    ['mandatory that lists what is no key', '1 a. mandatory=foo', 'text.svc-value', 5],
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
    ['a hint that is no address', '1 a. ipv4hint=192.0.2.256', 'text.svc-value', 5],
    ['a hint of the other family', '1 a. ipv6hint=192.0.2.1', 'text.svc-value', 5],
    ['ech that is no base64', '1 a. ech=abc', 'text.svc-value', 5],
    ['a path without the variable dns', '1 a. dohpath=/dns-query', 'text.svc-value', 5],
    ['an absolute path template', '1 a. dohpath=https://a/{?dns}', 'text.svc-value', 5],
    ['a known key by number with a malformed value', '1 a. key3=a', 'text.svc-value', 5],
    ['quotes around half a value', '1 a. alpn=h"2"', 'text.svc-value', 10],
    ['an open quote', '1 a. alpn="h2', 'text.unbalanced-quote'],
  ],
  badValue: [
    ['an alias with parameters', bind(0, 'a', [3, '0035']), ['svcb.alias-params']],
    ['a mandatory key that is missing', bind(1, 'a', [0, '0004'], [3, '0035']), ['svcb.mandatory-missing']],
    ['no-default-alpn alone', bind(1, 'a', [2, '']), ['svcb.alpn-missing']],
    ['an address for a target', bind(1, '192.0.2.1'), ['svcb.target-address']],
    [
      'everything at once',
      bind(0, '2001:db8::1', [0, '0001'], [2, '']),
      ['svcb.target-address', 'svcb.alias-params', 'svcb.mandatory-missing', 'svcb.alpn-missing'],
    ],
    ['keys out of order', bind(1, 'a', [4, 'c0000201'], [3, '0035']), ['svcb.params']],
    ['a key twice', bind(1, 'a', [3, '0035'], [3, '0036']), ['svcb.params']],
    ['a negative key', bind(1, 'a', [-1, '']), ['svcb.params']],
    ['the invalid key', bind(1, 'a', [65_535, '']), ['svcb.params']],
    ['a port of three octets', bind(1, 'a', [3, '000035']), ['svcb.params']],
    ['numbers out of range', bind(65_536, 'a', [9, '']), ['svcb.priority']],
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
    ['mandatory that lists itself', '000100000000020000', 'wire.value'],
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
