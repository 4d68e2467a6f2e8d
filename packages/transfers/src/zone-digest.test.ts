// Which digests of a transferred zone are accepted, and what a transfer with a wrong one leaves.
import { createHash } from 'node:crypto'
import { encodeRdata, parseName, rdataFromTextByCode, zoneDigestOctets } from '@zonereeve/dns'
import { describe, expect, test } from 'vitest'
import { changesDigest, verifyDigest } from './zone-digest.ts'

const APEX = parseName('followed.example')
const SOA = { mname: APEX, rname: APEX, serial: 2, refresh: 3600, retry: 600, expire: 86_400, minimum: 60 }
const record = (name: string, type: number, text: string) => ({
  name: parseName(name),
  type,
  ttlSeconds: 60,
  rdata: rdataFromTextByCode(type, text),
})
const RECORDS = [
  record('followed.example', 2, 'ns.followed.example.'),
  record('www.followed.example', 1, '192.0.2.1'),
]
const WRONG = '00'.repeat(48)

/** The digest of the zone, for its SOA. */
function right(algorithm: 'sha384' | 'sha512'): string {
  const hash = createHash(algorithm)
  const soa = { name: APEX, type: 6, ttl: 3600, rdata: encodeRdata('SOA', SOA) }
  const records = [soa, ...RECORDS.map(({ ttlSeconds: ttl, ...one }) => ({ ...one, ttl }))]
  for (const octets of zoneDigestOctets(APEX, records)) hash.update(octets)
  return hash.digest('hex')
}

function verify(...digests: string[]): Promise<void> {
  const records = [...RECORDS, ...digests.map((digest) => record('followed.example', 63, digest))]
  return verifyDigest(APEX, {
    kind: 'zone',
    soa: SOA,
    soaTtlSeconds: 3600,
    fromSerial: undefined,
    contents: { kind: 'whole', records },
  })
}

describe('accepted', () => {
  test.each<[string, string[]]>([
    ['no digest', []],
    ['SHA-384', [`2 1 1 ${right('sha384')}`]],
    ['SHA-512', [`2 1 2 ${right('sha512')}`]],
    ['one of two kinds', [`2 1 1 ${WRONG}`, `2 1 2 ${right('sha512')}`]],
    ['an unknown scheme', [`2 240 1 ${WRONG}`]],
    ['an unknown hash', [`2 1 240 ${WRONG}`]],
  ])('%s', async (_, digests) => {
    await expect(verify(...digests)).resolves.toBeUndefined()
  })
})

describe('rejected', () => {
  test.each<[string, string[], RegExp]>([
    ['a wrong digest', [`2 1 1 ${WRONG}`], /does not match/],
    ['one of another kind', [`2 1 1 ${WRONG}`, `2 240 1 ${WRONG}`], /does not match/],
    ['the digest of another serial', [`1 1 1 ${right('sha384')}`], /not for its serial, 2/],
    ['two of the same kind', [`2 1 1 ${right('sha384')}`, `2 1 1 ${WRONG}`], /serial/],
  ])('%s', async (_, digests, problem) => {
    await expect(verify(...digests)).rejects.toThrow(problem)
  })
})

test('a difference changes the digest only if it has one at the apex', () => {
  const difference = (...added: ReturnType<typeof record>[]) =>
    changesDigest(APEX, {
      kind: 'difference',
      steps: [
        { removed: [], added: [] },
        { removed: [], added },
      ],
    })
  expect(difference(...RECORDS, record('www.followed.example', 63, `2 1 1 ${WRONG}`))).toBe(false)
  expect(difference(record('followed.example', 63, `2 1 1 ${WRONG}`))).toBe(true)
  expect(changesDigest(APEX, { kind: 'whole', records: [] })).toBe(false)
})
