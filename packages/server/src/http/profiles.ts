// The two profiles: `documented` follows the product specification where it and the live API differ, `vendor` the
// live API. This table holds every difference; no other code branches on the profile.
export type ProfileName = 'documented' | 'vendor'

export interface Profile {
  readonly name: ProfileName
  /**
   * A, AAAA and CNAME names: labels begin with a letter (`*` and a leading underscore allowed) and end with a letter
   * or digit (specification §2.2); the live API accepts any host label, also with a leading digit.
   */
  readonly lettersFirst: boolean
  /** TXT content without quotes: stored quoted (specification §2.2 rule 3), or as it was sent (recorded 2025-08). */
  readonly quoteTxt: boolean
  /** Bounds for the times of an SOA, in seconds: the table of specification §2.2, or the live API's schema. */
  readonly soaBounds: SoaBounds
  /**
   * A policy's `enabled` as it was sent, as the string `"true"` if it was one (specification §2.7), or always a
   * boolean, as the live API's schema has it and typed clients decode it.
   */
  readonly policySwitchAsSent: boolean
  /**
   * Monitoring's settings name the reporting endpoint both with the specification's neutral word and with the live
   * API's, which typed clients read; or only with the latter.
   */
  readonly endpointUnderBothNames: boolean
  /** Members and parameters that an operation does not declare: rejected by name, or ignored as by the live API. */
  readonly rejectsUnknown: boolean
  /**
   * A token that is created, edited or rolled with another token cannot exceed that token's permissions (ADR 47); the
   * live API does not check this.
   */
  readonly boundedTokens: boolean
  /** Members that replies name differently; requests accept both names. [ours, theirs] */
  readonly renamedMembers: readonly (readonly [string, string])[]
}

interface Bounds {
  readonly minimum: number
  readonly maximum: number
}

type SoaBounds = Readonly<Record<'refresh' | 'retry' | 'expire' | 'minimumTtl' | 'ttl', Bounds>>

const DOCUMENTED_SOA_BOUNDS: SoaBounds = {
  refresh: { minimum: 600, maximum: 86_400 },
  retry: { minimum: 600, maximum: 3_600 },
  expire: { minimum: 86_400, maximum: 2_419_200 },
  minimumTtl: { minimum: 60, maximum: 86_400 },
  ttl: { minimum: 1_800, maximum: 3_600 },
}

export const PROFILES: Readonly<Record<ProfileName, Profile>> = {
  documented: {
    name: 'documented',
    lettersFirst: true,
    quoteTxt: true,
    soaBounds: DOCUMENTED_SOA_BOUNDS,
    policySwitchAsSent: true,
    endpointUnderBothNames: true,
    rejectsUnknown: true,
    boundedTokens: true,
    renamedMembers: [],
  },
  vendor: {
    name: 'vendor',
    lettersFirst: false,
    quoteTxt: false,
    soaBounds: {
      ...DOCUMENTED_SOA_BOUNDS,
      retry: { minimum: 600, maximum: 86_400 },
      ttl: { minimum: 300, maximum: 86_400 },
    },
    policySwitchAsSent: false,
    endpointUnderBothNames: false,
    rejectsUnknown: false,
    boundedTokens: false,
    renamedMembers: [
      ['managed_by_service_tunnel', 'managed_by_argo_tunnel'],
      ['use_service_reporting_endpoint', 'use_cloudflare_reporting_endpoint'],
    ],
  },
}

/**
 * Renames members in the text of a reply. `"name":` cannot occur inside a JSON string, whose quotes are escaped, so
 * text replacement is exact.
 */
export function renameMembers(body: string, profile: Profile): string {
  let renamed = body
  for (const [ours, theirs] of profile.renamedMembers)
    renamed = renamed.replaceAll(`"${ours}":`, `"${theirs}":`)
  return renamed
}
