// Tables of values as the API takes and shows them, for one record type: what is sent, what is kept, what is wrong.
import { encodeRdata, parseName, type Rdata, type TypeName } from '@zonereeve/dns'
import { describe, expect, test } from 'vitest'
import { wireTypeOf, type RecordTypeName } from './registry.ts'
import type { ShownValue, ValueInput } from './wire-type.ts'

type Sent = Partial<ValueInput>

export interface ValueTable {
  readonly type: RecordTypeName
  /** What is shown of what was sent; it must be taken again as it is. */
  readonly valid: readonly (readonly [name: string, sent: Sent, shown: ShownValue])[]
  /** All issues in order, `reason pointer`. */
  readonly invalid: readonly (readonly [name: string, sent: Sent, issues: readonly string[]])[]
}

/** Runs the rows. The zone is example.com. */
export function checkValues({ type, valid, invalid }: ValueTable): void {
  const wireType = wireTypeOf(type)
  const read = (sent: Sent) =>
    wireType.read(
      { content: undefined, data: undefined, priority: undefined, ...sent },
      { apex: parseName('example.com'), quoteTxt: true },
    )

  describe(type, () => {
    test('there are rows, and only addresses and aliases can be proxied', () => {
      expect(valid.length).toBeGreaterThan(0)
      expect(invalid.length).toBeGreaterThan(0)
      expect(wireType.proxiable).toBe(false)
    })

    test.each(valid)('%s', (_, sent, shown) => {
      const kept = read(sent)
      if (!('value' in kept)) throw new Error(JSON.stringify(kept))
      expect(wireType.show(kept.value)).toEqual(shown)
      const again = read(shown)
      if (!('value' in again)) throw new Error(JSON.stringify(again))
      expect(again.value).toEqual(kept.value)
      expect(encodeRdata(type as TypeName, kept.value as Rdata<TypeName>).length).toBeGreaterThan(0)
    })

    test.each(invalid)('refuses %s', (_, sent, issues) => {
      const kept = read(sent)
      if ('value' in kept) throw new Error(`taken: ${JSON.stringify(wireType.show(kept.value))}`)
      expect(kept.map(({ reason, pointer }) => `${reason} ${pointer}`)).toEqual(issues)
    })
  })
}

/** One issue for each of these members, which are missing. */
export const missing = (...members: readonly string[]): string[] =>
  members.map((member) => `record.data_required /data/${member}`)

/** One issue for each of these members, which are wrong. */
export const wrong = (...members: readonly string[]): string[] =>
  members.map((member) => `record.data_field /data/${member}`)
