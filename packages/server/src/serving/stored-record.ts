// A stored record as this room takes it: what is to be served, and what its owner asked for besides.
import type { ZoneRecord } from '../nameserver/index.ts'

/** A record without options is served as it is, unless its zone's settings say otherwise. */
export interface StoredRecord extends ZoneRecord {
  readonly options?: RecordOptions
}

export interface RecordOptions {
  readonly proxied: boolean
  readonly flattenCname: boolean
  /** Which addresses of the edge a proxied name is answered with. */
  readonly families: 'both' | 'ipv4' | 'ipv6'
}

/** Types that this room knows by number. */
export const TYPE = { A: 1, NS: 2, CNAME: 5, AAAA: 28, HTTPS: 65 } as const

export const isAddress = ({ type }: ZoneRecord): boolean => type === TYPE.A || type === TYPE.AAAA
/** Whether the record gives its name addresses, by itself or by another name. */
export const isProxiable = (record: ZoneRecord): boolean => isAddress(record) || record.type === TYPE.CNAME
