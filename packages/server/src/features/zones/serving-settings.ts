// How a zone's records become answers: what the settings features store and the nameserver's feed reads.

import { MAX_NAME_OCTETS, nameWireLength, type Name, type Soa } from '@zonereeve/dns'

export interface SoaSettings {
  /** Host name of the primary; null = the zone's first name server. */
  readonly mname: string | null
  /** Mailbox in DNS form, dots before the at-sign as `\.`; null = the usual one. */
  readonly rname: string | null
  readonly refreshSeconds: number
  readonly retrySeconds: number
  readonly expireSeconds: number
  /** TTL of negative answers (RFC 2308). */
  readonly minimumTtlSeconds: number
  /** TTL of the SOA record itself. */
  readonly ttlSeconds: number
}

/** What a primary says of a zone that follows it. */
export interface FollowedAuthority {
  readonly soa: Soa
  readonly soaTtlSeconds: number
  /** From when on the zone is not answered any more unless the primary has been heard of (RFC 1035 §3.3.13, EXPIRE). */
  readonly expiresAtMillis: number
}

export interface ServingSettings {
  /** Of a secondary zone that has been transferred. */
  readonly followed?: FollowedAuthority | undefined
  readonly soa: SoaSettings
  readonly nsTtlSeconds: number
  /** Host names at the apex; null = those the zone was created with. */
  readonly nameServers: readonly string[] | null
  /** Every CNAME is answered with the addresses behind it. */
  readonly flattenAllCnames: boolean
  /** The user's own NS records at the apex are answered beside the assigned ones. */
  readonly multiProvider: boolean
  /** standard; cdn_only: only proxied records are answered; dns_only: no record is proxied. */
  readonly zoneMode: 'standard' | 'cdn_only' | 'dns_only'
  /** With one of these, proxied names get HTTPS records on the fly (specification §2.2 rule 6). */
  readonly http2: boolean
  readonly http3: boolean
}

/** The specification's defaults (§2.2, SOA fields), and the live API's for the rest. */
export const USUAL_SERVING_SETTINGS: ServingSettings = {
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
  http2: true,
  http3: true,
}

/** hostmaster of the zone (RFC 2142 §7); the apex itself where that would be too long for a name. */
export function usualMailbox(zone: { readonly name: Name }): Name {
  const name = `hostmaster.${zone.name}` as Name // a label of letters before a canonical name
  return nameWireLength(name) > MAX_NAME_OCTETS ? zone.name : name
}
