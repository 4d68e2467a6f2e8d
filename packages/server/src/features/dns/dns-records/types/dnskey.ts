// DNSKEY: fields in `data`; content is in presentation format, `257 3 13 mdss…`.
import type { Dnskey } from '@zonereeve/dns'
import { defineDataType, membersOf } from './data-type.ts'
import { base64, u16, u8 } from './member-kinds.ts'

const member = membersOf<Dnskey>()

export const dnskey = defineDataType({
  type: 'DNSKEY',
  members: {
    algorithm: member('algorithm', u8),
    flags: member('flags', u16),
    protocol: member('protocol', u8),
    public_key: member('publicKey', base64),
  },
})
