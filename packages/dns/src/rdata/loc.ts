// LOC: where on Earth a name is.

import { WireError } from '../errors.ts'
import { defineRecordType } from './define.ts'
import type { Field } from './define.ts'
import { locFromText, locToText } from './loc-text.ts'

/** A geographical location (RFC 1876 §2), in the units of the wire format without its offsets. */
export interface Loc {
  /** Version of the format; only 0 is defined. */
  readonly version: 0
  /** Diameter of the enclosing sphere in centimeters: one digit and up to nine zeros. */
  readonly size: number
  /** Diameter of the horizontal circle of error in centimeters: one digit and up to nine zeros. */
  readonly horizontalPrecision: number
  /** Vertical error, top to bottom, in centimeters: one digit and up to nine zeros. */
  readonly verticalPrecision: number
  /** Thousandths of a second of arc, north positive, up to 90 degrees. */
  readonly latitude: number
  /** Thousandths of a second of arc, east positive, up to 180 degrees. */
  readonly longitude: number
  /** Centimeters above the WGS 84 spheroid, -10000000..4284967295. */
  readonly altitude: number
}

const EQUATOR = 2 ** 31
const ALTITUDE_BASE_CENTIMETRES = 10_000_000
const DEGREE = 3_600_000

const version: Field<0> = {
  read: (r) => {
    const number = r.u8()
    if (number === 0) return 0
    throw new WireError('wire.value', r.offset - 1, `version ${number} is not defined`)
  },
  write: (w) => w.u8(0),
  toText: () => '',
  fromText: () => 0,
  check: () => undefined,
}

/** One digit times a power of ten in one octet (RFC 1876 §2, SIZE). */
const precision: Field<number> = {
  read: (r) => {
    const octet = r.u8()
    const digit = octet >> 4
    const power = octet & 0x0f
    if (digit <= 9 && power <= 9) return digit * 10 ** power
    throw new WireError('wire.value', r.offset - 1, 'both halves must be at most 9')
  },
  write: (w, value) => {
    if (precision.check(value) !== undefined)
      throw new WireError('wire.value', w.offset, `${value} does not fit`)
    const digits = String(value)
    w.u8((Number(digits.charAt(0)) << 4) | (digits.length - 1))
  },
  toText: String,
  fromText: (tokens) => tokens.number(),
  check: (value) =>
    /^(?:0|[1-9]0{0,9})$/.test(String(value))
      ? undefined
      : 'must have one digit followed by zeros, such as 0.20, 3 or 4000 meters, and be at most 90000000',
}

function offsetNumber(base: number, minimum: number, maximum: number, message: string): Field<number> {
  const fits = (value: number) => Number.isInteger(value) && value >= minimum && value <= maximum
  return {
    read: (r) => {
      const value = r.u32() - base
      if (fits(value)) return value
      throw new WireError('wire.value', r.offset - 4, message)
    },
    write: (w, value) => w.u32(value + base),
    toText: String,
    fromText: (tokens) => tokens.number(),
    check: (value) => (fits(value) ? undefined : message),
  }
}

export const loc = defineRecordType<Loc>({
  type: 'LOC',
  code: 29,
  refs: ['RFC 1876'],
  fields: {
    version,
    size: precision,
    horizontalPrecision: precision,
    verticalPrecision: precision,
    latitude: offsetNumber(EQUATOR, -90 * DEGREE, 90 * DEGREE, 'must be at most 90 degrees'),
    longitude: offsetNumber(EQUATOR, -180 * DEGREE, 180 * DEGREE, 'must be at most 180 degrees'),
    altitude: offsetNumber(
      ALTITUDE_BASE_CENTIMETRES,
      -ALTITUDE_BASE_CENTIMETRES,
      0xffff_ffff - ALTITUDE_BASE_CENTIMETRES,
      'must be from -100000.00 to 42849672.95 meters',
    ),
  },
  toText: locToText,
  fromText: locFromText,
})
