import { createHmac } from 'node:crypto'
import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { TSIG_ERROR } from './codes.ts'
import { WireError } from './errors.ts'
import { parseName as n } from './name.ts'
import { hexFromOctets, octetsFromHex, octetsFromLatin1 } from './octets.ts'
import {
  checkTsig,
  createTsigSigner,
  createTsigVerifier,
  MAX_UNSIGNED_MESSAGES,
  readTsig,
  signRefusal,
  TSIG_ALGORITHMS,
  tsigOctets,
} from './tsig.ts'
import type { Hmac, SignedMessage, TsigAlgorithm, TsigKey } from './tsig.ts'

const NOW = 1_700_000_000
const bytes = (hex: string): Uint8Array => octetsFromHex(hex.replaceAll(' ', '')) ?? new Uint8Array()
const secret = octetsFromLatin1('0123456789abcdef0123456789abcdef')
const keyOf = (algorithm: TsigAlgorithm): TsigKey => ({ name: n('key.example'), algorithm, secret })
const key = keyOf('hmac-sha256')
const hmac: Hmac = (algorithm, octets, parts) => {
  const running = createHmac(algorithm.slice('hmac-'.length), octets)
  for (const part of parts) running.update(part)
  return new Uint8Array(running.digest())
}
const findKey = (name: string, algorithm: TsigAlgorithm) => (name === key.name ? keyOf(algorithm) : undefined)
const check = (message: Uint8Array, nowSeconds = NOW) =>
  checkTsig(signed(message), { findKey, hmac, nowSeconds })

function signed(message: Uint8Array): SignedMessage {
  const read = readTsig(message)
  if (read === undefined) throw new Error('the message is not signed')
  return read
}

const question = '03777777076578616d706c6500 0006 0001'
const query = bytes(`1234 0000 0001 0000 0000 0000 ${question}`)
const answer = bytes(`1234 8000 0001 0000 0000 0000 ${question}`)

/** MACs that dnspython 2.3 computes for the same query and answer, with the same key and time. */
const MACS: Readonly<Record<TsigAlgorithm, readonly [request: string, response: string]>> = {
  'hmac-sha1': ['a72e872b2a636eeef30cb9a61600693f19a240c1', 'e677cc6b079f83454c9d675f3c6677ad134e0334'],
  'hmac-sha256': [
    '2ef0d81efd51321836895592d06ebb806053e360d7bed977bca5f1f52c2ac791',
    '362a61b986c306b2520b84f745021bdc67054401c19449243bd505eb5f133165',
  ],
  'hmac-sha384': [
    '0eb06897bfa254a5df3a14f8d904499be40ceaa75a48a6c6d1fc71e9c78081893edc135471b6fe049ad87e0d7b3241bb',
    '781743bc90faea7af26ece04c90ae66bf86c91ffddbcab3510ae208b7a7864fbda390b0d582911223bfa61cd99ead4e5',
  ],
  'hmac-sha512': [
    'feeaea3ec8dc6ba51fc315f4abc61159e3e3445e13d7fe824669d794a7531b6c8365aa79db53e53b8157c923b08e7ee484123463497a356f2cede1fc28b5a304',
    '667c07fd4a335a7a3809da08626b338229acfe1c01d44adb4aae2c52bf3bf74262659957ef1bb1937b366134a034dcbc6db0f688581bd0a2e5319ae63deaddd5',
  ],
}

const algorithms = Object.keys(TSIG_ALGORITHMS) as TsigAlgorithm[] // the keys of the table

test('there is an independent MAC for every algorithm', () => {
  expect(Object.keys(MACS)).toEqual(algorithms)
})

describe.each(algorithms)('%s', (algorithm) => {
  const own = keyOf(algorithm)

  test('a request and its answer have the MACs of another implementation', () => {
    const asking = createTsigSigner(own, { hmac })
    const asked = asking.sign(query, NOW)
    expect(hexFromOctets(asking.mac)).toBe(MACS[algorithm][0])
    expect(asked).toHaveLength(query.length + tsigOctets(own))

    const answering = createTsigSigner(own, { hmac, requestMac: signed(asked).tsig.mac })
    const answered = answering.sign(answer, NOW)
    expect(hexFromOctets(answering.mac)).toBe(MACS[algorithm][1])
    const verifier = createTsigVerifier(own, { hmac, requestMac: asking.mac })
    expect(verifier.take(answered, NOW)).toBeUndefined()
    expect(verifier.isSettled).toBe(true)
  })

  test('a MAC may be truncated to half, and not further', () => {
    const whole = signed(createTsigSigner(own, { hmac }).sign(query, NOW))
    const cut = (octets: number) => ({
      ...whole,
      tsig: { ...whole.tsig, mac: whole.tsig.mac.slice(0, octets) },
    })
    const deps = { findKey, hmac, nowSeconds: NOW }
    const half = Math.max(10, TSIG_ALGORITHMS[algorithm] / 2)
    expect(checkTsig(cut(half), deps)).toMatchObject({ kind: 'valid' })
    expect(() => checkTsig(cut(half - 1), deps)).toThrow(WireError)
    expect(() => checkTsig(cut(0), deps)).toThrow(WireError)
  })
})

test('messages of a stream are signed like those of another implementation', () => {
  const rest =
    '000000000001076578616d706c650000fc0001036b6579c00c00fa00ff00000000003d0b686d61632d7368613235360000006553f100012c0020'
  const macs = [
    '3a074589c448f8a20decd994139f7fb3d53afac51c20a51bb540f9339d11b4d6',
    '15dfaf3f8ff5efd33f366c6df21bbb324ec9316fa2f82d1453285a3902b37ce0',
    'a921f07e66d521d7374209a5997208bc9fd81d697b83e17bd1882a958e03b13f',
  ]
  const asked = createTsigSigner(key, { hmac })
  asked.sign(bytes('0007 0000 0001 0000 0000 0000 076578616d706c6500 00fc 0001'), NOW)
  const verifier = createTsigVerifier(key, { hmac, requestMac: asked.mac })
  const signer = createTsigSigner(key, { hmac, requestMac: asked.mac })
  const plain = bytes('0007 8000 0001 0000 0000 0000 076578616d706c6500 00fc 0001')
  for (const mac of macs) {
    expect(verifier.take(bytes(`000780000001${rest}${mac}000700000000`), NOW)).toBeUndefined()
    signer.sign(plain, NOW)
    expect(hexFromOctets(signer.mac)).toBe(mac)
  }
  expect(verifier.isSettled).toBe(true)
})

describe('a request is refused', () => {
  const sign = (other: TsigKey, nowSeconds = NOW) => createTsigSigner(other, { hmac }).sign(query, nowSeconds)
  const { BADKEY, BADSIG, BADTIME } = TSIG_ERROR
  const changed = sign(key)
  changed[2] = 0x01
  test.each<[name: string, message: Uint8Array, error: number]>([
    ['with a key that is not known', sign({ ...key, name: n('other.example') }), BADKEY],
    ['with a wrong secret', sign({ ...key, secret: octetsFromLatin1('wrong') }), BADSIG],
    ['when it was changed on the way', changed, BADSIG],
    ['when it is too old', sign(key, NOW - 301), BADTIME],
    ['when it is too new', sign(key, NOW + 301), BADTIME],
  ])('%s', (_, message, error) => {
    expect(check(message)).toMatchObject({ kind: 'refused', error })
  })

  test('a request at the limit of the allowed clock difference is accepted', () => {
    expect(check(sign(key, NOW - 300))).toEqual({ kind: 'valid', key })
    expect(check(sign(key, NOW + 300))).toEqual({ kind: 'valid', key })
  })

  test('BADTIME is signed and has the server time; BADKEY and BADSIG have no MAC', () => {
    const request = signed(sign(key, NOW - 900)).tsig
    const late = signRefusal(answer, request, { error: BADTIME, key }, { hmac, nowSeconds: NOW })
    const { tsig } = signed(late)
    expect(tsig).toMatchObject({ error: BADTIME, timeSigned: NOW - 900 })
    expect(hexFromOctets(tsig.otherData)).toBe('00006553f100')
    const verifier = createTsigVerifier(key, { hmac, requestMac: request.mac })
    expect(verifier.take(late, NOW - 900)).toBe('refused')

    const unknown = signRefusal(answer, request, { error: BADKEY, key: undefined }, { hmac, nowSeconds: NOW })
    expect(signed(unknown).tsig).toMatchObject({ error: BADKEY, mac: new Uint8Array(0) })
  })
})

describe('an answer is rejected', () => {
  const asking = createTsigSigner(key, { hmac })
  asking.sign(query, NOW)
  const requestMac = asking.mac
  const answered = (other: TsigKey, mac = requestMac) =>
    createTsigSigner(other, { hmac, requestMac: mac }).sign(answer, NOW)
  test.each<[name: string, message: Uint8Array, fault: string]>([
    ['without a signature', answer, 'unsigned'],
    ['with another key', answered({ ...key, name: n('other.example') }), 'other_key'],
    ['with another algorithm', answered(keyOf('hmac-sha512')), 'other_key'],
    ['with a wrong secret', answered({ ...key, secret: octetsFromLatin1('wrong') }), 'bad_mac'],
    ['to another request', answered(key, new Uint8Array(32)), 'bad_mac'],
  ])('%s', (_, message, fault) => {
    const verifier = createTsigVerifier(key, { hmac, requestMac })
    expect(verifier.take(message, NOW)).toBe(fault)
    expect(verifier.isSettled).toBe(false)
  })

  test('an answer that ends unsigned, or has too many unsigned messages, is rejected', () => {
    const verifier = createTsigVerifier(key, { hmac, requestMac })
    expect(verifier.take(answered(key), NOW)).toBeUndefined()
    for (let i = 0; i < MAX_UNSIGNED_MESSAGES; i += 1) expect(verifier.take(answer, NOW)).toBeUndefined()
    expect(verifier.isSettled).toBe(false)
    expect(verifier.take(answer, NOW)).toBe('unsigned')
  })
})

describe('reading', () => {
  const whole = createTsigSigner(key, { hmac }).sign(query, NOW)
  test('a message without a signature returns undefined', () => {
    expect(readTsig(query)).toBeUndefined()
  })

  test('the signed message is returned with its own id', () => {
    const forwarded = new Uint8Array(whole)
    forwarded.set([0xff, 0xff])
    expect(signed(forwarded).unsigned).toEqual(query)
    expect(check(forwarded)).toEqual({ kind: 'valid', key })
  })

  test.each<[name: string, change: (message: Uint8Array) => Uint8Array]>([
    ['a record after the signature', (m) => bytes(`${hexFromOctets(m)}00 0029 04d0 00000000 0000`)],
    ['the class IN', (m) => bytes(hexFromOctets(m).replace('00fa00ff', '00fa0001'))],
    ['a TTL', (m) => bytes(hexFromOctets(m).replace('00fa00ff00000000', '00fa00ff00000001'))],
  ])('refuses %s', (_, change) => {
    const message = change(whole)
    if (message.length > whole.length) message[11] = 2
    expect(() => readTsig(message)).toThrow(WireError)
  })

  test('octets that are not a message throw only WireError', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 200 }), fc.nat(whole.length), (octets, at) => {
        for (const message of [octets, new Uint8Array([...whole.slice(0, at), ...octets])]) {
          try {
            const read = readTsig(message)
            if (read !== undefined) checkTsig(read, { findKey, hmac, nowSeconds: NOW })
          } catch (error) {
            expect(error).toBeInstanceOf(WireError)
          }
        }
      }),
    )
  })

  test('a signed message with any changed octet is rejected', () => {
    fc.assert(
      fc.property(fc.nat(whole.length - 1), fc.integer({ min: 1, max: 255 }), (at, difference) => {
        // The ID is not signed: forwarders change it (RFC 8945 §5.3). Letters of names may change their case.
        fc.pre(at > 1 && difference !== 0x20)
        const message = new Uint8Array(whole)
        message[at] = (message[at] ?? 0) ^ difference
        try {
          const read = readTsig(message)
          if (read !== undefined)
            expect(checkTsig(read, { findKey, hmac, nowSeconds: NOW }).kind).toBe('refused')
        } catch (error) {
          expect(error).toBeInstanceOf(WireError)
        }
      }),
    )
  })
})
