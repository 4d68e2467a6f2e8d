// LOC: degrees, minutes, seconds and meters in `data`; content is in presentation format without the unit of meters.
import { angleParts, rdataFromText, rdataToText, TextError, type Loc } from '@zonereeve/dns'
import type { Issue } from '@zonereeve/platform'
import { faultOf, readData, type DataReader } from './data-fields.ts'
import { brokenRules, defineWireType, type ValueInput } from './wire-type.ts'

// Defaults of RFC 1876 §3, in meters.
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
  members: [
    'altitude',
    'lat_degrees',
    'lat_direction',
    'lat_minutes',
    'lat_seconds',
    'long_degrees',
    'long_direction',
    'long_minutes',
    'long_seconds',
    'precision_horz',
    'precision_vert',
    'size',
  ],
  read(input, context) {
    const value = (input.data === undefined ? fromContent(input.content) : undefined) ?? fromData(input)
    if (!('version' in value)) return value
    const broken = brokenRules('LOC', value, context)
    return broken.length === 0 ? { value } : broken.map(issueOf)
  },
  show: (value) => ({ content: rdataToText('LOC', value).replaceAll('m', ''), data: dataOf(value) }),
})

/** Replies had the prefix `IN LOC` in the past. */
function fromContent(content = ''): Loc | readonly Issue[] | undefined {
  try {
    return rdataFromText('LOC', content.replace(/^\s*(?:IN\s+)?LOC\s+/i, ''))
  } catch (error) {
    if (!(error instanceof TextError)) throw error
    // Content in another format is reported as missing members of `data`.
    if (!error.rule.startsWith('loc.')) return undefined
    const detail = `${error.rule.replace('loc.', '')}: ${error.message}.`
    return [{ reason: 'record.content', pointer: '/content', values: { type: 'LOC' }, detail }]
  }
}

function fromData({ data = {} }: ValueInput) {
  const given = Object.fromEntries(
    Object.entries(data).filter(([, sent]) => sent !== null && sent !== undefined),
  )
  const reader = readData({ ...DEFAULTS, ...given })
  const altitude = centimetres(reader.decimal('altitude', MIN_ALTITUDE_METRES, MAX_ALTITUDE_METRES, 2))
  const latitude = readAngle(reader, 'lat', 90, 'N', 'S')
  const longitude = readAngle(reader, 'long', 180, 'E', 'W')
  const readSize = (member: string) => centimetres(reader.decimal(member, 0, MAX_SIZE_METRES, 2))
  const horizontalPrecision = readSize('precision_horz')
  const verticalPrecision = readSize('precision_vert')
  const size = readSize('size')
  if (reader.issues.length > 0) return reader.issues
  return { version: 0, size, horizontalPrecision, verticalPrecision, latitude, longitude, altitude } as const
}

/** Thousandths of an arcsecond, from four members that begin with `prefix`. */
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
    reader.reject(`${prefix}_direction`, `${positive} or ${negative}`)
  }
  const minutes = reader.integer(`${prefix}_minutes`, 59)
  const seconds = reader.decimal(`${prefix}_seconds`, 0, 59.999, 3)
  const total = (degrees * 60 + minutes) * 60_000 + Math.round(seconds * 1000)
  return direction === negative && total !== 0 ? -total : total
}

const centimetres = (metres: number): number => Math.round(metres * 100)

/** Members for the fields of packages/dns that have another name. */
const MEMBERS: Readonly<Record<string, string>> = {
  latitude: 'lat_degrees',
  longitude: 'long_degrees',
  horizontalPrecision: 'precision_horz',
  verticalPrecision: 'precision_vert',
}

/** Issues that depend on more than the range of one member: 90 degrees and a minute, a size of two digits. */
function issueOf({ field: name, message }: { readonly field: string; readonly message: string }): Issue {
  const field = MEMBERS[name] ?? name
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
