// The records that every zone has at its apex: its SOA and its name servers, from its settings.
import type { Name, Soa } from '@zonereeve/dns'
import { defaultMailbox, type PublicationSettings } from './publication-settings.ts'
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

/** Default primary of an SOA. */
export const defaultPrimary = (nameServers: readonly string[]): string => nameServers[0] ?? UNKNOWN_PRIMARY

/** The NS records of a secondary zone are among its records. */
export function apexOf(zone: Zone, { soa, nameServers, nsTtlSeconds, secondary }: PublicationSettings): Apex {
  if (secondary !== undefined) {
    const { soa: given, soaTtlSeconds } = secondary
    return { soa: given, soaTtlSeconds, nameServers: [], nsTtlSeconds: MAX_TTL_SECONDS }
  }
  const names = nameServers ?? zone.nameServers
  return {
    soa: {
      mname: (soa.mname ?? defaultPrimary(names)) as Name, // configured names are checked and in lower case
      rname: (soa.rname ?? defaultMailbox(zone)) as Name, // only canonical names are stored
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
