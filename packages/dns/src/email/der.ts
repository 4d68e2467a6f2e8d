// The part of DER that public keys need (X.690 §8, RFC 8017 Appendix A.1.1): nested lengths, integers, bit strings.

import { byteAt } from '../checked-reads.ts'

/** A DER element and what follows it. */
interface Element {
  readonly tag: number
  readonly content: Uint8Array
  readonly rest: Uint8Array
}

const SEQUENCE = 0x30
const BIT_STRING = 0x03
const INTEGER = 0x02
const OBJECT_ID = 0x06
/** rsaEncryption, 1.2.840.113549.1.1.1. */
const RSA_ENCRYPTION = [0x2a, 0x86, 0x48, 0x86, 0xf7, 0x0d, 0x01, 0x01, 0x01]

/**
 * Bits of the modulus of an RSA key, given as SubjectPublicKeyInfo or as the bare RSAPublicKey of RFC 6376 §3.6.1;
 * undefined if the octets are neither.
 */
export function rsaModulusBits(octets: Uint8Array): number | undefined {
  const outer = elementOf(octets, SEQUENCE)
  if (outer === undefined || outer.rest.length > 0) return undefined
  return modulusBits(outer.content) ?? subjectKeyBits(outer.content)
}

function subjectKeyBits(content: Uint8Array): number | undefined {
  const algorithm = elementOf(content, SEQUENCE)
  const id = algorithm === undefined ? undefined : elementOf(algorithm.content, OBJECT_ID)
  const isRsa =
    id?.content.length === RSA_ENCRYPTION.length && RSA_ENCRYPTION.every((o, i) => id.content[i] === o)
  const key = algorithm === undefined || !isRsa ? undefined : elementOf(algorithm.rest, BIT_STRING)
  if (key === undefined || key.rest.length > 0 || key.content[0] !== 0) return undefined
  const inner = elementOf(key.content.subarray(1), SEQUENCE)
  return inner === undefined || inner.rest.length > 0 ? undefined : modulusBits(inner.content)
}

/** Reads `modulus INTEGER, publicExponent INTEGER`. */
function modulusBits(content: Uint8Array): number | undefined {
  const modulus = elementOf(content, INTEGER)
  const exponent = modulus === undefined ? undefined : elementOf(modulus.rest, INTEGER)
  if (modulus === undefined || exponent === undefined || exponent.rest.length > 0) return undefined
  const first = modulus.content.findIndex((octet) => octet !== 0)
  const top = modulus.content[first]
  if (top === undefined || byteAt(modulus.content, 0) >= 0x80) return undefined // zero or negative
  return 8 * (modulus.content.length - first - 1) + (32 - Math.clz32(top))
}

function elementOf(octets: Uint8Array, desired: number): Element | undefined {
  const [tag, short] = octets
  if (tag !== desired || short === undefined) return undefined
  const lengthOctets = short < 0x80 ? 0 : short & 0x7f
  if (lengthOctets > 3 || short === 0x80) return undefined
  let length = lengthOctets === 0 ? short : 0
  const start = 2 + lengthOctets
  for (const octet of octets.subarray(2, start)) length = length * 256 + octet
  if (start + length > octets.length) return undefined
  return { tag, content: octets.subarray(start, start + length), rest: octets.subarray(start + length) }
}
