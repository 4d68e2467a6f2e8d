// Types that the API has no name for: `TYPE65280`, their octets as content, `\\# 4 0a000001` (RFC 3597 §5).
import { genericText, isDataType, rdataFromTextByCode, TextError, typeCode, WireError } from '@zonereeve/dns'
import type { ValueType } from './wire-type.ts'

/** `TYPE` and a number, without leading zeros. */
export type OpaqueTypeName = `TYPE${number}`

const NAME = /^TYPE[1-9]\d{0,4}$/

/**
 * Numbers that no record may have: what the nameserver makes itself (SOA, signatures, denials, keys for the parent), and
 * DNAME, whose redirection it does not do.
 */
const NOT_STORED: ReadonlySet<number> = new Set([
  6, // SOA
  39, // DNAME
  46, // RRSIG
  47, // NSEC
  50, // NSEC3
  51, // NSEC3PARAM
  59, // CDS
  60, // CDNSKEY
])

/** Whether records of this type number can be kept as octets. */
export const isOpaqueCode = (code: number): boolean => isDataType(code) && !NOT_STORED.has(code)

export const opaqueName = (code: number): OpaqueTypeName => `TYPE${code}`

/** The number in a name of this form; undefined where there is none. */
export const opaqueCode = (type: string): number | undefined => (NAME.test(type) ? typeCode(type) : undefined)

export function opaqueType(type: OpaqueTypeName): ValueType<Uint8Array> {
  const code = typeCode(type) ?? 0
  return {
    proxiable: false,
    read({ content }) {
      if (content === undefined)
        return [{ reason: 'record.content_missing', pointer: '/content', values: { type } }]
      try {
        return { value: rdataFromTextByCode(code, content) }
      } catch (error) {
        if (!(error instanceof TextError) && !(error instanceof WireError)) throw error
        const detail =
          'It must be \\#, the number of octets, and the octets in hexadecimal, as RFC 3597 has it.'
        return [{ reason: 'record.content', pointer: '/content', values: { type }, detail }]
      }
    },
    show: (value) => ({ content: genericText(value) }),
    encode: (value) => value,
    decode: (rdata) => rdata,
  }
}
