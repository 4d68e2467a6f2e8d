// SOA: the start of a zone of authority.

import type { Name } from '../name.ts'
import { defineRecordType } from './define.ts'
import { domainName, u32 } from './fields.ts'
import { isAddress, isNoHost } from './host-rules.ts'

/** Start of authority (RFC 1035 §3.3.13). Times are seconds. */
export interface Soa {
  /** Host name of the primary server. */
  readonly mname: Name
  /** Mailbox of the administrator, its first label the local part: `a\.b.example.com` is a.b@example.com. */
  readonly rname: Name
  /** Version of the zone, compared by RFC 1982. */
  readonly serial: number
  /** Seconds until a secondary checks for changes again. */
  readonly refresh: number
  /** Seconds until it retries after a failure. */
  readonly retry: number
  /** Seconds until it stops answering. */
  readonly expire: number
  /** TTL of negative answers, with the record's own TTL as upper limit (RFC 2308 §5). */
  readonly minimum: number
}

/** Ranges of single timers are the operator's policy; only their relations are checked here. */
export const soa = defineRecordType<Soa>({
  type: 'SOA',
  code: 6,
  refs: ['RFC 1035 §3.3.13', 'RFC 2308 §4', 'RFC 1912 §2.2'],
  fields: {
    mname: domainName({ compress: true }),
    rname: domainName({ compress: true }),
    serial: u32,
    refresh: u32,
    retry: u32,
    expire: u32,
    minimum: u32,
  },
  rules: [
    {
      rule: 'soa.mname-host',
      field: 'mname',
      source: 'RFC 1035 §3.3.13',
      message: 'must be a host name',
      broken: (d) => isAddress(d.mname) || isNoHost(d.mname),
    },
    {
      rule: 'soa.rname-root',
      field: 'rname',
      source: 'RFC 1912 §2.2',
      message: 'must be a mailbox, its @ written as a dot',
      broken: (d) => d.rname === '.',
    },
    {
      rule: 'soa.retry-above-refresh',
      field: 'retry',
      source: 'RFC 1912 §2.2',
      message: 'must not exceed refresh',
      broken: (d) => d.retry > d.refresh,
    },
    {
      rule: 'soa.expire-below-refresh',
      field: 'expire',
      source: 'RFC 1912 §2.2',
      message: 'must not be smaller than refresh',
      broken: (d) => d.expire < d.refresh,
    },
    {
      rule: 'soa.minimum-range',
      field: 'minimum',
      source: 'RFC 2181 §8',
      message: 'must fit the 31 bits of a TTL',
      broken: (d) => d.minimum > 0x7fff_ffff,
    },
  ],
})
