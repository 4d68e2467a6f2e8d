// Permissions of a token: policies of permission groups on resources, deny before allow, nothing by default.
import { isIP } from 'node:net'
import { isDeepStrictEqual } from 'node:util'
import { PERMISSION_GROUPS, PERMISSION_SCOPES, type PermissionScope } from '@zonereeve/contract'
import { isHeldBy, type Role, type ZoneRole } from '@zonereeve/sign-in'
import ipaddr from 'ipaddr.js'
import type { Caller, Issue, Reach, Target } from '@zonereeve/platform'

export interface Policy {
  readonly id: string
  readonly effect: 'allow' | 'deny'
  /** Resource names, as given; nested for zones within an account. */
  readonly resources: Readonly<Record<string, string | Readonly<Record<string, string>>>>
  /** Ids of permission groups. */
  readonly groupIds: readonly string[]
}

export interface IpCondition {
  readonly in?: readonly string[]
  readonly notIn?: readonly string[]
}

export interface TokenLimits {
  readonly notBefore: string | null
  readonly expiresOn: string | null
  readonly condition: IpCondition | null
}

const GROUP_NAMES: ReadonlyMap<string, string> = new Map(PERMISSION_GROUPS.map(({ id, name }) => [id, name]))

export const groupName = (id: string): string => GROUP_NAMES.get(id) ?? id

/** One place that a policy covers. `undefined` = any. */
export interface TokenScope {
  readonly level: 'zone' | 'account' | 'user'
  readonly accountId: string | undefined
  readonly zoneId: string | undefined
  readonly userId: string | undefined
}

export type Grants = Pick<Caller, 'can' | 'reach'>

/** Compiles policies for permission checks. Resources that {@link definitionIssues} rejects cover nothing. */
export function compilePolicies(policies: readonly Policy[]): Grants {
  const [allowed, denied] = [placesByGroup(policies, 'allow'), placesByGroup(policies, 'deny')]
  return {
    // A group denied at a place is not held there; another group that the operation accepts may still be.
    can: (anyOf, target) =>
      anyOf.some((name) => {
        const covers = (place: TokenScope) => placeCovers(place, target)
        return allowed(name).some(covers) && !denied(name).some(covers)
      }),
    reach: (anyOf, level) => anyOf.flatMap((name) => reachesOf(allowed(name), denied(name), level)),
  }
}

/** Where the policies with this effect have a group of permissions. */
function placesByGroup(policies: readonly Policy[], effect: Policy['effect']) {
  const byGroup = new Map<string, readonly TokenScope[]>()
  for (const { resources, groupIds } of policies.filter((policy) => policy.effect === effect)) {
    const places = placesOf(resources).filter((place) => place !== undefined)
    for (const name of groupIds.map(groupName)) byGroup.set(name, [...placesOfGroup(name), ...places])
  }
  return placesOfGroup

  function placesOfGroup(name: string): readonly TokenScope[] {
    return byGroup.get(name) ?? [] // no policy names it
  }
}

function reachesOf(
  allowed: readonly TokenScope[],
  denied: readonly TokenScope[],
  level: TokenScope['level'],
): Reach[] {
  const atLevel = (places: readonly TokenScope[]) => places.filter((place) => place.level === level)
  const refused = atLevel(denied)
  if (refused.some(isEverywhere)) return []
  // A zone that is named within an account is covered only there: it may have been named with another account's id.
  const accountOf = (place: TokenScope) => (place.zoneId === undefined ? undefined : place.accountId)
  const accountIds = new Set(atLevel(allowed).map(accountOf))
  return [...accountIds].map((withinAccountId) => ({
    ...reachOf(
      atLevel(allowed).filter((place) => accountOf(place) === withinAccountId),
      refused,
    ),
    ...(withinAccountId === undefined ? {} : { withinAccountId }),
  }))
}

const isEverywhere = (place: TokenScope): boolean =>
  place.accountId === undefined && place.zoneId === undefined

function reachOf(allowed: readonly TokenScope[], denied: readonly TokenScope[]): Reach {
  const accountIds = (places: readonly TokenScope[]) =>
    places.flatMap(({ accountId, zoneId }) =>
      zoneId === undefined && accountId !== undefined ? [accountId] : [],
    )
  const zoneIds = (places: readonly TokenScope[]) =>
    places.flatMap(({ zoneId }) => (zoneId === undefined ? [] : [zoneId]))
  return {
    everything: allowed.some(isEverywhere),
    accountIds: accountIds(allowed),
    zoneIds: zoneIds(allowed),
    exceptAccountIds: accountIds(denied),
    exceptZoneIds: zoneIds(denied),
  }
}

/** Everything, without exception. */
const EVERYWHERE: Reach = {
  everything: true,
  accountIds: [],
  zoneIds: [],
  exceptAccountIds: [],
  exceptZoneIds: [],
}

/** Grants everything: for the legacy key, and for the program itself. */
export const ALL_GRANTS: Grants = { can: () => true, reach: () => [EVERYWHERE] }

function placeCovers(place: TokenScope, target: Target): boolean {
  if (place.level !== target.kind) return false
  const same = (want: string | undefined, is: string) => want === undefined || want === is
  switch (target.kind) {
    case 'zone':
      return same(place.zoneId, target.zoneId) && same(place.accountId, target.accountId)
    case 'account':
      return same(place.accountId, target.accountId)
    case 'user':
      return same(place.userId, target.userId)
  }
}

const RESOURCE = /^com\.cloudflare\.api\.(account\.zone|account|user)\.(\*|[0-9a-f]{32})$/
const LEVELS = { 'account.zone': 'zone', account: 'account', user: 'user' } as const

/**
 * The places that resources cover; undefined for an invalid one.
 *
 * `account.<id>` covers the account's own settings and, for zone groups, every zone in it; with a nested object it
 * covers the zones named there.
 */
export function placesOf(resources: Policy['resources']): (TokenScope | undefined)[] {
  return Object.entries(resources).flatMap(([name, value]) => {
    const outer = readResource(name)
    if (outer === undefined) return [undefined]
    if (typeof value === 'string') {
      if (value !== '*') return [undefined]
      return outer.level === 'account' ? [outer, { ...outer, level: 'zone' }] : [outer]
    }
    if (outer.level !== 'account') return [undefined]
    return Object.entries(value).map(([inner, star]) => {
      const zone = readResource(inner)
      return zone?.level === 'zone' && star === '*' ? { ...zone, accountId: outer.accountId } : undefined
    })
  })
}

function readResource(name: string): TokenScope | undefined {
  const match = RESOURCE.exec(name)
  if (match === null) return undefined
  const level = LEVELS[match[1] as keyof typeof LEVELS] // one of the alternatives of the pattern
  const id = match[2] === '*' ? undefined : match[2]
  return {
    level,
    accountId: level === 'account' ? id : undefined,
    zoneId: level === 'zone' ? id : undefined,
    userId: level === 'user' ? id : undefined,
  }
}

/** Issues of a token's definition: unknown groups or resources, invalid networks, impossible times. */
export function definitionIssues(policies: readonly Policy[], limits: TokenLimits): Issue[] {
  return [...policies.flatMap(policyIssues), ...conditionIssues(limits.condition), ...timeIssues(limits)]
}

function policyIssues(policy: Policy, index: number): Issue[] {
  const at = `/policies/${index}`
  const groups = policy.groupIds.flatMap((id, position): Issue[] =>
    GROUP_NAMES.has(id)
      ? []
      : [
          {
            reason: 'token.permission_group',
            pointer: `${at}/permission_groups/${position}/id`,
            values: { value: id },
          },
        ],
  )
  const resources = Object.entries(policy.resources).flatMap(([name, value]): Issue[] =>
    placesOf({ [name]: value }).includes(undefined)
      ? [{ reason: 'token.resource', pointer: `${at}/resources`, values: { value: name } }]
      : [],
  )
  const none: Issue[] =
    Object.keys(policy.resources).length === 0
      ? [{ reason: 'token.resource', pointer: `${at}/resources`, values: { value: '(none)' } }]
      : []
  return [...groups, ...resources, ...none]
}

/** The networks of a condition. Without a list of allowed networks, every address is allowed. */
export const networksOf = (condition: IpCondition | null) => ({
  allowed: condition?.in ?? [], // no such list, as above
  refused: condition?.notIn ?? [], // no such list: no address is refused
})

function conditionIssues(condition: IpCondition | null): Issue[] {
  const bad = (list: readonly string[], member: string) =>
    list.flatMap((value, index): Issue[] =>
      readNetwork(value) === undefined
        ? [{ reason: 'token.ip', pointer: `/condition/request_ip/${member}/${index}`, values: { value } }]
        : [],
    )
  const { allowed, refused } = networksOf(condition)
  return [...bad(allowed, 'in'), ...bad(refused, 'not_in')]
}

function timeIssues({ notBefore, expiresOn }: TokenLimits): Issue[] {
  const times = { not_before: notBefore, expires_on: expiresOn }
  const unreadable = Object.entries(times).flatMap(([member, time]): Issue[] =>
    time !== null && Number.isNaN(Date.parse(time))
      ? [{ reason: 'token.expiry', pointer: `/${member}`, values: { member } }]
      : [],
  )
  if (unreadable.length > 0 || notBefore === null || expiresOn === null) return unreadable
  return Date.parse(notBefore) < Date.parse(expiresOn)
    ? []
    : [{ reason: 'token.expiry', pointer: '/expires_on', values: { member: 'expires_on' } }]
}

type Network = [ipaddr.IPv4 | ipaddr.IPv6, number]

function readNetwork(text: string): Network | undefined {
  // The library would also accept `192.0.2` (as 192.0.0.2) and the like.
  if (isIP(text.replace(/\/\d{1,3}$/, '')) === 0) return undefined
  try {
    if (text.includes('/')) return ipaddr.parseCIDR(text)
    const address = ipaddr.parse(text)
    return [address, address.kind() === 'ipv4' ? 32 : 128]
  } catch {
    return undefined // the caller reports the string
  }
}

/** True if every address of a network is in another one; false for an invalid network. */
export function isNetworkWithin(text: string, around: string): boolean {
  const [inner, outer] = [readNetwork(text), readNetwork(around)]
  if (inner === undefined || outer === undefined || inner[0].kind() !== outer[0].kind()) return false
  return inner[1] >= outer[1] && inner[0].match(outer)
}

/** True if the condition allows requests from `ip` (IPv4-mapped addresses count as IPv4). */
export function ipAllowed(condition: IpCondition | null, ip: string): boolean {
  if (condition === null) return true
  // A proxy may forward an invalid address from its client: it meets no condition.
  if (isIP(ip) === 0) return false
  const address = ipaddr.process(ip)
  const within = (list: readonly string[]) =>
    list.some((text) => {
      const network = readNetwork(text)
      return network !== undefined && network[0].kind() === address.kind() && address.match(network)
    })
  const { allowed, refused } = networksOf(condition)
  if (allowed.length > 0 && !within(allowed)) return false
  return !within(refused)
}

export type TokenStatus = 'active' | 'disabled' | 'expired'

/** The current status of a token; a token that is not yet valid counts as disabled. */
export function statusAt(stored: 'active' | 'disabled', limits: TokenLimits, nowMillis: number): TokenStatus {
  if (stored === 'disabled') return 'disabled'
  if (limits.expiresOn !== null && Date.parse(limits.expiresOn) <= nowMillis) return 'expired'
  if (limits.notBefore !== null && Date.parse(limits.notBefore) > nowMillis) return 'disabled'
  return 'active'
}

/** Every permission group on everything: the policies of the first administrator's token. */
export function administratorPolicies(
  policyId: string,
  groupIds = PERMISSION_GROUPS.map(({ id }) => id),
): Policy[] {
  const resources = Object.fromEntries(Object.values(PERMISSION_SCOPES).map((scope) => [`${scope}.*`, '*']))
  return [{ id: policyId, effect: 'allow', resources, groupIds }]
}

/** The roles of a user. */
export interface RoleHolder {
  readonly role: Role | null
  readonly zoneRoles: readonly { readonly zoneId: string; readonly role: ZoneRole }[]
}

/** What a user may do: as a session, and at most with tokens. All users manage their own tokens and details. */
export function rolePolicies({ role, zoneRoles }: RoleHolder): Policy[] {
  const groupsOf = (role: Role, scopes: readonly PermissionScope[]) =>
    PERMISSION_GROUPS.filter((group) => scopes.includes(group.scope) && isHeldBy(role, group)).map(
      ({ id }) => id,
    )
  const { user, zone, account } = PERMISSION_SCOPES
  const policy = (id: string, resource: string, groupIds: readonly string[]): Policy => ({
    id,
    effect: 'allow',
    resources: { [resource]: '*' },
    groupIds,
  })
  return [
    policy('user', `${user}.*`, groupsOf(role ?? 'viewer', ['user'])),
    ...(role === null ? [] : [policy('account', `${account}.*`, groupsOf(role, ['account']))]),
    ...(role === null ? [] : [policy('zone', `${zone}.*`, groupsOf(role, ['zone']))]),
    ...zoneRoles.map((zoneRole) =>
      policy(zoneRole.zoneId, `${zone}.${zoneRole.zoneId}`, groupsOf(zoneRole.role, ['zone'])),
    ),
  ]
}

/**
 * The administrator's policies, plus the groups added since an older version created them.
 * @returns undefined if none is missing, or if somebody has set other policies or fewer resources.
 */
export function withNewGroups(policies: readonly Policy[]): Policy[] | undefined {
  const [policy, ...others] = policies
  if (policy?.effect !== 'allow' || others.length > 0) return undefined
  const whole = administratorPolicies(policy.id)
  const isWhole = whole.every(({ resources }) => isDeepStrictEqual(resources, policy.resources))
  const isMissing = whole.some(({ groupIds }) => groupIds.some((id) => !policy.groupIds.includes(id)))
  return isWhole && isMissing ? whole : undefined
}
