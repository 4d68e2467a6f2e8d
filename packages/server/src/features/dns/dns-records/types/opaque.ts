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

const RRSIG = 46
/** Types that the signer of a zone makes: RRSIG, NSEC, NSEC3, NSEC3PARAM, CDS, CDNSKEY. */
const SIGNER_CODES: ReadonlySet<number> = new Set([RRSIG, 47, 50, 51, 59, 60])

/** Types that cannot be stored, because the nameserver creates them: those of signers, and SOA. */
const NOT_STORED: ReadonlySet<number> = new Set([6, ...SIGNER_CODES])

/** Whether records of this type number can be stored as octets. */
export const isOpaqueCode = (code: number): boolean => isDataType(code) && !NOT_STORED.has(code)

export const opaqueName = (code: number): OpaqueTypeName => `TYPE${code}`

/** Types that only secondary zones have, as their primary sends them. They are not listed. */
export const SIGNER_TYPES: readonly string[] = Array.from(SIGNER_CODES, opaqueName)
/** Present if the primary of a zone signs it. */
export const SIGNATURE_TYPE: string = opaqueName(RRSIG)

/** The type of records that signers make; undefined for all others. */
export const signerTypeOf = (code: number): OpaqueTypeName | undefined =>
  SIGNER_CODES.has(code) ? opaqueName(code) : undefined

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
