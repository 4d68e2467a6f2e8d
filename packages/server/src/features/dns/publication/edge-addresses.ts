// The addresses that proxied names are answered with, and their HTTPS record.
import { parseIpv4, parseIpv6 } from '@zonereeve/dns'
import type { ZoneRecord } from '@zonereeve/nameserver'
import { httpsRdata } from './https-record.ts'
import { TYPE, type RecordOptions } from './stored-record.ts'

/** Seconds; TTL of every proxied name (specification §2.2, `ttl`). */
const PROXIED_TTL_SECONDS = 300

/** As RDATA. */
export interface EdgeAddresses {
  readonly ipv4: readonly Uint8Array[]
  readonly ipv6: readonly Uint8Array[]
}

/** @returns undefined if there are none: then proxied names are answered with their origins. */
export function readEdgeAddresses(strings: readonly string[]): EdgeAddresses | undefined {
  const isPresent = (octets: Uint8Array | undefined) => octets !== undefined
  const edge = {
    ipv4: strings.map(parseIpv4).filter(isPresent),
    ipv6: strings.map(parseIpv6).filter(isPresent),
  }
  return edge.ipv4.length + edge.ipv6.length === 0 ? undefined : edge
}

export type Families = RecordOptions['families']

/** Answers for a proxied name, for each choice of address families: records without their name. */
export type EdgeAnswers = Readonly<Record<Families, readonly Omit<ZoneRecord, 'name'>[]>>

/** Built once for a zone: all of its proxied names share the octets. */
export function edgeAnswers(
  edge: EdgeAddresses,
  settings: { readonly http2: boolean; readonly http3: boolean },
): EdgeAnswers {
  const answers = ({ ipv4, ipv6 }: EdgeAddresses) => {
    const record = (type: number, rdata: Uint8Array, index: number) => ({
      id: `edge ${index}`,
      type,
      ttl: PROXIED_TTL_SECONDS,
      rdata,
    })
    const https = httpsRdata(settings, { ipv4, ipv6 })
    return [
      ...ipv4.map((rdata, index) => record(TYPE.A, rdata, index)),
      ...ipv6.map((rdata, index) => record(TYPE.AAAA, rdata, index)),
      ...(https === undefined ? [] : [record(TYPE.HTTPS, https, 0)]),
    ]
  }
  return { both: answers(edge), ipv4: answers({ ...edge, ipv6: [] }), ipv6: answers({ ...edge, ipv4: [] }) }
}

/** Combines the address families of a name's records: one that restricts them wins, opposite ones cancel out. */
export function familiesOf(desired: readonly Families[]): Families {
  const only = new Set(desired.filter((families) => families !== 'both'))
  const [families = 'both'] = only
  return only.size === 1 ? families : 'both'
}
