// Domain names: one canonical text for every name, and its wire form (RFC 1035 §2.3, §3.1, §5.1; RFC 4343).

import { byteAt, elementAt } from './checked-reads.ts'
import { NameError, WireError } from './errors.ts'

declare const nameBrand: unique symbol

/**
 * A domain name in canonical text: absolute, ASCII letters in lower case, no trailing dot, `.` for the root.
 *
 * Dots and backslashes inside a label, and the characters special to zone files (`"` `$` `(` `)` `;` `@`), are written
 * with a backslash, octets outside 0x21..0x7e as `\DDD` (RFC 1035 §5.1, RFC 4343 §2.1). Equal names are equal strings.
 * At most 255 octets on the wire (RFC 1035 §2.3.4).
 */
export type Name = string & { readonly [nameBrand]: true }

/** Longest label in octets (RFC 1035 §2.3.4). */
export const MAX_LABEL_OCTETS = 63
/** Longest name in octets on the wire, length octets and the root's zero included (RFC 1035 §2.3.4). */
export const MAX_NAME_OCTETS = 255

/** Most names: nothing in them has another canonical form. */
const PLAIN_NAME = /^(?:[a-z0-9_-]{1,63}\.)*[a-z0-9_-]{1,63}\.?$/
/** On the wire, a name has a length octet for its first label and the root's zero besides. */
const MAX_PLAIN_CHARACTERS = MAX_NAME_OCTETS - 2

const DOT = 0x2e
const BACKSLASH = 0x5c

/**
 * Parses presentation text as an absolute name; a trailing dot makes no difference.
 * Unicode must have been turned into A-labels before (RFC 5891 §4.4).
 * @throws NameError with the rule that is broken and where.
 */
export function parseName(text: string): Name {
  if (text === '.') return ROOT
  if (text.length <= MAX_PLAIN_CHARACTERS && PLAIN_NAME.test(text))
    return (text.endsWith('.') ? text.slice(0, -1) : text) as Name // canonical as it is
  let canonical = ''
  let labelOctets = 0
  let wireOctets = 1
  let at = 0
  while (at < text.length) {
    if (text.charCodeAt(at) === DOT) {
      if (labelOctets === 0) throw new NameError('name.empty-label', at, 'a label is empty')
      labelOctets = 0
      at += 1
      continue
    }
    if (labelOctets === 0) {
      wireOctets += 1
      if (at > 0) canonical += '.'
    }
    canonical += elementAt(OCTET_TEXT, octetAt(text, at))
    labelOctets += 1
    wireOctets += 1
    if (labelOctets > MAX_LABEL_OCTETS) {
      throw new NameError('name.label-too-long', at, `a label is longer than ${MAX_LABEL_OCTETS} octets`)
    }
    if (wireOctets > MAX_NAME_OCTETS) {
      throw new NameError('name.too-long', at, `the name is longer than ${MAX_NAME_OCTETS} octets`)
    }
    at += characterLength(text, at)
  }
  if (canonical === '') throw new NameError('name.empty-label', 0, 'the name is empty')
  return canonical as Name // built from canonical octet texts only
}

/** The root of the name space. */
export const ROOT = '.' as Name // the canonical text of the root, by definition

/** The name without compression, as in RFC 1035 §3.1; 1 to 255 octets. */
export function nameToWire(name: Name): Uint8Array {
  const wire = new Uint8Array(nameWireLength(name))
  writeNameOctets(name, wire)
  return wire
}

/** As {@link nameToWire}, into octets with room for it. Returns its length. @throws NameError, also for a name that is too long */
export function writeName(name: Name, wire: Uint8Array): number {
  const length = nameWireLength(name)
  if (length > wire.length) throw new NameError('name.too-long', wire.length, 'the name is too long')
  writeNameOctets(name, wire)
  wire[length - 1] = 0
  return length
}

/** Octets that the name takes on the wire without compression, 1 to 255. */
export function nameWireLength(name: Name): number {
  if (name === ROOT) return 1
  if (!name.includes('\\')) return name.length + 2
  let octets = 2 // first length octet and the root
  for (let at = 0; at < name.length; at += characterLength(name, at)) octets += 1
  return octets
}

/**
 * Reads one whole uncompressed name and folds its case.
 * @throws WireError when it is cut short, too long, followed by something, or holds a pointer.
 */
export function nameFromWire(wire: Uint8Array): Name {
  let text = ''
  let at = 0
  for (;;) {
    const length = wire[at]
    if (length === undefined) throw new WireError('wire.truncated', at, 'the name has no end')
    if (length === 0) break
    if (length > MAX_LABEL_OCTETS) throw new WireError('wire.label-type', at, 'not an ordinary label')
    if (at + 1 + length > wire.length) throw new WireError('wire.truncated', at, 'the label is cut short')
    if (at > 0) text += '.'
    text += labelText(wire, at + 1, at + 1 + length)
    at += 1 + length
    if (at >= MAX_NAME_OCTETS) throw new WireError('wire.name-too-long', at, 'the name is too long')
  }
  if (at + 1 !== wire.length) throw new WireError('wire.trailing', at + 1, 'octets follow the name')
  return text === '' ? ROOT : (text as Name) // built from canonical label texts only
}

/** Canonical text of the label octets `bytes[start, end)`, case folded. */
export function labelText(bytes: Uint8Array, start: number, end: number): string {
  let text = ''
  for (let at = start; at < end; at += 1) text += elementAt(OCTET_TEXT, byteAt(bytes, at))
  return text
}

function writeNameOctets(name: Name, wire: Uint8Array): void {
  if (name === ROOT) return
  let lengthAt = 0
  let to = 1
  for (let at = 0; at < name.length; at += characterLength(name, at)) {
    const code = name.charCodeAt(at)
    if (code === DOT) {
      wire[lengthAt] = to - lengthAt - 1
      lengthAt = to
    } else wire[to] = code > 0x20 && code < 0x7f && code !== BACKSLASH ? code : octetAt(name, at)
    to += 1
  }
  wire[lengthAt] = to - lengthAt - 1
}

/** The octet that the character or escape at `at` stands for. @throws NameError for a bad escape or raw character. */
export function octetAt(text: string, at: number): number {
  const code = text.charCodeAt(at)
  if (code === BACKSLASH) return escapedOctet(text, at)
  if (code > 0x20 && code < 0x7f) return code
  throw new NameError('name.bad-character', at, 'this character must be escaped, or IDNA-encoded')
}

/** Code units that the character or escape at `at` takes: 1, 2 (`\.`) or 4 (`\046`). */
export function characterLength(text: string, at: number): number {
  if (text.charCodeAt(at) !== BACKSLASH) return 1
  return isDigit(text.charCodeAt(at + 1)) ? 4 : 2
}

function escapedOctet(text: string, at: number): number {
  const next = text.charCodeAt(at + 1)
  if (!isDigit(next)) {
    if (next > 0x20 && next < 0x7f) return next
    throw new NameError(
      'name.bad-escape',
      at,
      'a backslash needs a printable character or three digits after it',
    )
  }
  const digits = text.slice(at + 1, at + 4)
  const value = /^\d{3}$/.test(digits) ? Number(digits) : 256
  if (value > 255)
    throw new NameError('name.bad-escape', at, 'three digits up to 255 must follow the backslash')
  return value
}

function isDigit(code: number): boolean {
  return code >= 0x30 && code <= 0x39
}

/** Canonical text of each octet inside a label. */
const OCTET_TEXT: readonly string[] = Array.from({ length: 256 }, (_, octet) => {
  const character = String.fromCharCode(octet)
  if (octet <= 0x20 || octet >= 0x7f) return `\\${String(octet).padStart(3, '0')}`
  return '"$().;@\\'.includes(character) ? `\\${character}` : character.toLowerCase()
})
