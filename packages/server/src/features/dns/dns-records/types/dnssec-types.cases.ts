// DS and DNSKEY as the API accepts and shows them.
import { apiCases, missing, wrong } from './api-cases.cases.ts'

const SHA1 = '2BB183AF5F22588179A53B0A98631FAD1A292118'
const SHA256 = 'D4B7D520E7BB5F0F67674A0CCEB1E3E0614B93C4F9E99B8383F6A1E4469DA50A'
const KEY = 'l02Woi0iS8Aa25FQkUd9RMzZHJpBoRQwAQEX1SxZJA4='

const ds = { algorithm: 13, digest: SHA256, digest_type: 2, key_tag: 2371 }
const shownDs = { content: `2371 13 2 ${SHA256}`, data: ds }

export const dsCases = apiCases({
  name: '@',
  valid: [
    ['parts', { data: ds }, shownDs],
    ['numbers as strings', { data: { ...ds, algorithm: '13', digest_type: '2', key_tag: '2371' } }, shownDs],
    ['a digest in lower case', { data: { ...ds, digest: SHA256.toLowerCase() } }, shownDs],
    [
      'a digest with whitespace',
      { data: { ...ds, digest: `${SHA256.slice(0, 32)} ${SHA256.slice(32)}` } },
      shownDs,
    ],
    ['empty fields of other types', { data: { ...ds, port: 0, tag: '', x: null } }, shownDs],
    ['fields beside content', { data: ds, content: 'anything' }, shownDs],
    ['content', { content: `2371 13 2 ${SHA256.toLowerCase()}` }, shownDs],
    ['content in parentheses', { content: `2371 ECDSAP256SHA256 2 ( ${SHA256} )` }, shownDs],
    [
      'SHA-1',
      { data: { algorithm: 5, digest: SHA1, digest_type: 1, key_tag: 0 } },
      { content: `0 5 1 ${SHA1}`, data: { algorithm: 5, digest: SHA1, digest_type: 1, key_tag: 0 } },
    ],
    [
      'an unknown digest type',
      { data: { ...ds, digest_type: 99, digest: 'FF' } },
      { content: '2371 13 99 FF', data: { ...ds, digest_type: 99, digest: 'FF' } },
    ],
  ],
  invalid: [
    ['nothing', {}, missing('algorithm', 'digest', 'digest_type', 'key_tag')],
    ['unknown parts', { data: { ...ds, 'a/b': [1], x: 0 } }, ['6008 /data/a~1b', '6008 /data/x']],
    ['an empty object', { data: {} }, missing('algorithm', 'digest', 'digest_type', 'key_tag')],
    ['invalid content', { content: '2371 13 2' }, ['9007 /content']],
    ['content that is not of the type', { content: 'x.example.' }, ['9007 /content']],
    ['a missing part', { data: { ...ds, digest: undefined } }, missing('digest')],
    ['a field that is null', { data: { ...ds, key_tag: null } }, missing('key_tag')],
    [
      'all out of range',
      { data: { algorithm: 256, digest: 'xy', digest_type: -1, key_tag: 65_536 } },
      wrong('algorithm', 'digest', 'digest_type', 'key_tag'),
    ],
    ['half an octet', { data: { ...ds, digest: 'abc' } }, wrong('digest')],
    ['no digest', { data: { ...ds, digest: '' } }, wrong('digest')],
    ['a digest that is a number', { data: { ...ds, digest: 12 } }, wrong('digest')],
    ['a digest that is too short for its type', { data: { ...ds, digest: SHA1 } }, wrong('digest')],
    ['algorithm 0', { data: { ...ds, algorithm: 0 } }, wrong('algorithm')],
    ['content that breaks a rule', { content: `2371 13 2 ${SHA1}` }, wrong('digest')],
  ],
})

const dnskey = { algorithm: 15, flags: 257, protocol: 3, public_key: KEY }
const shownKey = { content: `257 3 15 ${KEY}`, data: dnskey }

export const dnskeyCases = apiCases({
  name: '@',
  valid: [
    ['parts', { data: dnskey }, shownKey],
    ['numbers as strings', { data: { ...dnskey, algorithm: '15', flags: '257', protocol: '3' } }, shownKey],
    [
      'a key with whitespace',
      { data: { ...dnskey, public_key: `${KEY.slice(0, 9)}\n${KEY.slice(9)}` } },
      shownKey,
    ],
    ['content', { content: `257 3 15 ${KEY}` }, shownKey],
    ['content with a mnemonic for the algorithm', { content: `257 3 ED25519 ${KEY}` }, shownKey],
    [
      'a zone key',
      { data: { ...dnskey, flags: 256 } },
      { content: `256 3 15 ${KEY}`, data: { ...dnskey, flags: 256 } },
    ],
    ['empty fields of other types', { data: { ...dnskey, port: 0, tag: '', x: null } }, shownKey],
    ['fields beside content', { data: dnskey, content: 'anything' }, shownKey],
    ['content in parentheses', { content: `( 257 3 15 ${KEY} )` }, shownKey],
    [
      'a revoked key',
      { data: { ...dnskey, flags: 385 } },
      { content: `385 3 15 ${KEY}`, data: { ...dnskey, flags: 385 } },
    ],
  ],
  invalid: [
    ['nothing', {}, missing('algorithm', 'flags', 'protocol', 'public_key')],
    ['unknown parts', { data: { ...dnskey, 'a/b': [1], x: 0 } }, ['6008 /data/a~1b', '6008 /data/x']],
    ['invalid content', { content: '257 3 15 !' }, ['9007 /content']],
    ['protocol 4', { data: { ...dnskey, protocol: 4 } }, wrong('protocol')],
    [
      'reserved flags and algorithm',
      { data: { ...dnskey, flags: 1, algorithm: 0 } },
      wrong('flags', 'algorithm'),
    ],
    ['a key that is not base64', { data: { ...dnskey, public_key: 'AQ' } }, wrong('public_key')],
    ['no key', { data: { ...dnskey, public_key: '' } }, wrong('public_key')],
    [
      'all out of range',
      { data: { algorithm: 256, flags: 65_536, protocol: 1.5, public_key: 1 } },
      wrong('algorithm', 'flags', 'protocol', 'public_key'),
    ],
    ['an empty object', { data: {} }, missing('algorithm', 'flags', 'protocol', 'public_key')],
    ['a key that is null', { data: { ...dnskey, public_key: null } }, missing('public_key')],
    ['content that breaks a rule', { content: `257 4 15 ${KEY}` }, wrong('protocol')],
  ],
})
