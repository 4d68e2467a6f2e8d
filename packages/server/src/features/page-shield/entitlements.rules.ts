// What a zone's plan has of monitoring. Self-hosted zones have the plan with everything unless their owner gives them
// a smaller one, to see what that would refuse; then it is the public product's table of plans that holds.
import { DomainError } from '../../platform/domain-error.ts'
import type { Zone } from '../zones/index.ts'

export interface Entitlements {
  readonly connections: boolean
  readonly cookies: boolean
  /** first_page_url and page_urls. */
  readonly pages: boolean
  /** Hash, versions, scores, and what feeds say of URLs; what they say of domains, everybody has. */
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
export function demandEntitled(
  { plan }: Pick<Zone, 'plan'>,
  name: keyof Entitlements,
  what: string,
  pointer?: string,
): void {
  if (ENTITLEMENTS[plan][name]) return
  const place = pointer === undefined ? {} : { pointer }
  throw new DomainError({ reason: 'page_shield.not_entitled', values: { what, plan }, ...place })
}
