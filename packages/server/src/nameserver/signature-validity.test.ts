// Every signature that is answered is held against the records that it stands with, as a validator does (RFC 4035 §5.3).
//
// Keys "sign" by a hash of what they are given: so nothing is taken for valid that was made of one octet more or less, as a
// name that another asker had.
import { createHash } from 'node:crypto'
import { compareOctets, nameToWire } from '@zonereeve/dns'
import type { Name, ResourceRecord, SigningKey } from '@zonereeve/dns'
import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { silentLog } from '../platform/log.ts'
import { decoded, opt, queryOf, zoneOf } from './asking.cases.ts'
import { createZoneTable, DEFAULT_LIMITS } from './index.ts'
import { noMetrics } from './metrics.ts'
import { QUESTIONS, RECORD_LINE } from './random-zone.cases.ts'
import { createResponder } from './responder.ts'
import { TYPE } from './rrset.ts'
import type { ZoneSigning } from './zone-signing.ts'
import { signingWith } from './zone-signing.cases.ts'

const RRSIG = 46
const NSEC = 47
const NSEC3 = 50
/** Octets of an RRSIG before the signer's name. */
const FIXED_OCTETS = 18
const APEX = nameToWire('example.com' as Name) // in its canonical form
const DO = 0x8000

const hashOf = (octets: Uint8Array): Uint8Array => createHash('sha256').update(octets).digest()
const keyOf = (flags: number, tag: number): SigningKey => ({
  flags,
  algorithm: 13,
  publicKey: new Uint8Array(64).fill(tag),
  keyTag: tag,
  sign: hashOf,
})
const KEYS = [keyOf(257, 1), keyOf(256, 2)]

/** Answers of a zone to those who ask for signatures, as many as they like. */
function signedAsker(lines: readonly string[], denial: ZoneSigning['denial']) {
  const table = createZoneTable()
  const zone = zoneOf('example.com', lines.join('\n'))
  table.load(zone)
  table.sign(zone.zoneId, signingWith(KEYS, { denial }))
  const limits = { ...DEFAULT_LIMITS, madeSignaturesPerSecond: 1_000_000_000 }
  const respond = createResponder({ table, log: silentLog, limits, metrics: noMetrics })
  return (question: string) => decoded(respond, queryOf(question, { tail: opt(1232, { flags: DO }) }), 'tcp')
}

/** What a validator would object to: signatures that do not fit, and rrsets without any. */
function objections(section: readonly ResourceRecord[], mayLack: (type: number) => boolean): string[] {
  const rrsets = new Map<string, ResourceRecord[]>()
  for (const record of section) {
    const of = `${record.name} TYPE${record.type}`
    if (record.type !== RRSIG) rrsets.set(of, [...(rrsets.get(of) ?? []), record])
  }
  const signatures = section.filter(({ type }) => type === RRSIG)
  const covered = new Set<string>()
  const wrong = signatures.flatMap(({ name, rdata }) => {
    const of = `${name} TYPE${((rdata[0] ?? 0) << 8) | (rdata[1] ?? 0)}`
    covered.add(of)
    return isValid(rdata, rrsets.get(of) ?? []) ? [] : [`${of}: wrong signature`]
  })
  const lacking = [...rrsets]
    .filter(([of, records]) => !covered.has(of) && !mayLack(records[0]?.type ?? 0))
    .map(([of]) => `${of}: no signature`)
  return [...wrong, ...lacking]
}

/** RFC 4035 §5.3.2, with the records under the names that they were answered with. */
function isValid(rrsig: Uint8Array, records: readonly ResourceRecord[]): boolean {
  const [first] = records
  const prefixEnd = FIXED_OCTETS + APEX.length
  if (first === undefined || compareOctets(rrsig.subarray(FIXED_OCTETS, prefixEnd), APEX) !== 0) return false
  const labels = first.name.split('.').length - (first.name.startsWith('*.') ? 1 : 0)
  if (rrsig[3] !== labels) return false
  const owner = nameToWire(first.name)
  const rdatas = records.map(({ rdata }) => rdata).toSorted(compareOctets)
  const input = [rrsig.subarray(0, prefixEnd)]
  for (const rdata of rdatas) {
    const fixed = new DataView(new ArrayBuffer(10))
    fixed.setUint16(0, first.type)
    fixed.setUint16(2, 1)
    fixed.setUint32(4, first.ttl)
    fixed.setUint16(8, rdata.length)
    input.push(owner, new Uint8Array(fixed.buffer), rdata)
  }
  return compareOctets(hashOf(Buffer.concat(input)), rrsig.subarray(prefixEnd)) === 0
}

/** A signature by itself is no answer that anybody validates, and the name servers of a cut are not this side's to sign. */
function objectionsTo(question: string, ask: ReturnType<typeof signedAsker>): string[] {
  const { aa, answers, authorities, additionals } = ask(question)
  return [
    ...objections(answers, () => false),
    ...objections(authorities, (type) => type === TYPE.NS),
    ...objections(additionals, () => !aa || authorities.length > 0),
  ]
}

const WILD_CUT = ['* 300 NS ns.other.test.', '* 300 TYPE43 00010d02']

test.each([
  [
    'the DS of a cut that a wildcard makes',
    WILD_CUT,
    ['x.example.com A', 'y.example.com A', 'a.y.example.com A'],
  ],
  [
    'a DS that is asked for',
    WILD_CUT,
    ['x.example.com DS', 'y.example.com DS', '*.example.com DS', 'x.example.com A'],
  ],
  [
    'what a cut that a wildcard makes has not',
    WILD_CUT.slice(0, 1),
    ['x.example.com A', 'y.example.com A', 'y.example.com DS'],
  ],
  [
    'a wildcard’s records',
    ['* 300 TXT "x"'],
    ['x.example.com TXT', 'y.example.com TXT', '*.example.com TXT', 'x.example.com ANY', 'y.example.com ANY'],
  ],
  [
    'a wildcard’s alias and its target',
    ['* 300 CNAME x.b', '*.b 300 TXT "x"'],
    ['x.example.com TXT', 'y.example.com TXT', 'y.b.example.com TXT'],
  ],
  [
    'addresses beside an answer that are a wildcard’s own',
    ['* 300 A 192.0.2.1', '@ 300 MX 1 *', 'm 300 MX 1 x'],
    ['x.example.com A', 'example.com MX', 'm.example.com MX', 'y.example.com A'],
  ],
])('%s: signatures are those of the name that was asked for', (_, lines, questions) => {
  for (const denial of ['nsec', 'nsec3'] as const) {
    const ask = signedAsker(lines, denial)
    const seen = [...questions, ...questions].map((question) => [question, objectionsTo(question, ask)])
    expect(seen).toEqual([...questions, ...questions].map((question) => [question, []]))
  }
})

test('random zones: every signature is valid, whoever asked before, and nothing lacks one', () => {
  let signatures = 0
  const denials = new Set<number>()
  fc.assert(
    fc.property(
      fc.subarray([...WILD_CUT, ...WILD_CUT.map((line) => line.replace('*', '*.a'))]),
      fc.array(RECORD_LINE, { maxLength: 10 }),
      fc.constantFrom('nsec' as const, 'nsec3' as const),
      (cuts, lines, denial) => {
        const ask = signedAsker([...cuts, ...lines], denial)
        for (const question of QUESTIONS) {
          expect([question, objectionsTo(question, ask)]).toEqual([question, []])
          for (const { type } of ask(question).authorities) {
            if (type === RRSIG) signatures += 1
            if (type === NSEC || type === NSEC3) denials.add(type)
          }
        }
      },
    ),
    { numRuns: 60 },
  )
  expect(signatures).toBeGreaterThan(1000)
  expect(denials).toEqual(new Set([NSEC, NSEC3]))
})
