// Settings that affect answers: stored by the settings features and read for the nameserver.

import { MAX_NAME_OCTETS, nameWireLength, type Name, type Soa } from '@zonereeve/dns'

export interface SoaSettings {
  /** Host name of the primary; null = the zone's first name server. */
  readonly mname: string | null
  /** Mailbox in DNS form, dots before the at-sign as `\.`; null = the default. */
  readonly rname: string | null
  readonly refreshSeconds: number
  readonly retrySeconds: number
  readonly expireSeconds: number
  /** TTL of negative answers (RFC 2308). */
  readonly minimumTtlSeconds: number
  /** TTL of the SOA record itself. */
  readonly ttlSeconds: number
}

/** What a primary's SOA says about a secondary zone. */
export interface SecondaryAuthority {
  readonly soa: Soa
  readonly soaTtlSeconds: number
  /** Time from which the zone is not answered any more without contact to the primary (RFC 1035 §3.3.13, EXPIRE). */
  readonly expiresAtMillis: number
}

export interface PublicationSettings {
  /** For a secondary zone that has been transferred. */
  readonly secondary?: SecondaryAuthority | undefined
  readonly soa: SoaSettings
  readonly nsTtlSeconds: number
  /** Host names at the apex; null = those assigned when the zone was created. */
  readonly nameServers: readonly string[] | null
  /** Every CNAME is answered with the addresses of its target. */
  readonly flattenAllCnames: boolean
  /** Custom NS records at the apex are published beside the assigned ones. */
  readonly multiProvider: boolean
  /** standard; cdn_only: only proxied records are answered; dns_only: no record is proxied. */
  readonly zoneMode: 'standard' | 'cdn_only' | 'dns_only'
  /** Transfers of the zone contain its digest (ZONEMD, RFC 8976). */
  readonly zoneDigest: boolean
  /** With one of these, proxied names get synthesized HTTPS records (specification §2.2 rule 6). */
  readonly http2: boolean
  readonly http3: boolean
}

/** The specification's defaults (§2.2, SOA fields), and the live API's for the rest. */
export const DEFAULT_PUBLICATION_SETTINGS: PublicationSettings = {
  soa: {
    mname: null,
    rname: null,
    refreshSeconds: 10_000,
    retrySeconds: 2_400,
    expireSeconds: 604_800,
    minimumTtlSeconds: 1_800,
    ttlSeconds: 3_600,
  },
  nsTtlSeconds: 86_400,
  nameServers: null,
  flattenAllCnames: false,
  multiProvider: false,
  zoneMode: 'standard',
  zoneDigest: false,
  http2: true,
  http3: true,
}

/** hostmaster of the zone (RFC 2142 §7); the apex itself if that name would be too long. */
export function defaultMailbox(zone: { readonly name: Name }): Name {
  const name = `hostmaster.${zone.name}` as Name // a label of letters before a canonical name
  return nameWireLength(name) > MAX_NAME_OCTETS ? zone.name : name
}
