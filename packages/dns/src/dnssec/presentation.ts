// Presentation format of the records that signers make: RRSIG, NSEC, NSEC3, NSEC3PARAM. It is printed but never
// parsed.

import { base64FromOctets } from '../base64.ts'
import { WireError } from '../errors.ts'
import { hexFromOctets } from '../octets.ts'
import { typeText } from '../type-code.ts'
import { Reader } from '../wire.ts'
import { base32Hex, NSEC, NSEC3, NSEC3PARAM } from './denial.ts'
import { RRSIG } from './rrsig.ts'
import { typesOfBitmaps } from './type-bitmaps.ts'

const STRINGS: ReadonlyMap<number, (reader: Reader) => string> = new Map([
  [RRSIG, rrsigText],
  [NSEC, (reader: Reader) => joinWithSpaces([nameText(reader), typesText(reader)])],
  [NSEC3, nsec3Text],
  [NSEC3PARAM, parametersText],
])

/**
 * Zone-file presentation of rdata of RRSIG, NSEC, NSEC3 or NSEC3PARAM (RFC 4034 §3.2, §4.2; RFC 5155 §3.3, §4.3),
 * with absolute names that end in a dot; undefined for all other types. @throws WireError for malformed octets
 */
export function signerText(type: number, rdata: Uint8Array): string | undefined {
  const toText = STRINGS.get(type)
  if (toText === undefined) return undefined
  const reader = new Reader(rdata, { pointers: false })
  const text = toText(reader)
  reader.done()
  return text
}

function rrsigText(reader: Reader): string {
  const covered = typeText(reader.u16())
  const [algorithm, labels, ttl] = [reader.u8(), reader.u8(), reader.u32()]
  const [expiration, inception, keyTag] = [timeText(reader.u32()), timeText(reader.u32()), reader.u16()]
  const signer = nameText(reader)
  const signature = base64FromOctets(reader.rest())
  if (signature === '') throw new WireError('wire.truncated', reader.offset, 'a signature must follow')
  return joinWithSpaces([covered, algorithm, labels, ttl, expiration, inception, keyTag, signer, signature])
}

function nsec3Text(reader: Reader): string {
  const parameters = parametersText(reader)
  const next = base32Hex(reader.bytes(reader.u8())).toUpperCase()
  if (next === '') throw new WireError('wire.truncated', reader.offset, 'a hash must follow')
  return joinWithSpaces([parameters, next, typesText(reader)])
}

/** The first fields of NSEC3, and all of NSEC3PARAM. */
function parametersText(reader: Reader): string {
  const [algorithm, flags, iterations] = [reader.u8(), reader.u8(), reader.u16()]
  const salt = hexFromOctets(reader.bytes(reader.u8())).toUpperCase()
  return joinWithSpaces([algorithm, flags, iterations, salt === '' ? '-' : salt])
}

const typesText = (reader: Reader): string => typesOfBitmaps(reader.rest()).map(typeText).join(' ')

function nameText(reader: Reader): string {
  const name = reader.name()
  return name === '.' ? name : `${name}.`
}

/** `YYYYMMDDHHmmSS` in UTC; 32-bit times are read as before 2106 (RFC 4034 §3.1.5). */
const timeText = (seconds: number): string =>
  new Date(seconds * 1_000).toISOString().slice(0, 19).replaceAll(/[-:T]/g, '')

const joinWithSpaces = (parts: readonly (string | number)[]): string =>
  parts.filter((part) => part !== '').join(' ')
