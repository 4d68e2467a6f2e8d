// SSHFP: fields in `data`; content is in presentation format, `4 2 859be6…`.
import type { Sshfp } from '@zonereeve/dns'
import { defineDataType, membersOf } from './data-type.ts'
import { hex, u8 } from './member-kinds.ts'

const member = membersOf<Sshfp>()

export const sshfp = defineDataType({
  type: 'SSHFP',
  members: {
    algorithm: member('algorithm', u8),
    fingerprint: member('fingerprint', hex({ upper: false })),
    type: member('type', u8),
  },
})
