// Type bitmaps: the types of a name in NSEC and NSEC3 (RFC 4034 §4.1.2, RFC 5155 §3.2.1).

import { byteAt } from '../checked-reads.ts'
import { WireError } from '../errors.ts'
import { concatOctets } from './octet-strings.ts'

/** Maximum octets of a window's bitmap. */
const MAX_BITMAP_OCTETS = 32

/** The bitmaps of a set of type numbers, 0..65535; none for an empty set. */
export function typeBitmaps(types: Iterable<number>): Uint8Array {
  const windows = new Map<number, Uint8Array>()
  for (const type of types) {
    let bitmap = windows.get(type >> 8)
    if (bitmap === undefined) windows.set(type >> 8, (bitmap = new Uint8Array(MAX_BITMAP_OCTETS)))
    const at = (type & 0xff) >> 3
    bitmap[at] = byteAt(bitmap, at) | (0x80 >> (type & 7))
  }
  const parts = [...windows]
    .toSorted(([a], [b]) => a - b)
    .map(([window, bitmap]) => {
      const octets = bitmap.findLastIndex((octet) => octet !== 0) + 1
      return concatOctets([Uint8Array.of(window, octets), bitmap.subarray(0, octets)])
    })
  return concatOctets(parts)
}

/** The types of bitmaps, ascending. @throws WireError for windows out of order, empty, too long or cut short */
export function typesOfBitmaps(octets: Uint8Array): number[] {
  const types: number[] = []
  let last = -1
  for (let at = 0; at < octets.length;) {
    const window = byteAt(octets, at)
    const length = octets[at + 1] ?? 0 // cut short or of length 0: refused below
    if (window <= last) throw new WireError('wire.value', at, 'windows of types must ascend')
    if (length < 1 || length > MAX_BITMAP_OCTETS)
      throw new WireError('wire.value', at + 1, 'a window of types has 1 to 32 octets')
    if (at + 2 + length > octets.length)
      throw new WireError('wire.truncated', at, 'a window of types is cut short')
    for (let bit = 0; bit < length * 8; bit += 1) {
      if ((byteAt(octets, at + 2 + (bit >> 3)) & (0x80 >> (bit & 7))) !== 0) types.push((window << 8) | bit)
    }
    last = window
    at += 2 + length
  }
  return types
}
