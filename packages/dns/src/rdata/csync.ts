// CSYNC: what a parent zone should copy from its child.

import { typeBitmaps, typesOfBitmaps } from '../dnssec/type-bitmaps.ts'
import { TextError } from '../errors.ts'
import { isDataType, typeCode, typeText } from '../type-code.ts'
import { defineRecordType } from './define.ts'
import type { Field } from './define.ts'
import { isAscending, u16, u32 } from './fields.ts'

/** A request to synchronize (RFC 7477 §2.1). */
export interface Csync {
  /** Serial of the zone from which the parent may take it. */
  readonly serial: number
  /** 1 = at once, 2 = not before the serial. */
  readonly flags: number
  /** Type numbers, ascending. */
  readonly types: readonly number[]
}

/** Types by name up to the end of the rdata, as a bitmap (RFC 4034 §4.1.2). */
const typeList: Field<readonly number[]> = {
  read: (r) => typesOfBitmaps(r.rest()),
  write: (w, value) => w.bytes(typeBitmaps(value)),
  toText: (value) => value.map(typeText).join(' '),
  fromText: (tokens) => {
    const types = new Set<number>()
    while (tokens.remaining > 0) {
      const { text, offset } = tokens.next()
      const type = typeCode(text)
      if (type === undefined) throw new TextError('text.type', offset, `${text} is not a record type`)
      types.add(type)
    }
    return [...types].toSorted((a, b) => a - b)
  },
  check: (value) => {
    return isAscending(value) && value.every(isDataType) ? undefined : 'must be record types, ascending'
  },
}

export const csync = defineRecordType<Csync>({
  type: 'CSYNC',
  code: 62,
  refs: ['RFC 7477 §2.1'],
  fields: { serial: u32, flags: u16, types: typeList },
})
