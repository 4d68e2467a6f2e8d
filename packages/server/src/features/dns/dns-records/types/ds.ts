// DS: fields in `data`; content is in presentation format, `2371 13 2 1F98…`.
import type { Ds } from '@zonereeve/dns'
import { defineDataType, membersOf } from './data-type.ts'
import { hex, u16, u8 } from './member-kinds.ts'

const member = membersOf<Ds>()

export const ds = defineDataType({
  type: 'DS',
  members: {
    algorithm: member('algorithm', u8),
    digest: member('digest', hex({ upper: true })),
    digest_type: member('digestType', u8),
    key_tag: member('keyTag', u16),
  },
})
