// Warnings about SPF, DKIM and DMARC records.
import { generateKeyPairSync } from 'node:crypto'
import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { base64FromOctets } from '../base64.ts'
import { parseName } from '../name.ts'
import { octetsFromHex } from '../octets.ts'
import { checkEmailTxt } from './check-email-txt.ts'
import { rsaModulusBits } from './der.ts'
import { MAX_SPF_LOOKUPS } from './spf.ts'

const at = (name: string) => parseName(name)
const rulesOf = (name: string, text: string, others: readonly string[] = []) =>
  checkEmailTxt(at(name), text, others).map(({ rule }) => rule)

type Cases = readonly (readonly [name: string, text: string, rules: readonly string[]])[]
const checkCases = (name: string, cases: Cases): void => {
  test('has cases', () => expect(cases.length).toBeGreaterThan(0))
  test.each(cases)('%s', (_, text, rules) => expect(rulesOf(name, text)).toEqual(rules))
}
const includes = (count: number) => Array.from({ length: count }, (_, i) => `include:a${i}.example`).join(' ')

describe('SPF', () => {
  checkCases('example.com', [
    ['nobody sends', 'v=spf1 -all', []],
    ['common terms', 'v=spf1 a mx ip4:192.0.2.0/24 ip6:2001:db8::/32 include:_spf.example.net ~all', []],
    ['lengths', 'v=spf1 a/24 mx//64 a:a.example/24//64 -all', []],
    ['macros', 'v=spf1 exists:%{ir}.%{l1r+-}._spf.%{d} -all', []],
    ['redirect', 'v=spf1 redirect=_spf.example.net', []],
    ['upper case', 'V=SPF1 A MX -ALL', []],
    ['an explanation', 'v=spf1 -all exp=why.%{d}', []],
    ['as many look-ups as are allowed', `v=spf1 ${includes(MAX_SPF_LOOKUPS)} -all`, []],
    ['one look-up more', `v=spf1 ${includes(MAX_SPF_LOOKUPS)} a -all`, ['spf.lookups']],
    ['+all', 'v=spf1 +all', ['spf.all']],
    ['all without a qualifier', 'v=spf1 all', ['spf.all']],
    ['an unknown mechanism', 'v=spf1 foo -all', ['spf.unknown-mechanism']],
    ['a misspelt ip4', 'v=spf1 ipv4:192.0.2.1 -all', ['spf.unknown-mechanism']],
    ['an unknown modifier', 'v=spf1 foo=bar -all', ['spf.unknown-modifier']],
    ['an address over 255', 'v=spf1 ip4:192.0.2.256 -all', ['spf.syntax']],
    ['a length over 32', 'v=spf1 ip4:192.0.2.0/33 -all', ['spf.syntax']],
    ['an IPv6 address in ip4', 'v=spf1 ip4:2001:db8::1 -all', ['spf.syntax']],
    ['a length over 128', 'v=spf1 ip6:2001:db8::/129 -all', ['spf.syntax']],
    ['include without a domain', 'v=spf1 include -all', ['spf.syntax']],
    ['include of a single label', 'v=spf1 include:mail -all', ['spf.syntax']],
    ['a bad macro', 'v=spf1 exists:%{z}.example.com -all', ['spf.syntax']],
    ['a modifier after all', 'v=spf1 -all:x', ['spf.syntax']],
    ['a mechanism after all', 'v=spf1 -all mx', ['spf.after-all']],
    ['redirect together with all', 'v=spf1 redirect=a.example -all', ['spf.redirect-ignored']],
    ['redirect twice', 'v=spf1 redirect=a.example redirect=b.example', ['spf.duplicate-modifier']],
    ['no end', 'v=spf1 mx', ['spf.no-end']],
    ['ptr', 'v=spf1 ptr -all', ['spf.ptr']],
    ['several at once', 'v=spf1 foo ip4:x +all', ['spf.unknown-mechanism', 'spf.syntax', 'spf.all']],
    ['a TXT record that only looks like SPF', 'v=spf10 +all', []],
    ['another text', 'hello', []],
  ])

  test('two policies at one name', () => {
    expect(rulesOf('example.com', 'v=spf1 -all', ['hello', 'v=spf1 mx -all'])).toEqual(['spf.two-records'])
    expect(rulesOf('example.com', 'v=spf1 -all', ['hello'])).toEqual([])
    expect(rulesOf('example.com', 'hello', ['v=spf1 mx -all', 'v=spf1 -all'])).toEqual([])
  })

  test('a warning has the position of the bad term', () => {
    expect(checkEmailTxt(at('a'), 'v=spf1 mx foo -all')[0]?.message).toMatch(/^at 10: foo: /)
  })
})

const rsa = (bits: number, type: 'spki' | 'pkcs1') =>
  generateKeyPairSync('rsa', { modulusLength: bits }).publicKey.export({ type, format: 'der' })
const key = (octets: Uint8Array) => base64FromOctets(Uint8Array.from(octets))
const K1024 = key(rsa(1024, 'spki'))
const ED = key(new Uint8Array(32))

describe('DKIM', () => {
  checkCases('s1._domainkey.example.com', [
    ['an RSA key', `v=DKIM1; k=rsa; p=${K1024}`, []],
    ['a key alone', `p=${K1024}`, []],
    ['a bare RSA key', `v=DKIM1; p=${key(rsa(1024, 'pkcs1'))}`, []],
    ['a longer key', `v=DKIM1; p=${key(rsa(2048, 'spki'))};`, []],
    ['a key with whitespace', `v=DKIM1; p=${K1024.slice(0, 40)} ${K1024.slice(40)}`, []],
    ['Ed25519', `v=DKIM1; k=ed25519; p=${ED}`, []],
    ['every tag', `v=DKIM1; h=sha256:sha1; k=rsa; n=note; s=email; t=y:s; p=${K1024}`, []],
    ['a revoked key', 'v=DKIM1; p=', []],
    ['no key', 'v=DKIM1; k=rsa', ['dkim.key-missing']],
    ['no base64', 'v=DKIM1; p=abc', ['dkim.key']],
    ['not an RSA key', 'v=DKIM1; p=AQID', ['dkim.key']],
    ['a key that is cut short', `v=DKIM1; p=${K1024.slice(0, 100)}`, ['dkim.key']],
    ['an RSA key that is too short', `v=DKIM1; p=${key(rsa(768, 'spki'))}`, ['dkim.key-length']],
    ['an Ed25519 key of 33 octets', `v=DKIM1; k=ed25519; p=${key(new Uint8Array(33))}`, ['dkim.key']],
    ['an RSA key declared as Ed25519', `v=DKIM1; k=ed25519; p=${K1024}`, ['dkim.key']],
    ['another type of key', `v=DKIM1; k=ecdsa; p=${K1024}`, ['dkim.key-type']],
    ['another version', `v=DKIM2; p=${K1024}`, ['dkim.version']],
    ['the version not first', `p=${K1024}; v=DKIM1`, ['dkim.version']],
    ['an unknown tag', `v=DKIM1; x=1; p=${K1024}`, ['dkim.unknown-tag']],
    ['a tag twice', `v=DKIM1; k=rsa; k=rsa; p=${K1024}`, ['dkim.duplicate-tag']],
    ['SHA-1 alone', `v=DKIM1; h=sha1; p=${K1024}`, ['dkim.hash']],
    ['another service', `v=DKIM1; s=tls; p=${K1024}`, ['dkim.service']],
    ['another flag', `v=DKIM1; t=z; p=${K1024}`, ['dkim.flag']],
    ['a part that is not a tag', `v=DKIM1; hello; p=${K1024}`, ['dkim.syntax']],
    ['a TXT record that is not DKIM', 'hello', []],
  ])
  test('keys are checked only at _domainkey names', () =>
    expect(rulesOf('example.com', 'v=DKIM1; p=abc')).toEqual([]))
})

describe('DMARC', () => {
  checkCases('_dmarc.example.com', [
    ['a policy', 'v=DMARC1; p=none', []],
    ['a policy with reports', 'v=DMARC1; p=reject; rua=mailto:a@example.com', []],
    [
      'every tag',
      'v=DMARC1; p=reject; sp=quarantine; np=reject; psd=n; t=n; adkim=s; aspf=r; pct=50; fo=1:d:s; rf=afrf; ri=86400; rua=mailto:a@example.com!10m, mailto:b@example.com; ruf=mailto:c@example.com',
      [],
    ],
    ['no policy', 'v=DMARC1', ['dmarc.policy-missing']],
    ['an unknown policy', 'v=DMARC1; p=block', ['dmarc.value']],
    ['an unknown tag', 'v=DMARC1; p=none; foo=bar', ['dmarc.unknown-tag']],
    ['a tag twice', 'v=DMARC1; p=none; p=reject', ['dmarc.duplicate-tag']],
    ['a percentage over 100', 'v=DMARC1; p=none; pct=101', ['dmarc.value']],
    ['an invalid alignment', 'v=DMARC1; p=none; adkim=strict', ['dmarc.value']],
    ['an address without mailto:', 'v=DMARC1; p=none; rua=a@example.com', ['dmarc.value']],
    ['reports to the web', 'v=DMARC1; p=none; rua=https://example.com/', ['dmarc.value']],
    ['failure options without failure reports', 'v=DMARC1; p=none; fo=1', ['dmarc.unused']],
    ['lower case version', 'v=dmarc1; p=none', ['dmarc.value']],
    ['a part that is not a tag', 'v=DMARC1; p=none; hello', ['dmarc.syntax']],
    ['an invalid interval', 'v=DMARC1; p=none; ri=daily', ['dmarc.value']],
    ['another text', 'hello', []],
  ])
  test('two policies at one name', () => {
    expect(rulesOf('_dmarc.example.com', 'v=DMARC1; p=none', ['v=DMARC1; p=reject'])).toEqual([
      'dmarc.two-records',
    ])
  })
  test('policies are checked only at _dmarc names', () =>
    expect(rulesOf('example.com', 'v=DMARC1')).toEqual([]))
})

describe('the length of an RSA key', () => {
  test.each([512, 1024, 1032].flatMap((bits) => [[bits, 'spki'] as const, [bits, 'pkcs1'] as const]))(
    '%i bits as %s',
    (bits, type) => expect(rsaModulusBits(Uint8Array.from(rsa(bits, type)))).toBe(bits),
  )
  test.each([
    ['nothing', ''],
    ['no sequence', '0201'],
    ['a length without end', '3080'],
    ['a length beyond the end', '30050201'],
    ['octets behind', '30060201050201030000'],
    ['a negative modulus', '3006020185020103'],
    ['a modulus of zero', '3006020100020103'],
    ['no exponent', '3003020105'],
  ])('%s is not a key', (_, hex) =>
    expect(rsaModulusBits(octetsFromHex(hex) ?? new Uint8Array())).toBeUndefined(),
  )
  test('leading zeros do not count', () =>
    expect(rsaModulusBits(octetsFromHex('300702020005020103') ?? new Uint8Array())).toBe(3))
})

test('any string can be checked', () => {
  const words = fc.array(
    fc.constantFrom(
      'v=spf1 ',
      'v=DMARC1;',
      'v=DKIM1;',
      'p=',
      ';',
      ':',
      '/',
      '%{',
      'all',
      'ip4:',
      ' ',
      '=',
      ',',
      'mailto:a@b',
    ),
  )
  fc.assert(
    fc.property(
      fc.constantFrom('a', '_dmarc.a', 's._domainkey.a'),
      fc.oneof(
        fc.string({ unit: 'binary' }),
        words.map((list) => list.join('')),
      ),
      (name, text) => {
        for (const { rule, message } of checkEmailTxt(at(name), text)) {
          expect(rule).toMatch(/^(?:spf|dkim|dmarc)\.[a-z-]+$/)
          expect(message).not.toBe('')
        }
      },
    ),
  )
})
