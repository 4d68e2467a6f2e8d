// LOC as text (RFC 1876 §3): degrees, minutes, seconds, hemisphere, metres. Minutes, seconds, metres may be left out.

import { TextError } from '../errors.ts'
import type { TokenReader } from '../presentation.ts'
import type { Loc } from './loc.ts'

/** Of one coordinate. */
interface Angle {
  readonly degrees: number
  readonly minutes: number
  /** Thousandths of a second. */
  readonly milliseconds: number
}

/** Defaults of RFC 1876 §3 in centimetres. */
const DEFAULT_SIZE = 100
const DEFAULT_HORIZONTAL_PRECISION = 1_000_000
const DEFAULT_VERTICAL_PRECISION = 1_000

/** Everything is printed, with the unit of metres that all readers take. */
export function locToText(value: Loc): string {
  const { size, horizontalPrecision, verticalPrecision, latitude, longitude, altitude } = value
  const metres = [altitude, size, horizontalPrecision, verticalPrecision].map(
    (each) => `${metresText(each)}m`,
  )
  return [
    angleText(latitude),
    latitude < 0 ? 'S' : 'N',
    angleText(longitude),
    longitude < 0 ? 'W' : 'E',
    ...metres,
  ].join(' ')
}

/** Metres with the unit or without, sizes cut to their first digit as RFC 1876 Appendix A does. @throws TextError */
export function locFromText(tokens: TokenReader): Loc {
  const latitude = readAngle(tokens, 'latitude', 90, 'N', 'S')
  const longitude = readAngle(tokens, 'longitude', 180, 'E', 'W')
  const altitude = readMetres(tokens, 'altitude')
  if (altitude === undefined) throw new TextError('text.missing', tokens.offset, 'an altitude is missing')
  const sizeOr = (field: string, centimetres: number) =>
    tokens.remaining === 0 ? centimetres : firstDigit(readMetres(tokens, field) ?? 0)
  return {
    version: 0,
    size: sizeOr('size', DEFAULT_SIZE),
    horizontalPrecision: sizeOr('horizontalPrecision', DEFAULT_HORIZONTAL_PRECISION),
    verticalPrecision: sizeOr('verticalPrecision', DEFAULT_VERTICAL_PRECISION),
    latitude,
    longitude,
    altitude,
  }
}

/** Degrees, minutes and thousandths of a second of an angle, without its sign. */
export function angleParts(milliseconds: number): Angle {
  const total = Math.abs(milliseconds)
  return {
    degrees: Math.floor(total / 3_600_000),
    minutes: Math.floor(total / 60_000) % 60,
    milliseconds: total % 60_000,
  }
}

/** The number cut to its first digit, which is all that a size can hold: 1234 is 1000. */
export function firstDigit(centimetres: number): number {
  if (centimetres < 0) return centimetres // no size at all, which the field's check says
  const digits = String(centimetres)
  return Number(digits.charAt(0).padEnd(digits.length, '0'))
}

function angleText(angle: number): string {
  const { degrees, minutes, milliseconds } = angleParts(angle)
  return `${degrees} ${minutes} ${(milliseconds / 1000).toFixed(3)}`
}

function metresText(centimetres: number): string {
  return (centimetres / 100).toFixed(2)
}

function readAngle(
  tokens: TokenReader,
  field: string,
  limit: number,
  positive: string,
  negative: string,
): number {
  const { offset } = tokens
  const degrees = tokens.number()
  const minutes = isNumber(tokens) ? tokens.number() : 0
  const milliseconds = isNumber(tokens) ? readSeconds(tokens, field) : 0
  const { text, offset: at } = tokens.next()
  const hemisphere = text.toUpperCase()
  if (hemisphere !== positive && hemisphere !== negative) {
    throw new TextError(`loc.${field}`, at, `${positive} or ${negative} must follow`)
  }
  const total = degrees * 3_600_000 + minutes * 60_000 + milliseconds
  if (minutes > 59 || milliseconds > 59_999 || total > limit * 3_600_000) {
    throw new TextError(
      `loc.${field}`,
      offset,
      `must be at most ${limit} degrees, 59 minutes, 59.999 seconds`,
    )
  }
  return hemisphere === positive || total === 0 ? total : -total
}

function isNumber(tokens: TokenReader): boolean {
  return /^\d/.test(tokens.peek()?.text ?? '')
}

function readSeconds(tokens: TokenReader, field: string): number {
  const { text, offset } = tokens.next()
  const [, whole, fraction = ''] = /^(\d{1,2})(?:\.(\d{0,3}))?$/.exec(text) ?? []
  if (whole === undefined) {
    throw new TextError(`loc.${field}`, offset, 'seconds have at most three digits behind the point')
  }
  return Number(whole) * 1000 + Number(fraction.padEnd(3, '0'))
}

function readMetres(tokens: TokenReader, field: string): number | undefined {
  if (tokens.remaining === 0) return undefined
  const { text, offset } = tokens.next()
  const [, sign, whole, fraction = ''] = /^([+-]?)(\d{1,10})(?:\.(\d{0,2}))?m?$/i.exec(text) ?? []
  if (whole === undefined) {
    throw new TextError(`loc.${field}`, offset, 'metres have at most two digits behind the point')
  }
  const centimetres = Number(whole) * 100 + Number(fraction.padEnd(2, '0'))
  return sign === '-' && centimetres !== 0 ? -centimetres : centimetres
}
