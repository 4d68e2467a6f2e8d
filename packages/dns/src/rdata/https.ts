// HTTPS: how to reach a web origin.

import { defineRecordType } from './define.ts'
import { svcbFields, svcbRules } from './svcb.ts'
import type { Svcb } from './svcb.ts'

/** A service binding for HTTP (RFC 9460 §9). */
export type Https = Svcb

export const https = defineRecordType<Https>({
  type: 'HTTPS',
  code: 65,
  refs: ['RFC 9460 §9'],
  fields: svcbFields,
  rules: svcbRules('https'),
})
