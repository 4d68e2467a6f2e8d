// Checked reads: they throw beyond the end instead of returning undefined. V8 inlines them as long as they are this
// short, so the error is created in another function.

/** @throws RangeError beyond the end */
export function byteAt(octets: Uint8Array, at: number): number {
  const octet = octets[at]
  if (octet === undefined) throw missing(octets, at)
  return octet
}

/** The number in the two octets from `at` on, in network order. @throws RangeError beyond the end */
export function uint16At(octets: Uint8Array, at: number): number {
  const high = octets[at]
  const low = octets[at + 1]
  if (high === undefined || low === undefined) throw missing(octets, at + 1)
  return (high << 8) | low
}

/** Writes a 16-bit number in network order. */
export function putUint16(octets: Uint8Array, at: number, value: number): void {
  octets[at] = value >> 8
  octets[at + 1] = value & 0xff
}

/** Writes a 32-bit number in network order. */
export function putUint32(octets: Uint8Array, at: number, value: number): void {
  putUint16(octets, at, value >>> 16)
  putUint16(octets, at + 2, value)
}

/** @throws RangeError beyond the end */
export function elementAt<T>(list: readonly T[], at: number): T {
  const element = list[at]
  if (element === undefined) throw missing(list, at)
  return element
}

/** The code point of the character at `at`. @throws RangeError beyond the end */
export function codePointAt(text: string, at: number): number {
  const codePoint = text.codePointAt(at)
  if (codePoint === undefined) throw missing(text, at)
  return codePoint
}

function missing({ length }: { readonly length: number }, at: number): RangeError {
  return new RangeError(`element ${at} of ${length} was read`)
}
