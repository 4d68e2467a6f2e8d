// Type numbers and their names, of record types, signers and pseudo types; TYPEn for all others (RFC 3597 §5).

import { DATA_TYPE, GENERIC_TYPE, META_TYPE, SIGNER_TYPE } from './codes.ts'

/** Mnemonic of a type number, or for example `TYPE65280` if it has none. */
export function typeText(code: number): string {
  return NAMES.get(code) ?? `TYPE${code}`
}

/** Type number of a mnemonic or `TYPEn`, case-insensitive; undefined for anything else. */
export function typeCode(text: string): number | undefined {
  const written = CODES.get(text)
  if (written !== undefined) return written
  const type = text.toUpperCase()
  const known = CODES.get(type)
  if (known !== undefined) return known
  const code = /^TYPE\d{1,5}$/.test(type) ? Number(type.slice(4)) : 0x1_0000
  return code > 0xffff ? undefined : code
}

/** Type number of a mnemonic or `TYPEn` that has been checked before. @throws Error: it is neither. */
export function requireTypeCode(text: string): number {
  const code = typeCode(text)
  if (code === undefined) throw new Error(`${text} is not a record type`)
  return code
}

/**
 * Whether records of this type can be in a zone: not 0, OPT, or the range of question and meta types (RFC 6895 §3.1).
 */
export function isDataType(code: number): boolean {
  return code > 0 && code <= 0xffff && code !== META_TYPE.OPT && (code < 128 || code > 255)
}

const PRINTED = { ...DATA_TYPE, ...META_TYPE, ...SIGNER_TYPE }
const CODES: ReadonlyMap<string, number> = new Map(Object.entries({ ...GENERIC_TYPE, ...PRINTED }))
const NAMES: ReadonlyMap<number, string> = new Map(
  Object.entries(PRINTED).map(([name, code]) => [code, name]),
)
