// Byte strings: "quoted", r"raw", r#"raw"#, and 47:45:54.
import { type Bytes, utf8 } from '../bytes.ts'
import type { Cursor } from '../lexer.ts'
import { digitsBefore } from './number.ts'

const MAX_RAW_HASHES = 255

/** Reads any form. @throws Fault if no form begins here, or it does not end. */
export function readBytes(cursor: Cursor): Bytes {
  if (cursor.isAtEnd) throw cursor.fault('unrecognised-input', 'unrecognised input')
  if (cursor.sees('"') || cursor.sees('r')) return readString(cursor)
  return readHexString(cursor)
}

/** Reads a quoted or raw string; hex bytes are not accepted here. */
export function readString(cursor: Cursor): Bytes {
  if (cursor.isAtEnd) throw cursor.fault('unrecognised-input', 'unrecognised input')
  if (cursor.take('"')) return readQuoted(cursor)
  if (cursor.take('r')) return utf8(readRaw(cursor))
  throw cursor.fault('expected-name', 'expected " or r')
}

function readQuoted(cursor: Cursor): Bytes {
  const start = cursor.at
  let value = ''
  for (;;) {
    if (cursor.isAtEnd) throw missingQuote(cursor, start)
    if (cursor.take('"')) return value
    if (cursor.take('\\')) value += readEscape(cursor, start)
    else {
      const character = cursor.character()
      cursor.at += character.length
      value += utf8(character)
    }
  }
}

function readEscape(cursor: Cursor, start: number): Bytes {
  if (cursor.isAtEnd) throw missingQuote(cursor, start)
  if (cursor.take('"')) return '"'
  if (cursor.take('\\')) return '\\'
  if (cursor.take('x')) return readByte(cursor, 2, 16)
  const unit = cursor.unit()
  if (unit >= 0x30 && unit <= 0x37) return readByte(cursor, 3, 8)
  const message = 'expected ", xHH or OOO after \\'
  throw cursor.fault('invalid-character-escape', message, cursor.at, cursor.at + cursor.character().length)
}

function readByte(cursor: Cursor, digits: number, radix: number): Bytes {
  const text = cursor.takeCharacters(digits)
  return String.fromCharCode(Number(digitsBefore(cursor, text, radix, 0n, 255n)))
}

/** Reads the text after the `r`: as many hashes after the closing quote as before the opening one. */
export function readRaw(cursor: Cursor): string {
  const start = cursor.at
  while (cursor.take('#'));
  const hashes = '#'.repeat(cursor.at - start)
  if (hashes.length > MAX_RAW_HASHES) {
    const message = `invalid raw string hash count, there can't be more than ${MAX_RAW_HASHES} #s`
    throw cursor.fault('invalid-raw-string-hash-count', message, start)
  }
  if (!cursor.take('"')) throw cursor.fault('expected-name', 'expected " or #')
  const contentStart = cursor.at
  const close = cursor.source.indexOf(`"${hashes}`, contentStart)
  if (close === -1 || close + 1 + hashes.length > cursor.end) throw missingQuote(cursor, start)
  cursor.at = close + 1 + hashes.length
  return cursor.source.slice(contentStart, close)
}

/** Two or more hex bytes separated by `:`, `-` or `.`. */
function readHexString(cursor: Cursor): Bytes {
  let value = readByte(cursor, 2, 16)
  expectSeparator(cursor)
  do value += readByte(cursor, 2, 16)
  while (takeSeparator(cursor))
  return value
}

function expectSeparator(cursor: Cursor): void {
  if (takeSeparator(cursor)) return
  const start = cursor.at
  cursor.takeCharacters(1)
  throw cursor.fault('expected-name', 'expected byte separator', start, cursor.at)
}

const takeSeparator = (cursor: Cursor): boolean => cursor.take(':') || cursor.take('-') || cursor.take('.')

const missingQuote = (cursor: Cursor, start: number) =>
  cursor.fault('missing-ending-quote', 'could not find an ending quote', start)
