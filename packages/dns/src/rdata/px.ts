// PX: the X.400 side of a mail domain.

import type { Name } from '../name.ts'
import { defineRecordType } from './define.ts'
import { domainName, u16 } from './fields.ts'
import { noAddress } from './host-rules.ts'

/** A mapping between mail domains of RFC 822 and X.400 (RFC 2163 §4). */
export interface Px {
  /** Lower is preferred. */
  readonly preference: number
  /** The RFC 822 part. */
  readonly map822: Name
  /** The X.400 part, written as a domain. */
  readonly mapx400: Name
}

export const px = defineRecordType<Px>({
  type: 'PX',
  code: 26,
  refs: ['RFC 2163 §4'],
  fields: { preference: u16, map822: domainName(), mapx400: domainName() },
  rules: [
    noAddress('px.map-address', 'map822', 'RFC 2163 §4'),
    noAddress('px.mapx-address', 'mapx400', 'RFC 2163 §4'),
  ],
})
