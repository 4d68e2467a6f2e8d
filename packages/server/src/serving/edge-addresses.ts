// The addresses that proxied names are answered with.
import { parseIpv4, parseIpv6 } from '@zonereeve/dns'
import type { RecordOptions } from './stored-record.ts'

/** As rdata. */
export interface EdgeAddresses {
  readonly ipv4: readonly Uint8Array[]
  readonly ipv6: readonly Uint8Array[]
}

/** @returns undefined for none: then proxied names are answered with their origins. */
export function readEdgeAddresses(texts: readonly string[]): EdgeAddresses | undefined {
  const present = (octets: Uint8Array | undefined) => octets !== undefined
  const edge = {
    ipv4: texts.map(parseIpv4).filter(present),
    ipv6: texts.map(parseIpv6).filter(present),
  }
  return edge.ipv4.length + edge.ipv6.length === 0 ? undefined : edge
}

/** The part that is left when some records ask for one family; asking for both at once says nothing. */
export function restrict(edge: EdgeAddresses, wanted: Iterable<RecordOptions['families']>): EdgeAddresses {
  const families = new Set(wanted)
  const only4 = families.has('ipv4') && !families.has('ipv6')
  const only6 = families.has('ipv6') && !families.has('ipv4')
  return { ipv4: only6 ? [] : edge.ipv4, ipv6: only4 ? [] : edge.ipv6 }
}
