// What a zone's plan includes of monitoring. Zones have the top plan unless their owner sets a smaller one to
// see what it would reject; then the public product's plan table applies.
import { DomainError } from '@zonereeve/platform'
import type { Zone } from '../../zones/index.ts'

export interface Entitlements {
  readonly connections: boolean
  readonly cookies: boolean
  /** first_page_url and page_urls. */
  readonly pages: boolean
  /**
   * Hash, versions, scores, and feed verdicts about URLs; feed verdicts about domains are included in every
   * plan.
   */
  readonly contents: boolean
  readonly cookieAttributes: boolean
  readonly csv: boolean
  /** Settings other than `enabled`. */
  readonly settings: boolean
}

const SMALL: Entitlements = {
  connections: false,
  cookies: false,
  pages: false,
  contents: false,
  cookieAttributes: false,
  csv: false,
  settings: false,
}

const ENTITLEMENTS: Readonly<Record<Zone['plan'], Entitlements>> = {
  free: SMALL,
  pro: SMALL,
  business: { ...SMALL, connections: true, cookies: true, pages: true },
  enterprise: {
    connections: true,
    cookies: true,
    pages: true,
    contents: true,
    cookieAttributes: true,
    csv: true,
    settings: true,
  },
}

export const entitlementsOf = ({ plan }: Pick<Zone, 'plan'>): Entitlements => ENTITLEMENTS[plan]

/** @throws DomainError: page_shield.not_entitled. */
export function requireEntitled(
  { plan }: Pick<Zone, 'plan'>,
  name: keyof Entitlements,
  what: string,
  pointer?: string,
): void {
  if (ENTITLEMENTS[plan][name]) return
  const place = pointer === undefined ? {} : { pointer }
  throw new DomainError({ reason: 'page_shield.not_entitled', values: { what, plan }, ...place })
}
