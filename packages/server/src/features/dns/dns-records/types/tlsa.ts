// TLSA and SMIMEA: fields in `data`; content is in presentation format, `3 1 1 92003B…`, in upper case only for TLSA.
import type { Tlsa } from '@zonereeve/dns'
import { defineDataType, membersOf } from './data-type.ts'
import { hex, u8 } from './member-kinds.ts'

const member = membersOf<Tlsa>()

const members = (options: { readonly upper: boolean }) => ({
  certificate: member('certificate', hex(options)),
  matching_type: member('matchingType', u8),
  selector: member('selector', u8),
  usage: member('usage', u8),
})

export const tlsa = defineDataType({ type: 'TLSA', members: members({ upper: true }) })
export const smimea = defineDataType({ type: 'SMIMEA', members: members({ upper: false }) })
