// Runs the case table of every record type.
import { describe, expect, test } from 'vitest'
import { DATA_TYPE, GENERIC_TYPE } from '../codes.ts'
import { TextError, WireError } from '../errors.ts'
import { hexFromOctets, octetsFromHex } from '../octets.ts'
import { canonicalRdata, decodeRdata, encodeRdata, rdataFromText, rdataToText } from '../rdata.ts'
import { CASES } from './all.cases.ts'
import { RECORD_TYPES, recordTypeByCode, recordTypeByName } from './registry.ts'
import type { Rdata, TypeName } from './registry.ts'
import type { TypeCases } from './type-cases.cases.ts'

const MIN_CASES = 10

describe('registry', () => {
  const types = Object.entries(RECORD_TYPES)

  test('is sorted, and each key is the mnemonic', () => {
    expect(types.length).toBeGreaterThan(0)
    expect(types.map(([key]) => key)).toEqual(types.map(([key]) => key).toSorted())
    expect(types.map(([, type]) => type.type)).toEqual(types.map(([key]) => key))
  })

  test('the table of type numbers has the same types', () => {
    expect(Object.fromEntries(types.map(([key, type]) => [key, type.code]))).toEqual(DATA_TYPE)
    for (const code of Object.values(GENERIC_TYPE)) expect(recordTypeByCode(code)).toBeUndefined()
  })

  test('numbers are unique and map back', () => {
    expect(new Set(types.map(([, type]) => type.code)).size).toBe(types.length)
    for (const [key, type] of types) expect(recordTypeByCode(type.code)).toBe(recordTypeByName(key))
    expect(recordTypeByCode(65_280)).toBeUndefined()
    expect(recordTypeByName('toString')).toBeUndefined()
  })

  test('every rule has a unique id of its type, a field and a source', () => {
    const rules = types.flatMap(([, type]) =>
      type.rules.map((rule) => ({ ...rule, type: type.type.toLowerCase() })),
    )
    expect(rules.length).toBeGreaterThan(0)
    expect(new Set(rules.map((r) => r.rule)).size).toBe(rules.length)
    for (const { rule, type, source } of rules) {
      expect(rule).toMatch(new RegExp(`^${type}\\.[a-z][a-z-]+$`))
      expect(source).toMatch(/^RFC \d+( §[\d.]+)?$/)
    }
  })

  test('every rule has a case that breaks it', () => {
    for (const [key, type] of types) {
      const seen = new Set(CASES[key as TypeName].badValue.flatMap(([, , rules]) => rules)) // a key of the registry
      for (const { rule } of type.rules) expect(seen).toContain(rule)
    }
  })
})

for (const type of Object.keys(CASES) as TypeName[]) describeType(type) // the keys of CASES are type names

function describeType<T extends TypeName>(type: T): void {
  const { valid, values, badText, badValue, badWire }: TypeCases<Rdata<T>> = CASES[type]

  describe(type, () => {
    test('has enough cases', () => {
      expect(valid.length).toBeGreaterThanOrEqual(MIN_CASES)
      expect(values.length).toBeGreaterThan(0)
      expect(badText.length + badValue.length + badWire.length).toBeGreaterThanOrEqual(MIN_CASES)
      for (const cases of [badText, badValue, badWire]) expect(cases.length).toBeGreaterThan(0)
    })

    test.each(rows(valid))('reads and writes %s', (_, [, text, hex, prints = text]) => {
      const value = rdataFromText(type, text)
      const wire = encodeRdata(type, value)
      expect(hexFromOctets(wire)).toBe(hex)
      expect(decodeRdata(type, wire)).toEqual(value)
      expect(hexFromOctets(canonicalRdata(type, value))).toBe(hex)
      expect(rdataToText(type, value)).toBe(prints)
      expect(rdataFromText(type, prints)).toEqual(value)
      expect(recordTypeByName(type).check(value)).toEqual([])
    })

    test.each(rows(values))('%s is the typed value', (_, [text, value]) => {
      expect(rdataFromText(type, text)).toEqual(value)
      expect(rdataToText(type, value)).toBe(text)
      expect(recordTypeByName(type).check(value)).toEqual([])
    })

    test.each(rows(badText))('refuses the text of %s', (_, [, text, rule, offset]) => {
      const error = thrown(() => rdataFromText(type, text))
      expect(error).toBeInstanceOf(TextError)
      expect(error).toMatchObject(offset === undefined ? { rule } : { rule, offset })
    })

    test.each(rows(badValue))('finds all errors of %s', (_, [, value, rules]) => {
      const issues = recordTypeByName(type).check(value)
      expect(issues.map((issue) => issue.rule)).toEqual(rules)
      expect(issues.every((issue) => Object.keys(Object(value)).includes(issue.field))).toBe(true)
    })

    test.each(rows(badWire))('refuses the octets of %s', (_, [, hex, rule]) => {
      const error = thrown(() => decodeRdata(type, octetsFromHex(hex) ?? new Uint8Array()))
      expect(error).toBeInstanceOf(WireError)
      expect(error).toMatchObject({ rule })
    })
  })
}

/** Each row with its name, so that rows of different lengths keep their types. */
function rows<R extends readonly [string, ...unknown[]]>(table: readonly R[]): [name: string, row: R][] {
  return table.map((row) => [row[0], row])
}

function thrown(run: () => unknown): unknown {
  try {
    run()
  } catch (error) {
    return error
  }
  return undefined
}
