// Addresses, networks and address ranges.
import {
  addressBits,
  compareIp,
  type Ip,
  type IpRange,
  lastAddress,
  networkAddress,
  parseIp,
  parseLooseIp,
  sameIp,
} from '../ip.ts'
import { type Cursor, type Fault, isHexDigit } from '../lexer.ts'
import { parseDigits } from './number.ts'

const isAddressUnit = (unit: number): boolean =>
  isHexDigit(unit) || unit === 0x3a || unit === 0x2e || unit === 0x2f

/** Reads one full address. */
export function readIp(cursor: Cursor): Ip {
  const start = cursor.at
  const chunk = cursor.takeWhile('IP address character', isAddressUnit)
  const ip = parseIp(chunk)
  if (ip === undefined) throw badAddress(cursor, start, cursor.at)
  return ip
}

/** Reads an item of a set: an address, a network without host bits, or `first..last` of one family. */
export function readIpRange(cursor: Cursor): IpRange {
  const start = cursor.at
  const chunk = cursor.takeWhile('IP address character', isAddressUnit)
  const dots = chunk.indexOf('..')
  return dots === -1 ? readNetwork(cursor, start, chunk) : readBounds(cursor, start, chunk, dots)
}

function readBounds(cursor: Cursor, start: number, chunk: string, dots: number): IpRange {
  const first = parseIp(chunk.slice(0, dots))
  if (first === undefined) throw badAddress(cursor, start, start + dots)
  const last = parseIp(chunk.slice(dots + 2))
  if (last === undefined) throw badAddress(cursor, start + dots + 2, cursor.at)
  if (first.family !== last.family || compareIp(first, last) > 0) {
    throw cursor.fault('incompatible-range-bounds', 'incompatible range bounds', start, cursor.at)
  }
  return { first, last }
}

/** The length follows the last slash; the address is everything before it, and messages stop at the first. */
function readNetwork(cursor: Cursor, start: number, chunk: string): IpRange {
  const slash = chunk.lastIndexOf('/')
  const ip = parseLooseIp(slash === -1 ? chunk : chunk.slice(0, slash))
  const firstSlash = chunk.indexOf('/')
  const addressEnd = firstSlash === -1 ? cursor.at : start + firstSlash
  if (ip === undefined) throw badAddress(cursor, start, addressEnd)
  if (slash === -1) return { first: ip, last: ip }
  const length = parseDigits(chunk.slice(slash + 1), 10, 0n, 255n)
  const lengthStart = start + firstSlash + 1
  if (typeof length === 'string') {
    throw network(cursor, `couldn't parse length in network: ${length}`, lengthStart, cursor.at)
  }
  const bits = Number(length)
  const most = addressBits(ip)
  if (bits > most) {
    const detail = `Network length ${bits} is too long for Ipv${ip.family} (maximum: ${most})`
    throw network(cursor, `invalid length for network: ${detail}`, start, cursor.at)
  }
  if (!sameIp(networkAddress(ip, bits), ip))
    throw network(cursor, 'host part of address was not zero', start, addressEnd)
  return { first: ip, last: lastAddress(ip, bits) }
}

const network = (cursor: Cursor, message: string, start: number, end: number): Fault =>
  cursor.fault('parse-network', message, start, end)

const badAddress = (cursor: Cursor, start: number, end: number): Fault =>
  network(cursor, "couldn't parse address in network: invalid IP address syntax", start, end)
