// GPOS: the position of a host, before LOC existed.

import { defineRecordType } from './define.ts'
import { characterString } from './fields.ts'

/** A geographical position (RFC 1712 §3): three decimal numbers as text. */
export interface Gpos {
  /** Degrees, -180 to 180. */
  readonly longitude: string
  /** Degrees, -90 to 90. */
  readonly latitude: string
  /** Meters. */
  readonly altitude: string
}

const number = characterString({ quoted: true })

/** The numbers are not checked: other servers do not check them, and their records must be preserved. */
export const gpos = defineRecordType<Gpos>({
  type: 'GPOS',
  code: 27,
  refs: ['RFC 1712 §3'],
  fields: { longitude: number, latitude: number, altitude: number },
})
