// Concatenates octets, and counts the labels of names in wire form.

import { byteAt } from '../checked-reads.ts'

/** Concatenates all parts. */
export function concatOctets(parts: readonly Uint8Array[]): Uint8Array {
  const whole = new Uint8Array(parts.reduce((octets, part) => octets + part.length, 0))
  let at = 0
  for (const part of parts) {
    whole.set(part, at)
    at += part.length
  }
  return whole
}

/** Labels of a whole uncompressed name, without the root and without a first label `*` (RFC 4034 §3.1.3). */
export function signedLabels(name: Uint8Array): number {
  let labels = 0
  for (let at = 0; byteAt(name, at) !== 0; at += 1 + byteAt(name, at)) labels += 1
  return name[0] === 1 && name[1] === 0x2a ? labels - 1 : labels
}
