// CERT: fields in `data`; content is in presentation format, `9 1 8 TUlJ…`.
import type { Cert } from '@zonereeve/dns'
import { defineDataType, membersOf } from './data-type.ts'
import { base64, u16, u8 } from './member-kinds.ts'

const member = membersOf<Cert>()

export const cert = defineDataType({
  type: 'CERT',
  members: {
    algorithm: member('algorithm', u8),
    certificate: member('certificate', base64),
    key_tag: member('keyTag', u16),
    type: member('type', u16),
  },
})
