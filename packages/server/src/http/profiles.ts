// The two profiles: `documented` follows the product specification where it and the live API differ, `vendor` the
// live API. This table holds every difference; nothing else branches on the profile.
export type ProfileName = 'documented' | 'vendor'

export interface Profile {
  readonly name: ProfileName
  /**
   * A, AAAA and CNAME names: labels begin with a letter (`*` and a leading underscore allowed) and end with a letter
   * or digit (specification §2.2); the live API takes any host label, digits first too.
   */
  readonly lettersFirst: boolean
  /** TXT content without quotes: stored quoted (specification §2.2 rule 3), or as it was sent (recorded 2025-08). */
  readonly quoteTxt: boolean
  /** What the times of an SOA may be, in seconds: the table of specification §2.2, or the live API's schema. */
  readonly soaBounds: SoaBounds
  /**
   * A policy's `enabled` as it was sent, a text `"true"` where it was one (specification §2.7), or always a boolean, as
   * the live API's schema has it and typed clients decode it.
   */
  readonly policySwitchAsSent: boolean
  /**
   * Monitoring's settings have the reporting endpoint under the specification's neutral word and under the live API's, which
   * typed clients read; or under the latter alone.
   */
  readonly endpointUnderBothNames: boolean
  /** Members that replies name in the other words; both are understood in requests. [ours, theirs] */
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
    renamedMembers: [
      ['managed_by_service_tunnel', 'managed_by_argo_tunnel'],
      ['use_service_reporting_endpoint', 'use_cloudflare_reporting_endpoint'],
    ],
  },
}

/**
 * Renames members in the text of a reply. `"name":` cannot occur inside a JSON string, whose quotes are escaped, so
 * replacing text is exact.
 */
export function renameMembers(body: string, profile: Profile): string {
  let renamed = body
  for (const [ours, theirs] of profile.renamedMembers)
    renamed = renamed.replaceAll(`"${ours}":`, `"${theirs}":`)
  return renamed
}
