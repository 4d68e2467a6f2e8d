// Record values between octets, presentation text and typed form, by type name; opaque rdata for all other types.

import { signerText } from './dnssec/presentation.ts'
import { TextError } from './errors.ts'
import type { Name } from './name.ts'
import { hexFromOctets, octetsFromHex } from './octets.ts'
import { readEntry, TokenReader } from './presentation.ts'
import { readRdata, writeRdata } from './rdata/define.ts'
import { recordTypeByCode, recordTypeByName } from './rdata/registry.ts'
import type { Rdata, TypeName } from './rdata/registry.ts'

/**
 * Rdata as it is stored and served, without compression. @throws WireError for a value that the type's check refuses
 */
export function encodeRdata<T extends TypeName>(type: T, value: Rdata<T>): Uint8Array {
  return writeRdata(recordTypeByName(type), value)
}

/**
 * Rdata in the canonical form that DNSSEC signs and orders (RFC 4034 §6.2). Equal to encodeRdata, because names are
 * already folded and nothing is compressed: the served octets are the signed ones.
 */
export function canonicalRdata<T extends TypeName>(type: T, value: Rdata<T>): Uint8Array {
  return encodeRdata(type, value)
}

/** The value of whole, uncompressed rdata. @throws WireError for a broken structure; check() finds other errors */
export function decodeRdata<T extends TypeName>(type: T, rdata: Uint8Array): Rdata<T> {
  return readRdata(recordTypeByName(type), rdata)
}

/** Zone-file presentation of a value, names with a trailing dot. */
export function rdataToText<T extends TypeName>(type: T, value: Rdata<T>): string {
  return recordTypeByName(type).toText(value)
}

/**
 * Parses the presentation of one value, also the generic `\# length hex` of RFC 3597 §5. Without an origin, names are
 * absolute whether or not they end in a dot.
 * @throws TextError with rule and offset; WireError if generic rdata does not fit the type
 */
export function rdataFromText<T extends TypeName>(
  type: T,
  text: string,
  options: { origin?: Name } = {},
): Rdata<T> {
  const tokens = new TokenReader(wholeEntry(text), options)
  if (isGeneric(tokens)) return decodeRdata(type, genericRdata(tokens))
  const value = recordTypeByName(type).fromText(tokens)
  tokens.done()
  return value
}

/**
 * Rdata of any type number from the rest of an entry: in its own format, or in generic form, which unknown types
 * need.
 * @throws TextError with rule and offset; WireError if generic rdata does not fit the type
 */
export function rdataFromTokens(code: number, tokens: TokenReader): Uint8Array {
  const type = recordTypeByCode(code)
  if (isGeneric(tokens)) {
    const rdata = genericRdata(tokens)
    return type === undefined ? rdata : writeRdata(type, readRdata(type, rdata))
  }
  if (type === undefined) {
    const problem = `rdata of this type must be written as \\# <octets> <hexadecimal> (RFC 3597)`
    throw new TextError('text.generic', tokens.offset, problem)
  }
  const word = tokens.remaining === 1 ? tokens.peek() : undefined
  const rdata = word === undefined ? undefined : type.fromWord?.(word.text)
  if (rdata !== undefined) return rdata
  const value = type.fromText(tokens)
  tokens.done()
  return writeRdata(type, value)
}

/**
 * Rdata of any type number from its presentation, or from generic form, which unknown types need. Names are absolute.
 * @throws TextError with rule and offset; WireError if generic rdata does not fit the type
 */
export function rdataFromTextByCode(code: number, text: string): Uint8Array {
  return rdataFromTokens(code, new TokenReader(wholeEntry(text)))
}

/**
 * Presentation of stored rdata of any type number: its own, or generic if the type is unknown or the rdata malformed.
 */
export function rdataTextByCode(code: number, rdata: Uint8Array): string {
  const type = recordTypeByCode(code)
  try {
    const text = type === undefined ? signerText(code, rdata) : type.toText(readRdata(type, rdata))
    if (text !== undefined) return text
  } catch {
    // Malformed octets still have a generic form (RFC 3597 §5).
  }
  return genericText(rdata)
}

/** The generic presentation `\# length hex` (RFC 3597 §5). */
export function genericText(rdata: Uint8Array): string {
  return rdata.length === 0 ? '\\# 0' : `\\# ${rdata.length} ${hexFromOctets(rdata)}`
}

/** Whether the tokens begin with the unquoted `\#` of generic rdata. */
export function isGeneric(tokens: TokenReader): boolean {
  const first = tokens.peek()
  return first !== undefined && !first.quoted && first.text === '\\#'
}

/** Reads generic rdata up to the end of the entry. @throws TextError `text.generic` */
export function genericRdata(tokens: TokenReader): Uint8Array {
  const { offset } = tokens
  tokens.next()
  const length = tokens.number()
  let hex = ''
  while (tokens.remaining > 0) hex += tokens.next().text
  const rdata = octetsFromHex(hex)
  if (rdata === undefined || rdata.length !== length) {
    throw new TextError('text.generic', offset, `${length} octets in hexadecimal must follow`)
  }
  return rdata
}

function wholeEntry(text: string): NonNullable<ReturnType<typeof readEntry>> {
  const entry = readEntry(text)
  if (entry === undefined) return { tokens: [], indented: false, end: text.length }
  if (readEntry(text, entry.end) !== undefined)
    throw new TextError('text.trailing', entry.end, 'one line expected')
  return entry
}
