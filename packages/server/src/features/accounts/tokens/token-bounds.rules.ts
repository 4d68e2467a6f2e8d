// Bounded tokens: a token that is created, edited or rolled with another one cannot exceed it in permissions,
// resources, addresses or expiry.
import type { Issue } from '@zonereeve/platform'
import {
  groupName,
  isNetworkWithin,
  networksOf,
  placesOf,
  type IpCondition,
  type TokenScope,
  type Policy,
} from './tokens.rules.ts'

/** A stored token, or one to be stored. */
interface Token {
  readonly owner: { readonly kind: 'user' | 'account'; readonly id: string }
  readonly policies: readonly Policy[]
  readonly condition: IpCondition | null
  readonly expiresOn: string | null
}

/** The account of a zone; undefined for an unknown zone. */
export type AccountOf = (zoneId: string) => string | undefined

/** Returns every way in which `token` exceeds `minter`. Permission groups are compared one by one, by id. */
export function boundIssues(token: Token, minter: Token, accountOf: AccountOf): Issue[] {
  return [
    ...policyIssues(token, minter, accountOf),
    ...conditionIssues(token.condition, minter.condition),
    ...endIssues(token, minter),
  ]
}

function policyIssues(token: Token, minter: Token, accountOf: AccountOf): Issue[] {
  const own = placesByGroup(token, accountOf)
  const minterPlaces = placesByGroup(minter, accountOf)
  return token.policies.flatMap((policy, index) => {
    if (policy.effect === 'deny') return []
    const places = placesIn(token, policy, accountOf)
    return policy.groupIds.flatMap((group, position): Issue[] => {
      const isHeld = places.every((place) =>
        minterPlaces('allow', group).some((around) => isWithin(place, around)),
      )
      const denied = minterPlaces('deny', group).filter((place) =>
        places.some((given) => overlaps(given, place)),
      )
      const isDenied = denied.every((place) => own('deny', group).some((around) => isWithin(place, around)))
      if (isHeld && isDenied) return []
      const pointer = `/policies/${index}/permission_groups/${position}`
      const values = { group: groupName(group), resources: Object.keys(policy.resources).join(', ') }
      return [{ reason: isHeld ? 'token.stronger_than_denied' : 'token.stronger_policy', pointer, values }]
    })
  })
}

/** Zones that policies name directly: their accounts must be looked up. */
export const zoneIdsIn = (policies: readonly Policy[]): readonly string[] =>
  policies.flatMap(({ resources }) =>
    placesOf(resources).flatMap((place) => (place?.zoneId === undefined ? [] : [place.zoneId])),
  )

const placesByGroup =
  (token: Token, accountOf: AccountOf) =>
  (effect: Policy['effect'], group: string): readonly TokenScope[] =>
    token.policies
      .filter((policy) => policy.effect === effect && policy.groupIds.includes(group))
      .flatMap((policy) => placesIn(token, policy, accountOf))

/** The places that a policy covers, completed with its owner and the accounts of its zones. */
function placesIn({ owner }: Token, { resources }: Policy, accountOf: AccountOf): readonly TokenScope[] {
  return placesOf(resources).flatMap((place): readonly TokenScope[] => {
    if (place === undefined) return []
    if (place.level === 'user') return ofUser(place, owner)
    const accountId = place.accountId ?? (place.zoneId === undefined ? undefined : accountOf(place.zoneId))
    if (owner.kind === 'user') return [{ ...place, accountId }]
    // An account token never reaches beyond its account.
    return accountId === undefined || accountId === owner.id ? [{ ...place, accountId: owner.id }] : []
  })
}

/** A user token covers only its own user, an account token none. */
function ofUser(place: TokenScope, owner: Token['owner']): readonly TokenScope[] {
  const isOwn = owner.kind === 'user' && (place.userId ?? owner.id) === owner.id
  return isOwn ? [{ ...place, userId: owner.id }] : []
}

const PARTS = ['accountId', 'zoneId', 'userId'] as const

const isWithin = (place: TokenScope, around: TokenScope): boolean =>
  place.level === around.level &&
  PARTS.every((part) => around[part] === undefined || around[part] === place[part])

const overlaps = (a: TokenScope, b: TokenScope): boolean =>
  a.level === b.level &&
  PARTS.every((part) => a[part] === undefined || b[part] === undefined || a[part] === b[part])

function conditionIssues(own: IpCondition | null, minterCondition: IpCondition | null): Issue[] {
  const { allowed, refused } = networksOf(own)
  const { allowed: heldAllowed, refused: heldRefused } = networksOf(minterCondition)
  const issue = (pointer: string, networks: readonly string[]): Issue => ({
    reason: 'token.stronger_address',
    pointer,
    values: { networks: networks.join(', ') },
  })
  if (heldAllowed.length > 0 && allowed.length === 0) return [issue('/condition/request_ip/in', heldAllowed)]
  const outside = allowed.flatMap((network, index) =>
    heldAllowed.length === 0 || heldAllowed.some((around) => isNetworkWithin(network, around))
      ? []
      : [issue(`/condition/request_ip/in/${index}`, heldAllowed)],
  )
  const missing = heldRefused.filter((network) => !refused.some((around) => isNetworkWithin(network, around)))
  if (missing.length === 0) return outside
  return [
    ...outside,
    { ...issue('/condition/request_ip/not_in', missing), reason: 'token.stronger_than_excluded' },
  ]
}

/** The start time is irrelevant: the minter is valid already. */
function endIssues({ expiresOn }: Token, { expiresOn: end }: Token): Issue[] {
  if (end === null || (expiresOn !== null && Date.parse(expiresOn) <= Date.parse(end))) return []
  return [{ reason: 'token.stronger_end', pointer: '/expires_on', values: { end } }]
}
