// SVCB: how to reach a service.

import type { Name } from '../name.ts'
import { defineRecordType } from './define.ts'
import type { Rule } from './define.ts'
import { domainName, u16 } from './fields.ts'
import { isAddress, isNoHost } from './host-rules.ts'
import { mandatoryKeys } from './svc-param-kinds.ts'
import { svcParams } from './svc-params.ts'
import type { SvcParam } from './svc-params.ts'

/** A service binding (RFC 9460 §2). */
export interface Svcb {
  /** 0 = alias for the target; otherwise lower is tried first, 1..65535. */
  readonly priority: number
  /** The root means the owner itself, or for an alias that the service is not available (RFC 9460 §2.5). */
  readonly target: Name
  /** By ascending key. */
  readonly params: readonly SvcParam[]
}

/** Fields of SVCB and of HTTPS, which share a format (RFC 9460 §9). The target must not be compressed (§2.2). */
export const svcbFields = { priority: u16, target: domainName(), params: svcParams } as const

export const svcb = defineRecordType<Svcb>({
  type: 'SVCB',
  code: 64,
  refs: ['RFC 9460', 'RFC 9461 §5', 'RFC 9540 §4'],
  fields: svcbFields,
  rules: svcbRules('svcb'),
})

const MANDATORY = 0
const ALPN = 1
const NO_DEFAULT_ALPN = 2

/** The rules of both types; their IDs begin with `prefix`. */
export function svcbRules(prefix: string): Rule<Svcb>[] {
  return [
    {
      rule: `${prefix}.target-address`,
      field: 'target',
      source: 'RFC 9460 §2.1',
      message: 'must be a name, not an IP address',
      broken: (d) => isAddress(d.target),
    },
    {
      rule: `${prefix}.target-host`,
      field: 'target',
      source: 'RFC 9460 §2.3',
      message: 'must be a host name, underscores allowed, or the root for the owner itself',
      broken: (d) => d.target !== '.' && isNoHost(d.target),
    },
    {
      rule: `${prefix}.alias-params`,
      field: 'params',
      source: 'RFC 9460 §2.4.2',
      message: 'must be empty when the priority is 0 (alias)',
      broken: (d) => d.priority === 0 && d.params.length > 0,
    },
    {
      rule: `${prefix}.mandatory-missing`,
      field: 'params',
      source: 'RFC 9460 §8',
      message: 'must have every key that mandatory lists',
      broken: ({ params }) => {
        const listed = mandatoryKeys(params.find(({ key }) => key === MANDATORY)?.value ?? new Uint8Array())
        return listed.some((desired) => !has(params, desired))
      },
    },
    {
      rule: `${prefix}.alpn-missing`,
      field: 'params',
      source: 'RFC 9460 §7.1.1',
      message: 'must have alpn together with no-default-alpn',
      broken: ({ params }) => has(params, NO_DEFAULT_ALPN) && !has(params, ALPN),
    },
  ]
}

const has = (params: readonly SvcParam[], desired: number): boolean =>
  params.some(({ key }) => key === desired)
