// Compares our octets with those of BIND's record checker and of dnspython, for every case and for arbitrary values.
import { spawnSync } from 'node:child_process'
import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { DEBIAN_PYTHON } from '../../../../scripts/requirements.ts'
import { describeWith } from '../../../../scripts/test-requirements.ts'
import { hexFromOctets } from '../octets.ts'
import { encodeRdata, rdataFromText, rdataToText } from '../rdata.ts'
import { CASES } from './all.cases.ts'
import { RECORD_TYPES } from './registry.ts'
import type { Rdata, TypeName } from './registry.ts'
import type { TypeCases } from './type-cases.cases.ts'

interface Sample {
  readonly type: TypeName
  readonly text: string
  readonly hex: string
}

const TYPES = Object.keys(RECORD_TYPES) as TypeName[] // the keys of the registry are type names
const ARBITRARY_VALUES = 25
const SEED = 9460
/** Follows the output about a record. */
const END = 'end of the answer'
const MAX_OUTPUT_BYTES = 64 * 1_048_576

/** Replaces key names that older peers do not know by numbers. */
const spelled = (text: string): string => text.replace(' dohpath=', ' key7=')

/**
 * Values that dnspython reads differently: octets of some strings as UTF-8, and altitudes as floating-point numbers.
 */
const isUnlikeDnspython = ({ type, text }: Sample): boolean =>
  NOT_IN_DNSPYTHON.includes(type) ||
  ((type === 'CAA' || type === 'HINFO') && /\\[12]\d\d/.test(text)) ||
  (type === 'LOC' && /\.(?!00)\d\dm/.test(text))

/** Types that it cannot parse, or whose empty and non-ASCII strings it changes (ISDN). */
const NOT_IN_DNSPYTHON: readonly TypeName[] = ['ISDN', 'KEY', 'MINFO', 'TALINK']

const fixed: Sample[] = TYPES.flatMap((type) =>
  CASES[type].valid.map(([, text, hex, prints = text]) => ({ type, text: prints, hex })),
)
const arbitrary: Sample[] = TYPES.flatMap((type) => samplesOf(type))

function samplesOf<T extends TypeName>(type: T): Sample[] {
  const { any, oracle, plain = oracle?.plain ?? any }: TypeCases<Rdata<T>> = CASES[type]
  return fc.sample(plain, { numRuns: ARBITRARY_VALUES, seed: SEED }).map((value) => {
    const text = rdataToText(type, value)
    expect(rdataFromText(type, text)).toEqual(value)
    return { type, text, hex: hexFromOctets(encodeRdata(type, value)) }
  })
}

describe('samples', () => {
  test('exist for every type', () => {
    for (const type of TYPES) {
      expect(fixed.filter((sample) => sample.type === type).length).toBeGreaterThanOrEqual(10)
      expect(arbitrary.filter((sample) => sample.type === type)).toHaveLength(ARBITRARY_VALUES)
    }
  })
})

/** The samples whose octets differ from the peer's, with the peer's output. */
const differences = (answers: readonly string[], samples: readonly Sample[]) =>
  samples
    .map((sample, i) => ({ ...sample, peer: answers[i] ?? 'no answer' }))
    .filter((row) => row.peer !== row.hex)

describeWith('named-rrchecker', 'BIND', () => {
  test.each([
    ['case', fixed],
    ['arbitrary value', arbitrary.filter((_, i) => i % 3 === 0)],
  ])('reads every %s as we do', (_, samples) => {
    expect(differences(bindOctets(samples), samples)).toEqual([])
  })
})

/** Starts BIND's checker for each line: it reads one record. A shell does it with less work than this large process. */
const CHECK_EACH = `while IFS= read -r line; do printf '%s\\n' "$line" | named-rrchecker -u 2>&1; echo ${END}; done`

/** The octets that BIND makes from the texts, ignoring the case of names. */
function bindOctets(samples: readonly Sample[]): string[] {
  const lines = samples.map(({ type, text }) => `IN ${type} ${spelled(text)}\n`)
  expect(lines.filter((line) => line.indexOf('\n') !== line.length - 1)).toEqual([])
  const { stdout } = spawnSync('sh', ['-c', CHECK_EACH], {
    input: lines.join(''),
    encoding: 'utf8',
    maxBuffer: MAX_OUTPUT_BYTES,
  })
  return stdout.split(`${END}\n`).map((answer) => {
    const found = /\\# \d+ ?([0-9A-F ]*)/.exec(answer)
    return found === null ? answer : (found[1] ?? '').replaceAll(' ', '').toLowerCase()
  })
}

describeWith('dnspython', 'dnspython', () => {
  test.each([
    ['case', fixed],
    ['arbitrary value', arbitrary],
  ])('reads every %s as we do', (_, samples) => {
    const alike = samples.filter((sample) => !isUnlikeDnspython(sample))
    expect(alike.length).toBeGreaterThan(samples.length * 0.9)
    expect(differences(dnspythonOctets(alike), alike)).toEqual([])
  })
})

const SCRIPT = `
import json, sys, dns.name, dns.rdata
for type, text in json.load(sys.stdin):
    try:
        value = dns.rdata.from_text("IN", type, text, origin=dns.name.root, relativize=False)
        print(value.to_wire().hex())
    except Exception as error:
        print(repr(error).replace("\\n", " "))
`

function dnspythonOctets(samples: readonly Sample[]): string[] {
  const input = JSON.stringify(samples.map(({ type, text }) => [type, spelled(text)]))
  const { stdout } = spawnSync(DEBIAN_PYTHON, ['-c', SCRIPT], { input, encoding: 'utf8' })
  return stdout.split('\n')
}
