// LOC as text (RFC 1876 §3): degrees, minutes, seconds, hemisphere, meters. Minutes, seconds and meters are optional.

import { TextError } from '../errors.ts'
import type { TokenReader } from '../presentation.ts'
import type { Loc } from './loc.ts'

/** One coordinate. */
interface Angle {
  readonly degrees: number
  readonly minutes: number
  /** Thousandths of a second. */
  readonly milliseconds: number
}

/** Defaults of RFC 1876 §3 in centimeters. */
const DEFAULT_SIZE = 100
const DEFAULT_HORIZONTAL_PRECISION = 1_000_000
const DEFAULT_VERTICAL_PRECISION = 1_000

/** All fields are printed, with the unit for meters, which all readers accept. */
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

/** Meters with or without the unit. @throws TextError */
export function locFromText(tokens: TokenReader): Loc {
  const latitude = readAngle(tokens, 'latitude', 90, 'N', 'S')
  const longitude = readAngle(tokens, 'longitude', 180, 'E', 'W')
  if (tokens.remaining === 0) throw new TextError('text.missing', tokens.offset, 'an altitude is missing')
  const altitude = readMetres(tokens, 'altitude')
  const sizeOr = (field: string, centimetres: number) =>
    tokens.remaining === 0 ? centimetres : readMetres(tokens, field)
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
  const token = tokens.peek()
  return token !== undefined && /^\d/.test(token.text)
}

function readSeconds(tokens: TokenReader, field: string): number {
  const { text, offset } = tokens.next()
  const [, whole, fraction = ''] = /^(\d{1,2})(?:\.(\d{0,3}))?$/.exec(text) ?? []
  if (whole === undefined) {
    throw new TextError(`loc.${field}`, offset, 'seconds have at most three decimal places')
  }
  return Number(whole) * 1000 + Number(fraction.padEnd(3, '0'))
}

function readMetres(tokens: TokenReader, field: string): number {
  const { text, offset } = tokens.next()
  const [, sign, whole, fraction = ''] = /^([+-]?)(\d{1,10})(?:\.(\d{0,2}))?m?$/i.exec(text) ?? []
  if (whole === undefined) {
    throw new TextError(`loc.${field}`, offset, 'meters have at most two decimal places')
  }
  const centimetres = Number(whole) * 100 + Number(fraction.padEnd(2, '0'))
  return sign === '-' && centimetres !== 0 ? -centimetres : centimetres
}
