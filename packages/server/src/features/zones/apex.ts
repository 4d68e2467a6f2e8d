// What stands at a zone's apex of itself: its SOA and its name servers, by its settings.
import type { Name, Soa } from '@zonereeve/dns'
import { usualMailbox, type ServingSettings } from './serving-settings.ts'
import type { Zone } from './zones.store.ts'

const UNKNOWN_PRIMARY = 'ns1.zonereeve.internal'

export interface Apex {
  readonly soa: Soa
  readonly soaTtlSeconds: number
  readonly nameServers: readonly string[]
  readonly nsTtlSeconds: number
}

export function apexOf(zone: Zone, { soa, nameServers, nsTtlSeconds }: ServingSettings): Apex {
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
