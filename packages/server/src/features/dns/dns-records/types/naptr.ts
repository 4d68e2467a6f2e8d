// NAPTR: fields in `data`; content is in presentation format, `100 10 "S" "SIP+D2U" "" _sip._udp.example.com.`.
import type { Naptr } from '@zonereeve/dns'
import { defineDataType, membersOf } from './data-type.ts'
import { absoluteName, characterString, u16 } from './member-kinds.ts'

const member = membersOf<Naptr>()

export const naptr = defineDataType({
  type: 'NAPTR',
  members: {
    flags: member('flags', characterString),
    order: member('order', u16),
    preference: member('preference', u16),
    regex: member('regexp', characterString),
    replacement: member('replacement', absoluteName),
    service: member('services', characterString),
  },
})
