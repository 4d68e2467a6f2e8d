// CAA: which certification authorities may issue for a domain.

import { latin1FromOctets } from '../octets.ts'
import { defineRecordType } from './define.ts'
import { characterString, quotedRest, u8 } from './fields.ts'

/** A certification authority authorisation (RFC 8659 §4.1). */
export interface Caa {
  /** Bit 7 (128) = issuer critical; the other bits are reserved. */
  readonly flags: number
  /** ASCII letters and digits; matched without regard to case. */
  readonly tag: string
  /** What it says depends on the tag (RFC 8659 §4.2..§4.4); any octets for tags unknown here. */
  readonly value: Uint8Array
}

/** Unknown tags are allowed: new ones are registered over time, and the critical flag says what to do with them. */
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

/** issue-value of RFC 8659 §4.2; parameters are parted by semicolons, and an empty one is what `;` alone means. */
const ISSUER = (() => {
  const label = '[A-Za-z0-9](?:-*[A-Za-z0-9])*'
  const parameter = `${label}[ \\t]*=[ \\t]*[\\x21-\\x3a\\x3c-\\x7e]*[ \\t]*`
  return new RegExp(`^[ \\t]*(?:${label}(?:\\.${label})*[ \\t]*)?(?:;[ \\t]*(?:${parameter})?)*$`)
})()

const REPORT_URL = /^(?:mailto:|https?:\/\/)[\x21-\x7e]+$/i
