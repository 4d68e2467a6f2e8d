// LOC: degrees, minutes, seconds and metres in `data`; content is zone-file text without the unit of metres.
import { angleParts, firstDigit, rdataToText, recordTypeByName, type Loc } from '@zonereeve/dns'
import type { Issue } from '../../../platform/domain-error.ts'
import { faultOf, readData, type DataReader } from './data-fields.ts'
import { valueFromContent } from './data-type.ts'
import { defineWireType, type ValueInput } from './wire-type.ts'

// Defaults of RFC 1876 §3, in metres.
const DEFAULTS = {
  lat_minutes: 0,
  lat_seconds: 0,
  long_minutes: 0,
  long_seconds: 0,
  size: 1,
  precision_horz: 10_000,
  precision_vert: 10,
}
const MAX_SIZE_METRES = 90_000_000
const MIN_ALTITUDE_METRES = -100_000
const MAX_ALTITUDE_METRES = 42_849_672.95

export const loc = defineWireType({
  type: 'LOC',
  proxiable: false,
  read(input) {
    const value = (input.data === undefined ? fromContent(input.content) : undefined) ?? fromData(input)
    if (!('version' in value)) return value
    const broken = recordTypeByName('LOC').check(value)
    return broken.length === 0 ? { value } : broken.map(({ field, message }) => angleIssue(field, message))
  },
  show: (value) => ({ content: rdataToText('LOC', value).replaceAll('m', ''), data: dataOf(value) }),
})

/** `IN LOC` in front is how replies once had it. */
const fromContent = (content: string | undefined): Loc | undefined =>
  valueFromContent('LOC', content?.replace(/^\s*(?:IN\s+)?LOC\s+/i, ''))

function fromData({ data = {} }: ValueInput) {
  const given = Object.fromEntries(
    Object.entries(data).filter(([, sent]) => sent !== null && sent !== undefined),
  )
  const reader = readData({ ...DEFAULTS, ...given })
  const altitude = centimetres(reader.decimal('altitude', MIN_ALTITUDE_METRES, MAX_ALTITUDE_METRES, 2))
  const latitude = readAngle(reader, 'lat', 90, 'N', 'S')
  const longitude = readAngle(reader, 'long', 180, 'E', 'W')
  const readSize = (member: string) => firstDigit(centimetres(reader.decimal(member, 0, MAX_SIZE_METRES, 2)))
  const horizontalPrecision = readSize('precision_horz')
  const verticalPrecision = readSize('precision_vert')
  const size = readSize('size')
  if (reader.issues.length > 0) return reader.issues
  return { version: 0, size, horizontalPrecision, verticalPrecision, latitude, longitude, altitude } as const
}

/** Thousandths of a second of arc, from four members that begin with `prefix`. */
function readAngle(
  reader: DataReader,
  prefix: string,
  limit: number,
  positive: string,
  negative: string,
): number {
  const degrees = reader.integer(`${prefix}_degrees`, limit)
  const before = reader.issues.length
  const direction = reader.text(`${prefix}_direction`).toUpperCase()
  if (direction !== positive && direction !== negative && reader.issues.length === before) {
    reader.refuse(`${prefix}_direction`, `${positive} or ${negative}`)
  }
  const minutes = reader.integer(`${prefix}_minutes`, 59)
  const seconds = reader.decimal(`${prefix}_seconds`, 0, 59.999, 3)
  const total = (degrees * 60 + minutes) * 60_000 + Math.round(seconds * 1000)
  return direction === negative && total !== 0 ? -total : total
}

const centimetres = (metres: number): number => Math.round(metres * 100)

/** What single members cannot show: 90 degrees and a minute. */
function angleIssue(angle: string, message: string): Issue {
  const field = angle === 'latitude' ? 'lat_degrees' : 'long_degrees'
  return {
    reason: 'record.data_field',
    pointer: `/data/${field}`,
    values: { fault: faultOf(field, message) },
  }
}

function dataOf(value: Loc): Record<string, string | number> {
  const lat = angleParts(value.latitude)
  const long = angleParts(value.longitude)
  return {
    altitude: value.altitude / 100,
    lat_degrees: lat.degrees,
    lat_direction: value.latitude < 0 ? 'S' : 'N',
    lat_minutes: lat.minutes,
    lat_seconds: lat.milliseconds / 1000,
    long_degrees: long.degrees,
    long_direction: value.longitude < 0 ? 'W' : 'E',
    long_minutes: long.minutes,
    long_seconds: long.milliseconds / 1000,
    precision_horz: value.horizontalPrecision / 100,
    precision_vert: value.verticalPrecision / 100,
    size: value.size / 100,
  }
}
