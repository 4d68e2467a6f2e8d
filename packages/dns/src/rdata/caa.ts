// CAA: which certification authorities may issue for a domain.

import { latin1FromOctets } from '../octets.ts'
import { defineRecordType } from './define.ts'
import { characterString, quotedRest, u8 } from './fields.ts'

/** A certification authority authorization (RFC 8659 §4.1). */
export interface Caa {
  /** Bit 7 (128) = issuer critical; the other bits are reserved. */
  readonly flags: number
  /** ASCII letters and digits; case-insensitive. */
  readonly tag: string
  /** Its meaning depends on the tag (RFC 8659 §4.2..§4.4); any octets for unknown tags. */
  readonly value: Uint8Array
}

/** Unknown tags are allowed: new ones are registered over time, and the critical flag says how to treat them. */
export const caa = defineRecordType<Caa>({
  type: 'CAA',
  code: 257,
  refs: ['RFC 8659', 'RFC 8657', 'RFC 9495'],
  fields: { flags: u8, tag: characterString({ quoted: false }), value: quotedRest },
  rules: [
    {
      rule: 'caa.flags-reserved',
      field: 'flags',
      source: 'RFC 8659 §4.1',
      message: 'only bit 128 may be set',
      broken: (d) => (d.flags & 0x7f) !== 0,
    },
    {
      rule: 'caa.tag-characters',
      field: 'tag',
      source: 'RFC 8659 §4.1',
      message: 'must be made of ASCII letters and digits',
      broken: (d) => !/^[a-z0-9]+$/i.test(d.tag),
    },
    {
      rule: 'caa.issuer',
      field: 'value',
      source: 'RFC 8659 §4.2',
      message: 'must be an issuer domain, if any, then parameters "; tag=value", if any',
      broken: (d) => ISSUER_TAGS.has(d.tag.toLowerCase()) && !ISSUER.test(latin1FromOctets(d.value)),
    },
    {
      rule: 'caa.iodef-url',
      field: 'value',
      source: 'RFC 8659 §4.4',
      message: 'must be a mailto:, http: or https: URL',
      broken: (d) => d.tag.toLowerCase() === 'iodef' && !REPORT_URL.test(latin1FromOctets(d.value)),
    },
  ],
})

/** Tags whose value is an issuer (RFC 8659 §4.2, §4.3; RFC 9495 §3). */
const ISSUER_TAGS: ReadonlySet<string> = new Set(['issue', 'issuewild', 'issuemail'])

/** issue-value of RFC 8659 §4.2; parameters are separated by semicolons, and `;` alone is an empty parameter. */
const ISSUER = (() => {
  const label = '[A-Za-z0-9](?:-*[A-Za-z0-9])*'
  const parameter = `${label}[ \\t]*=[ \\t]*[\\x21-\\x3a\\x3c-\\x7e]*[ \\t]*`
  return new RegExp(`^[ \\t]*(?:${label}(?:\\.${label})*[ \\t]*)?(?:;[ \\t]*(?:${parameter})?)*$`)
})()

const REPORT_URL = /^(?:mailto:|https?:\/\/)[\x21-\x7e]+$/i
