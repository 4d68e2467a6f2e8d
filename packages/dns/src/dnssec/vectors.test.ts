// Examples from the RFCs: keys, digests, signatures, bitmaps and hashes.
import { createHash, createPrivateKey, createPublicKey, sign, verify } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { base64FromOctets, octetsFromBase64 } from '../base64.ts'
import { nameToWire, parseName } from '../name.ts'
import { hexFromOctets, octetsFromHex } from '../octets.ts'
import { decodeRdata, encodeRdata, rdataFromText } from '../rdata.ts'
import { base32Hex, nsec3Hash, nsec3Owner, nsecRdata } from './denial.ts'
import { dsOf } from './ds.ts'
import { signRrset } from './rrsig.ts'
import type { RrsetToSign } from './rrsig.ts'
import { keyTag } from './signing-key.ts'

const wire = (name: string) => nameToWire(parseName(name))
const octets = (base64: string) => octetsFromBase64(base64) ?? new Uint8Array()
const hash = (algorithm: string) => (input: Uint8Array) => createHash(algorithm).update(input).digest()

const ED25519 = {
  secret: 'ODIyNjAzODQ2MjgwODAxMjI2NDUxOTAyMDQxNDIyNjI=',
  dnskey: '257 3 15 l02Woi0iS8Aa25FQkUd9RMzZHJpBoRQwAQEX1SxZJA4=',
}
const P256 = {
  dnskey: '257 3 13 GojIhhXUN/u4v54ZQqGSnyhWJwaubCvTmeexv7bR6edbkrSqQpF64cYbcB7wNcP+e+MAnLr+Wi9xMWyQLc8NAA==',
}

describe('digests and key tags', () => {
  test.each([
    [
      'RFC 4034 §5.4',
      'dskey.example.com',
      '256 3 5 AQOeiiR0GOMYkDshWoSKz9XzfwJr1AYtsmx3TGkJaNXVbfi/2pHm822aJ5iI9BMzNXxeYCmZDRD99WYwYqUSdjMmmAphXdvxegXd/M5+X7OrzKBaMbCVdFLUUh6DhweJBjEVv5f2wwjM9XzcnOf+EPbtG9DMBmADjFDc2w/rljwvFw==',
      'sha1',
      1,
      60_485,
      '2bb183af5f22588179a53b0a98631fad1a292118',
    ],
    [
      'RFC 6605 §6.1',
      'example.net',
      P256.dnskey,
      'sha256',
      2,
      55_648,
      'b4c8c1fe2e7477127b27115656ad6256f424625bf5c1e2770ce6d6e37df61d17',
    ],
    [
      'RFC 8080 §6.1',
      'example.com',
      ED25519.dnskey,
      'sha256',
      2,
      3613,
      '3aa5ab37efce57f737fc1627013fee07bdf241bd10f3b1964ab55c78e79a304b',
    ],
  ])('%s', (_, zone, text, algorithm, digestType, tag, digest) => {
    const key = rdataFromText('DNSKEY', text)
    const ds = dsOf(parseName(zone), key, digestType, hash(algorithm))
    expect(keyTag(key)).toBe(tag)
    expect({ ...ds, digest: hexFromOctets(ds.digest) }).toEqual({
      keyTag: tag,
      algorithm: key.algorithm,
      digestType,
      digest,
    })
  })
})

describe('signatures', () => {
  test('RFC 8080 §6.1: Ed25519, octet for octet', () => {
    const seed = Buffer.concat([
      Buffer.from('302e020100300506032b657004220420', 'hex'),
      octets(ED25519.secret),
    ])
    const secret = createPrivateKey({ key: seed, format: 'der', type: 'pkcs8' })
    const rrset: RrsetToSign = {
      owner: wire('example.com'),
      type: 15,
      ttl: 3600,
      rdatas: [encodeRdata('MX', { preference: 10, exchange: parseName('mail.example.com') })],
    }
    const key = { algorithm: 15, keyTag: 3613, sign: (input: Uint8Array) => sign(null, input, secret) }
    const window = { inception: 1_438_207_200, expiration: 1_440_021_600 }
    const rdata = signRrset(rrset, wire('example.com'), key, window)
    expect(base64FromOctets(rdata.subarray(-64))).toBe(
      'oL9krJun7xfBOIWcGHi7mag5/hdZrKWw15jPGrHpjQeRAvTdszaPD+QLs3fx8A4M3e23mRZ9VrbpMngwcrqNAg==',
    )
    expect(hexFromOctets(rdata.subarray(0, 18))).toBe('000f0f0200000e1055d4fc6055b94ce00e1d')
  })

  test('RFC 6605 §6.1: the signature over A records verifies', () => {
    const { publicKey } = rdataFromText('DNSKEY', P256.dnskey)
    const key = createPublicKey({
      key: {
        kty: 'EC',
        crv: 'P-256',
        x: Buffer.from(publicKey.subarray(0, 32)).toString('base64url'),
        y: Buffer.from(publicKey.subarray(32)).toString('base64url'),
      },
      format: 'jwk',
    })
    const rrset: RrsetToSign = {
      owner: wire('www.example.net'),
      type: 1,
      ttl: 3600,
      rdatas: [encodeRdata('A', { address: '192.0.2.1' })],
    }
    const signature = octets(
      'qx6wLYqmh+l9oCKTN6qIc+bw6ya+KJ8oMz0YP107epXAyGmt+3SNruPFKG7tZoLBLlUzGGus7ZwmwWep666VCw==',
    )
    const window = { inception: seconds('2010-08-12T10:04:39Z'), expiration: seconds('2010-09-09T10:04:39Z') }
    const isTrue = (signed: RrsetToSign): boolean => {
      let verified = false
      const sign = (input: Uint8Array): Uint8Array => {
        verified = verify('sha256', input, { key, dsaEncoding: 'ieee-p1363' }, signature)
        return signature
      }
      const rdata = signRrset(signed, wire('example.net'), { algorithm: 13, keyTag: 55_648, sign }, window)
      expect(hexFromOctets(rdata.subarray(-64))).toBe(hexFromOctets(signature))
      return verified
    }
    expect(isTrue(rrset)).toBe(true)
    expect(isTrue({ ...rrset, ttl: 3601 })).toBe(false)
  })

  test.each([
    ['the root', '.', 0],
    ['a name', 'a.example', 2],
    ['a wildcard, whose asterisk is not counted', '*.a.example', 2],
    ['an asterisk elsewhere', 'a.*.example', 3],
  ])('labels of %s', (_, owner, labels) => {
    const rrset = { owner: wire(owner), type: 1, ttl: 0, rdatas: [] }
    const rdata = signRrset(rrset, wire('.'), NO_SIGNATURE, { inception: 0, expiration: 1 })
    expect(rdata[3]).toBe(labels)
  })

  test('long rrsets are signed whole, and their octets are not kept', () => {
    const owner = wire('a.example')
    const octetsOf = (count: number, length: number): { signed: number; arrayOctets: number } => {
      let [signed, arrayOctets] = [0, 0]
      const sign = (input: Uint8Array): Uint8Array => {
        ;[signed, arrayOctets] = [input.length, input.buffer.byteLength]
        return new Uint8Array(64)
      }
      const rdatas = Array.from({ length: count }, () => new Uint8Array(length))
      const key = { ...NO_SIGNATURE, sign }
      signRrset({ owner, type: 16, ttl: 0, rdatas }, wire('.'), key, { inception: 0, expiration: 1 })
      return { signed, arrayOctets }
    }
    const frame = 18 + 1 + owner.length + 10
    expect(octetsOf(1, 65_536 - frame)).toEqual({ signed: 65_536, arrayOctets: 65_536 })
    expect(octetsOf(1, 65_537 - frame)).toEqual({ signed: 65_537, arrayOctets: 65_537 })
    expect(octetsOf(100, 1_000).signed).toBe(19 + 100 * (owner.length + 10 + 1_000))
    expect(octetsOf(1, 4)).toEqual({ signed: frame + 4, arrayOctets: 65_536 })
  })

  test('a signature of another length is refused: octets behind it would be anything', () => {
    const rrset = { owner: wire('a.example'), type: 1, ttl: 0, rdatas: [] }
    for (const octets of [0, 63, 65]) {
      const key = { ...NO_SIGNATURE, sign: () => new Uint8Array(octets) }
      expect(() => signRrset(rrset, wire('.'), key, { inception: 0, expiration: 1 })).toThrow(RangeError)
    }
  })
})

describe('denial', () => {
  test('RFC 4034 §4.3: an NSEC', () => {
    const rdata = nsecRdata(wire('host.example.com'), [1234, 47, 46, 15, 1])
    const bitmaps = `0006400100000003041b${'00'.repeat(26)}20`
    expect(hexFromOctets(rdata)).toBe(`04686f7374076578616d706c6503636f6d00${bitmaps}`)
  })

  test.each([
    ['example', '0p9mhaveqvm6t7vbl5lop2u3t2rp3tom'],
    ['a.example', '35mthgpgcu1qg68fab165klnsnk3dpvl'],
    ['ai.example', 'gjeqe526plbf1g8mklp59enfd789njgi'],
    ['ns1.example', '2t7b4g4vsa5smi47k61mv5bv1a22bojr'],
    ['ns2.example', 'q04jkcevqvmu85r014c7dkba38o0ji5r'],
    ['w.example', 'k8udemvp1j2f7eg6jebps17vp3n8i58h'],
    ['*.w.example', 'r53bq7cc2uvmubfu5ocmm6pers9tk9en'],
    ['x.w.example', 'b4um86eghhds6nea196smvmlo4ors995'],
    ['y.w.example', 'ji6neoaepv8b5o6k4ev33abha8ht9fgc'],
    ['x.y.w.example', '2vptu5timamqttgl4luu9kg21e0aor3s'],
    ['xx.example', 't644ebqk9bibcna874givr6joj62mlhv'],
  ])('RFC 5155 Appendix A: the hash of %s', (name, expected) => {
    const parameters = { salt: octetsFromHex('aabbccdd') ?? new Uint8Array(), iterations: 12 }
    const hashed = nsec3Hash(wire(name), parameters, hash('sha1'))
    expect(base32Hex(hashed)).toBe(expected)
    expect(nsec3Owner(hashed, wire('example'))).toEqual(wire(`${expected}.example`))
  })
})

const NO_SIGNATURE = { algorithm: 13, keyTag: 0, sign: () => new Uint8Array(64) }
const seconds = (date: string) => Date.parse(date) / 1000

test('the tag is computed from the rdata of the DNSKEY', () => {
  const rdata = encodeRdata('DNSKEY', rdataFromText('DNSKEY', P256.dnskey))
  expect(keyTag(decodeRdata('DNSKEY', rdata))).toBe(55_648)
})
