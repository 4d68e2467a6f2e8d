// What stands at a zone's apex of itself: its SOA and its name servers, by its settings.
import type { Name, Soa } from '@zonereeve/dns'
import { usualMailbox, type ServingSettings } from './serving-settings.ts'
import type { Zone } from './zones.store.ts'

/** RFC 2181 §8. */
const MAX_TTL_SECONDS = 0x7fff_ffff
const UNKNOWN_PRIMARY = 'ns1.zonereeve.internal'

export interface Apex {
  readonly soa: Soa
  readonly soaTtlSeconds: number
  readonly nameServers: readonly string[]
  readonly nsTtlSeconds: number
}

/** Of a secondary zone the NS records are among its records. */
export function apexOf(zone: Zone, { soa, nameServers, nsTtlSeconds, followed }: ServingSettings): Apex {
  if (followed !== undefined) {
    const { soa: given, soaTtlSeconds } = followed
    return { soa: given, soaTtlSeconds, nameServers: [], nsTtlSeconds: MAX_TTL_SECONDS }
  }
  const names = nameServers ?? zone.nameServers
  return {
    soa: {
      mname: (soa.mname ?? names[0] ?? UNKNOWN_PRIMARY) as Name, // configured names are checked and in lower case
      rname: (soa.rname ?? usualMailbox(zone)) as Name, // only canonical names are stored
      serial: zone.serial,
      refresh: soa.refreshSeconds,
      retry: soa.retrySeconds,
      expire: soa.expireSeconds,
      minimum: soa.minimumTtlSeconds,
    },
    soaTtlSeconds: soa.ttlSeconds,
    nameServers: names,
    nsTtlSeconds,
  }
}
