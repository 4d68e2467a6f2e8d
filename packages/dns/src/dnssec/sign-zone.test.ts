// Signs whole zones and checks them with the verifiers of BIND and ldns.
import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { describeWith } from '../../../../scripts/test-requirements.ts'
import { parseName } from '../name.ts'
import { encodeRdata, genericText } from '../rdata.ts'
import { typeText } from '../type-code.ts'
import { linesOf } from '../zonefile/entry-text.ts'
import { readZoneFile } from '../zonefile/read-zone-file.ts'
import { NSEC, NSEC3, NSEC3PARAM, DEFAULT_NSEC3 } from './denial.ts'
import { RRSIG } from './rrsig.ts'
import { signZone } from './sign-zone.ts'
import type { PlainRecord } from './sign-zone.ts'
import { newKey, sha1, signWith } from './signing.cases.ts'
import { dnskeyOf, SIGNING_ALGORITHM } from './signing-key.ts'

const APEX = parseName('example')
/** Seconds; BIND checks against the current time. */
const now = Math.floor(Date.now() / 1000)
const WINDOW = { inception: now - 3600, expiration: now + 86_400 }

const ZONE = `
@ 3600 SOA ns1 hostmaster 1 7200 900 86400 1800
@ 3600 NS ns1
@ 3600 NS ns2.elsewhere.test.
@ 300 MX 10 mail
@ 300 TXT "hello"
ns1 300 A 192.0.2.1
ns1 300 AAAA 2001:db8::1
mail 300 A 192.0.2.2
mail 600 A 192.0.2.3
a.b.c 300 A 192.0.2.4
*.w 300 TXT "wild"
www 300 CNAME mail
secure 300 NS ns.secure
secure 300 DS 1 13 2 0000000000000000000000000000000000000000000000000000000000000000
ns.secure 300 A 192.0.2.5
insecure 300 NS ns.insecure
insecure 300 TXT "not served"
ns.insecure 300 A 192.0.2.6
x.insecure 300 TXT "not served either"
a.d 300 DNAME mail
\\000odd 300 A 192.0.2.7
odd 300 TYPE65280 \\# 3 010203
`

const recordsOf = (zone: string): PlainRecord[] =>
  [...readZoneFile(linesOf(zone), { origin: APEX })].map(({ name, type, ttlSeconds, rdata }) => ({
    name,
    type,
    ttl: ttlSeconds,
    rdata,
  }))

function signed({
  algorithm = SIGNING_ALGORITHM.ECDSAP256SHA256 as number,
  zoneKeys = 1,
  nsec3 = undefined as Parameters<typeof signZone>[0]['nsec3'],
  zone = ZONE,
} = {}): PlainRecord[] {
  const keys = [newKey(257, algorithm), ...Array.from({ length: zoneKeys }, () => newKey(256, algorithm))]
  const dnskeys = keys.map((key) => ({
    name: APEX,
    type: 48,
    ttl: 3600,
    rdata: encodeRdata('DNSKEY', dnskeyOf(key)),
  }))
  const records = [...recordsOf(zone), ...dnskeys]
  return [...signZone({ apex: APEX, records, sign: signWith(APEX, keys, WINDOW), nsec3, negativeTtl: 1800 })]
}

const CASES: [name: string, make: () => PlainRecord[]][] = [
  ['P-256 and NSEC', () => signed()],
  ['Ed25519 and NSEC', () => signed({ algorithm: SIGNING_ALGORITHM.ED25519 })],
  ['two zone keys', () => signed({ zoneKeys: 2 })],
  ['NSEC3', () => signed({ nsec3: { ...DEFAULT_NSEC3, sha1 } })],
  [
    'NSEC3 with salt and iterations',
    () => signed({ nsec3: { salt: Uint8Array.of(0xaa, 0xbb), iterations: 3, sha1 } }),
  ],
  [
    'an empty zone',
    () => signed({ zone: '@ 3600 SOA ns1 hostmaster 1 7200 900 86400 1800\n@ 60 NS ns1.elsewhere.test.' }),
  ],
]

/** Names that other programs use for the types that only signing creates. */
const MADE: ReadonlyMap<number, string> = new Map([
  [RRSIG, 'RRSIG'],
  [NSEC, 'NSEC'],
  [NSEC3, 'NSEC3'],
  [NSEC3PARAM, 'NSEC3PARAM'],
])

const lineOf = ({ name, ttl, type, rdata }: PlainRecord): string =>
  `${name}. ${ttl} IN ${MADE.get(type) ?? typeText(type)} ${genericText(rdata)}`

/** The output of a verifier for a zone, and its exit status. */
function judge(command: string, args: readonly string[], records: readonly PlainRecord[]) {
  const folder = mkdtempSync(join(tmpdir(), 'zonereeve-signed-'))
  try {
    const file = join(folder, 'example.zone')
    writeFileSync(file, `${records.map(lineOf).join('\n')}\n`)
    const { status, stdout, stderr } = spawnSync(command, [...args, file], { encoding: 'utf8' })
    return { status, said: `${stdout}${stderr}` }
  } finally {
    rmSync(folder, { recursive: true })
  }
}

/** The same zone with one octet of one signature changed. */
function broken(records: readonly PlainRecord[]): PlainRecord[] {
  const last = records.findLastIndex(({ type }) => type === RRSIG)
  return records.map((record, at) => {
    if (at !== last) return record
    const rdata = record.rdata.slice()
    rdata[rdata.length - 1] = (rdata.at(-1) ?? 0) ^ 1
    return { ...record, rdata }
  })
}

describeWith('dnssec-verify', 'BIND', () => {
  test.each(CASES)('accepts %s', (_, make) => {
    const { status, said: given } = judge('dnssec-verify', ['-o', 'example', '-q'], make())
    expect(`${status} ${given}`).toBe('0 ')
  })
  test('rejects a wrong signature', () => {
    expect(judge('dnssec-verify', ['-o', 'example'], broken(signed())).status).not.toBe(0)
  })
})

describeWith('ldns-verify-zone', 'ldns', () => {
  test.each(CASES)('accepts %s', (_, make) => {
    const { status, said: given } = judge('ldns-verify-zone', [], make())
    expect(`${status} ${given}`).toMatch(/^0 Zone is verified and complete\s*$/)
  })
  test('rejects a wrong signature', () => {
    expect(judge('ldns-verify-zone', [], broken(signed())).status).not.toBe(0)
  })
})

describe('signed content', () => {
  const at = (records: readonly PlainRecord[], name: string) =>
    records.filter((record) => record.name === parseName(`${name}.example`)).map(({ type }) => type)

  test.each([
    ['a name', 'mail', [1, 1, NSEC, RRSIG, RRSIG]],
    ['a delegation without DS: no signature over its NS', 'insecure', [2, NSEC, RRSIG, 16]],
    ['a delegation with DS', 'secure', [2, 43, NSEC, RRSIG, RRSIG]],
    ['glue', 'ns.insecure', [1]],
    ['names hidden below a cut', 'x.insecure', [16]],
    ['an empty non-terminal', 'b.c', []],
  ])('%s', (_, name, types) => {
    expect(at(signed(), name)).toEqual(types)
  })

  test('the zone begins with its SOA, and has no NSEC if it has NSEC3', () => {
    const records = signed({ nsec3: { ...DEFAULT_NSEC3, sha1 } })
    expect(records[0]?.type).toBe(6)
    expect(records.filter(({ type }) => type === NSEC)).toEqual([])
    expect(records.filter(({ type }) => type === NSEC3).length).toBeGreaterThan(10)
  })

  test('an rrset has the lowest TTL of its records, and is signed with it', () => {
    const signature = signed().find(
      ({ name, type, rdata }) => name === 'mail.example' && type === RRSIG && rdata[1] === 1,
    )
    expect([signature?.ttl, signature?.rdata.subarray(4, 8)]).toEqual([300, Uint8Array.of(0, 0, 1, 44)])
  })

  test('signatures of an earlier signing are removed', () => {
    const once = signed()
    const keys = [newKey(257, 13), newKey(256, 13)]
    const sign = signWith(APEX, keys, WINDOW)
    const twice = [...signZone({ apex: APEX, records: once, sign, negativeTtl: 1800 })]
    expect(twice.length).toBe(once.length)
  })

  test('a zone without SOA is refused', () => {
    const sign = () => []
    expect(() => [...signZone({ apex: APEX, records: [], sign, negativeTtl: 0 })]).toThrow('SOA')
  })
})
