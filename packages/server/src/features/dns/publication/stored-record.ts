// A stored record as publication takes it: what is to be published, and its options.
import type { ZoneRecord } from '@zonereeve/nameserver'

/** A record without options is published as stored, unless its zone's settings say otherwise. */
export interface StoredRecord extends ZoneRecord {
  readonly options?: RecordOptions
}

/** Records of which there may be very many: they can be read several times. */
export interface StoredRecords extends Iterable<StoredRecord> {
  readonly length: number
}

export interface RecordOptions {
  readonly proxied: boolean
  readonly flattenCname: boolean
  /** The families of edge addresses that a proxied name is answered with. */
  readonly families: 'both' | 'ipv4' | 'ipv6'
}

/** Type numbers used in this package. */
export const TYPE = { A: 1, NS: 2, CNAME: 5, AAAA: 28, ZONEMD: 63, HTTPS: 65 } as const

export const isAddress = ({ type }: ZoneRecord): boolean => type === TYPE.A || type === TYPE.AAAA
/** Whether the record gives its name addresses, directly or through another name. */
export const isProxiable = (record: ZoneRecord): boolean => isAddress(record) || record.type === TYPE.CNAME
