// Compares zone files with BIND, Knot and ldns: they accept what we write, and print what we read.
import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { describeWith } from '../../../../scripts/test-requirements.ts'
import { parseName } from '../name.ts'
import { octetsFromHex } from '../octets.ts'
import { CASES } from '../rdata/all.cases.ts'
import { recordTypeByName } from '../rdata/registry.ts'
import type { TypeName } from '../rdata/registry.ts'
import { linesOf } from './entry-text.ts'
import { readZoneFile } from './read-zone-file.ts'
import type { ZoneFileRecord } from './read-zone-file.ts'
import { recordLine, writeZoneFile } from './write-zone-file.ts'

const origin = parseName('zone.test')
const exportedAt = '2026-01-02 03:04:05'
const read = (text: string) => [...readZoneFile(linesOf(text), { origin })]

/** Records that must be alone at their name, or can only be at the apex. */
const NOT_HERE = new Set<TypeName>(['SOA', 'CNAME', 'DNAME', 'NS', 'DS', 'CDS', 'CDNSKEY', 'DNSKEY'])
/** Names of parameters that peers of Debian 12 do not know. */
const NEWER = / ohttp| dohpath=/

/** Every valid case of every type, one name each. */
const EVERYTHING: readonly Omit<ZoneFileRecord, 'line'>[] = [
  ...read(
    '@ 300 SOA ns1 admin 1 7200 3600 1209600 300\n@ 300 NS ns1\nns1 300 A 192.0.2.1\nns1 300 AAAA 2001:db8::1',
  ),
  ...(Object.keys(CASES) as TypeName[]) // the keys of CASES are type names
    .filter((type) => !NOT_HERE.has(type))
    .flatMap((type) =>
      CASES[type].valid
        .filter(([, text]) => !NEWER.test(text))
        .map(([, , hex], i) => ({
          name: parseName(`case${i}.${type}.zone.test`),
          ttlSeconds: 300,
          type: recordTypeByName(type).code,
          rdata: octetsFromHex(hex) ?? new Uint8Array(),
          attributes: { comment: `case ${i}`, tags: ['a:b'] },
        })),
    ),
]

/** Directives, inherited fields and similar shorthand of other programs. */
const SHORTHAND = `$TTL 1h
$ORIGIN zone.test.
@ IN SOA ns1 admin ( 1 ; serial
   7200 3600 1209600 300 )
  NS ns1
ns1 A 192.0.2.1
    AAAA 2001:db8::1
$ORIGIN sub.zone.test.
a 5m IN TXT "one" ( "two"
  "three" ) ; comment
b IN 1w2d MX 10 a
$GENERATE 1-3 host\${0,3} A 192.0.2.$
$GENERATE 10-20/5 $ 60 CNAME a
x TYPE65280 \\# 3 aabbcc
y CAA 0 issue "ca.example"
`

let folder = ''
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'zone-file-'))
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

function fileOf(text: string): string {
  const path = join(folder, 'zone')
  writeFileSync(path, `${text}\n`)
  return path
}

/** All records except those of types that a peer does not know. */
const without = (types: readonly TypeName[]) => {
  const codes = new Set(types.map((type) => recordTypeByName(type).code))
  return EVERYTHING.filter(({ type }) => !codes.has(type))
}
const NOT_IN_LDNS: readonly TypeName[] = ['AVC']
const NOT_IN_KNOT: readonly TypeName[] = ['AVC', 'DLV', 'GPOS', 'HIP', 'ISDN', 'NSAP', 'PX', 'TALINK', 'X25']

const written = (records = EVERYTHING) =>
  [...writeZoneFile(records, { domain: origin, exportedAt })].join('\n')

/** Records ignoring order, comments and the peer's notation. */
const facts = (records: Iterable<Omit<ZoneFileRecord, 'line'>>) =>
  [...records].map((record) => recordLine({ ...record, attributes: { comment: '', tags: [] } })).toSorted()

describe('a zone of all valid cases', () => {
  test('has many records', () => expect(EVERYTHING.length).toBeGreaterThan(150))
  test('is read back', () => {
    expect(facts(read(written()))).toEqual(facts(EVERYTHING))
  })
})

describeWith('named-compilezone', 'BIND', () => {
  test.each([
    ['our own format', () => written()],
    ['the formats of other programs', () => SHORTHAND],
  ])('reads %s as we do', (_, text) => {
    const output = join(folder, 'out')
    const options = [
      '-i',
      'none',
      '-k',
      'ignore',
      '-n',
      'ignore',
      '-m',
      'ignore',
      '-M',
      'ignore',
      '-S',
      'ignore',
    ]
    const { status, stdout } = spawnSync(
      'named-compilezone',
      [...options, '-s', 'full', '-o', output, 'zone.test', fileOf(text())],
      { encoding: 'utf8' },
    )
    expect(status === 0 ? '' : stdout).toBe('')
    expect(facts(read(readFileSync(output, 'utf8')))).toEqual(facts(read(text())))
  })
})

describeWith('ldns-read-zone', 'ldns', () => {
  test('reads our zone files as we do', () => {
    const known = without(NOT_IN_LDNS)
    const { status, stdout, stderr } = spawnSync('ldns-read-zone', [fileOf(written(known))], {
      encoding: 'utf8',
    })
    expect(status === 0 ? '' : stderr + stdout).toBe('')
    expect(facts(read(stdout))).toEqual(facts(known))
  })
})

describeWith('kzonecheck', 'Knot', () => {
  test.each([
    ['our own format', () => written(without(NOT_IN_KNOT))],
    ['the formats of other programs', () => SHORTHAND.replaceAll(/^\$GENERATE.*\n/gm, '')], // which Knot does not know
  ])('accepts %s', (_, text) => {
    const checked = spawnSync('kzonecheck', ['-o', 'zone.test', fileOf(text())], { encoding: 'utf8' })
    expect(checked.status === 0 ? '' : checked.stderr + checked.stdout).toBe('')
  })
})
