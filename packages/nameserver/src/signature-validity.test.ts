// Checks every answered signature against its records, as a validator does (RFC 4035 §5.3).
//
// The test keys "sign" with a hash of their input, so a signature over one octet more or less is invalid; for example
// one that was made for the name of another query.
import { createHash } from 'node:crypto'
import { compareOctets, type Name, nameToWire, type ResourceRecord, type SigningKey } from '@zonereeve/dns'
import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { silentLog } from './silent-log.cases.ts'
import { decoded, opt, queryOf, zoneOf } from './asking.cases.ts'
import { createZoneTable, DEFAULT_LIMITS } from './index.ts'
import { noMetrics } from './metrics.ts'
import { QUESTIONS, RECORD_LINE } from './random-zone.cases.ts'
import { createResponder } from './responder.ts'
import { TYPE } from './rrset.ts'
import type { ZoneSigning } from './zone-signing.ts'
import { signingWith } from './zone-signing.cases.ts'

const DNAME = 39
const RRSIG = 46
const NSEC = 47
const NSEC3 = 50
/** Octets of an RRSIG before the signer's name. */
const FIXED_OCTETS = 18
const APEX = nameToWire('example.com' as Name) // in its canonical form
const DO = 0x8000

const hashOf = (octets: Uint8Array): Uint8Array => createHash('sha512').update(octets).digest()
const keyOf = (flags: number, tag: number): SigningKey => ({
  flags,
  algorithm: 13,
  publicKey: new Uint8Array(64).fill(tag),
  keyTag: tag,
  sign: hashOf,
})
const KEYS = [keyOf(257, 1), keyOf(256, 2)]

/** Answers of a zone to DO queries, without a limit on signatures. */
function signedClient(lines: readonly string[], denial: ZoneSigning['denial']) {
  const table = createZoneTable()
  const zone = zoneOf('example.com', lines.join('\n'))
  table.load(zone)
  table.sign(zone.zoneId, signingWith(KEYS, { denial }))
  const limits = { ...DEFAULT_LIMITS, madeSignaturesPerSecond: 1_000_000_000 }
  const respond = createResponder({ table, log: silentLog, limits, metrics: noMetrics })
  return (question: string) => decoded(respond, queryOf(question, { tail: opt(1232, { flags: DO }) }), 'tcp')
}

/** What a validator would reject: wrong signatures, and rrsets without any. */
function objections(
  section: readonly ResourceRecord[],
  mayLack: (record: ResourceRecord | undefined) => boolean,
): string[] {
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
    const records = rrsets.get(of) ?? []
    if (isSynthesized(records[0], section)) return [`${of}: signature of a synthesized CNAME`]
    return isValid(rdata, records) ? [] : [`${of}: wrong signature`]
  })
  const lacking = [...rrsets]
    .filter(([of, records]) => !covered.has(of) && !mayLack(records[0]))
    .map(([of]) => `${of}: no signature`)
  return [...wrong, ...lacking]
}

/** RFC 4035 §5.3.2, with the records under the owner names of the answer. */
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

/** Whether a signed DNAME of its section implies it: only such a CNAME has no signature (RFC 6672 §5.3.1). */
function isSynthesized(record: ResourceRecord | undefined, section: readonly ResourceRecord[]): boolean {
  if (record?.type !== TYPE.CNAME) return false
  const isSigned = ({ name }: ResourceRecord): boolean =>
    section.some((each) => each.type === RRSIG && each.name === name && each.rdata[1] === DNAME)
  return section.some((each) => {
    if (each.type !== DNAME || !record.name.endsWith(`.${each.name}`) || !isSigned(each)) return false
    const prefix = nameToWire(record.name).subarray(0, -nameToWire(each.name).length)
    return compareOctets(Buffer.concat([prefix, each.rdata]), record.rdata) === 0
  })
}

/** RRSIG answers are not validated, and the NS rrset of a cut is not signed on this side. */
function objectionsTo(question: string, ask: ReturnType<typeof signedClient>): string[] {
  const { aa, answers, authorities, additionals } = ask(question)
  return [
    ...objections(answers, (record) => isSynthesized(record, answers)),
    ...objections(authorities, (record) => record?.type === TYPE.NS),
    ...objections(additionals, () => !aa || authorities.length > 0),
  ]
}

const WILD_CUT = ['* 300 NS ns.other.test.', '* 300 TYPE43 00010d02']

test.each([
  ['the DS of a cut by a wildcard', WILD_CUT, ['x.example.com A', 'y.example.com A', 'a.y.example.com A']],
  ['a DS query', WILD_CUT, ['x.example.com DS', 'y.example.com DS', '*.example.com DS', 'x.example.com A']],
  [
    'missing types of a cut by a wildcard',
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
    'additional addresses from a wildcard',
    ['* 300 A 192.0.2.1', '@ 300 MX 1 *', 'm 300 MX 1 x'],
    ['x.example.com A', 'example.com MX', 'm.example.com MX', 'y.example.com A'],
  ],
  [
    'a DNAME, of which only the DNAME is signed',
    ['d 300 DNAME e', 'e 300 DNAME *.f', '*.f 300 TXT "x"'],
    ['d.example.com DNAME', 'd.example.com TXT', 'x.d.example.com TXT', 'x.y.d.example.com CNAME'],
  ],
  [
    'a DNAME to which its own chain leads back: it is in the answer once',
    ['a.b 60 DNAME a.a', '*.a 60 CNAME a.b'],
    ['x.a.b.example.com DNAME', '*.a.b.example.com DNAME', 'a.b.example.com DNAME'],
  ],
])('%s: signatures are for the queried name', (_, lines, questions) => {
  for (const denial of ['nsec', 'nsec3'] as const) {
    const ask = signedClient(lines, denial)
    const seen = [...questions, ...questions].map((question) => [question, objectionsTo(question, ask)])
    expect(seen).toEqual([...questions, ...questions].map((question) => [question, []]))
  }
})

test('random zones: every signature is valid after any earlier queries, and none is missing', () => {
  let signatures = 0
  const denials = new Set<number>()
  let synthesized = 0
  fc.assert(
    fc.property(
      fc.subarray([...WILD_CUT, ...WILD_CUT.map((line) => line.replace('*', '*.a'))]),
      fc.array(RECORD_LINE, { maxLength: 10 }),
      fc.constantFrom('nsec' as const, 'nsec3' as const),
      (cuts, lines, denial) => {
        const ask = signedClient([...cuts, ...lines], denial)
        for (const question of QUESTIONS) {
          expect([question, objectionsTo(question, ask)]).toEqual([question, []])
          const { answers, authorities } = ask(question)
          synthesized += answers.filter((record) => isSynthesized(record, answers)).length
          for (const { type } of authorities) {
            if (type === RRSIG) signatures += 1
            if (type === NSEC || type === NSEC3) denials.add(type)
          }
        }
      },
    ),
    { numRuns: 60 },
  )
  expect(signatures).toBeGreaterThan(1000)
  expect(synthesized).toBeGreaterThan(100)
  expect(denials).toEqual(new Set([NSEC, NSEC3]))
})
