// Type numbers and their names: those of the registry, of signers, the pseudo types, and TYPEn for all others (RFC 3597 §5).

import { META_TYPE, SIGNER_TYPE } from './codes.ts'
import { recordTypeByCode, recordTypeByName } from './rdata/registry.ts'

/** Mnemonic of a type number, `TYPE65280` for one without. */
export function typeText(code: number): string {
  return recordTypeByCode(code)?.type ?? OTHER_NAMES.get(code) ?? `TYPE${code}`
}

/** Type number of a mnemonic or `TYPEn` in any case; undefined for anything else. */
export function typeCode(text: string): number | undefined {
  const type = text.toUpperCase()
  const known = recordTypeByName(type)?.code ?? OTHER_CODES.get(type)
  if (known !== undefined) return known
  const code = /^TYPE\d{1,5}$/.test(type) ? Number(type.slice(4)) : 0x1_0000
  return code > 0xffff ? undefined : code
}

/** Whether records of this type can stand in a zone: not 0, OPT, or the range of question and meta types (RFC 6895 §3.1). */
export function isDataType(code: number): boolean {
  return code > 0 && code <= 0xffff && code !== META_TYPE.OPT && (code < 128 || code > 255)
}

const OTHER_CODES: ReadonlyMap<string, number> = new Map(Object.entries({ ...META_TYPE, ...SIGNER_TYPE }))
const OTHER_NAMES: ReadonlyMap<number, string> = new Map([...OTHER_CODES].map(([name, code]) => [code, name]))
