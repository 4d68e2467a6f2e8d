// Types that the API has no mnemonic for: `TYPE65280`, their octets as content, `\\# 4 0a000001` (RFC 3597 §5).
import {
  genericText,
  isDataType,
  rdataFromTextByCode,
  readRdata,
  recordTypeByCode,
  TextError,
  typeCode,
  WireError,
  requireTypeCode,
} from '@zonereeve/dns'
import type { ValueType } from './wire-type.ts'

/** `TYPE` and a number, without leading zeros. */
export type OpaqueTypeName = `TYPE${number}`

const NAME = /^TYPE[1-9]\d{0,4}$/

/** Types that cannot be stored, because the nameserver creates them (SOA, signatures, denials, CDS and CDNSKEY). */
const NOT_STORED: ReadonlySet<number> = new Set([
  6, // SOA
  46, // RRSIG
  47, // NSEC
  50, // NSEC3
  51, // NSEC3PARAM
  59, // CDS
  60, // CDNSKEY
])

/** Whether records of this type number can be stored as octets. */
export const isOpaqueCode = (code: number): boolean => isDataType(code) && !NOT_STORED.has(code)

export const opaqueName = (code: number): OpaqueTypeName => `TYPE${code}`

/** Parses a type name of this form; undefined for any other. */
export const opaqueCode = (type: string): number | undefined => (NAME.test(type) ? typeCode(type) : undefined)

export function opaqueType(type: OpaqueTypeName): ValueType<Uint8Array> {
  const code = requireTypeCode(type)
  const known = recordTypeByCode(code)
  return {
    proxiable: false,
    read({ content }) {
      if (content === undefined)
        return [{ reason: 'record.content_missing', pointer: '/content', values: { type } }]
      try {
        const value = rdataFromTextByCode(code, content)
        const [broken] = known === undefined ? [] : known.check(readRdata(known, value))
        if (broken === undefined) return { value }
        const detail = `The ${broken.field} ${broken.message}.`
        return [{ reason: 'record.content', pointer: '/content', values: { type }, detail }]
      } catch (error) {
        if (!(error instanceof TextError) && !(error instanceof WireError)) throw error
        const own = known === undefined ? '' : `the text of ${known.type} in a zone file, or `
        const detail = `It must be ${own}\\#, the number of octets, and the octets in hexadecimal, as RFC 3597 has it.`
        return [{ reason: 'record.content', pointer: '/content', values: { type }, detail }]
      }
    },
    show: (value) => ({ content: genericText(value) }),
    encode: (value) => value,
    decode: (rdata) => rdata,
  }
}
