// Roles of users: which permission groups each has, on everything or on single zones.

/** From the strongest to the weakest. */
export const ROLES = ['owner', 'admin', 'editor', 'viewer'] as const
export type Role = (typeof ROLES)[number]

/** Roles that a user can have on a single zone. */
export const ZONE_ROLES = ['admin', 'editor', 'viewer'] as const
export type ZoneRole = (typeof ZONE_ROLES)[number]

/** A permission group of the API. */
export interface PermissionGroup {
  readonly name: string
  readonly scope: 'user' | 'account' | 'zone'
}

/** Users, accounts, which contain all zones, and edges, which read the rules of whole accounts. */
const ONLY_OWNERS: ReadonlySet<string> = new Set([
  'Users Write',
  'Account Settings Write',
  'Memberships Write',
  'Edge Decide',
])
/** They show who else has access. */
const ONLY_ADMINS: ReadonlySet<string> = new Set(['Users Read', 'Account API Tokens Read'])
/** Creates, renames and deletes zones. */
const ZONE_WRITE = 'Zone Write'

const isRead = ({ name }: PermissionGroup): boolean => name.endsWith(' Read')

/** All users manage their own tokens, within their own permissions. */
const isOwnOrRead = (group: PermissionGroup): boolean =>
  group.scope === 'user'
    ? !ONLY_OWNERS.has(group.name)
    : group.scope === 'account' && isRead(group) && !ONLY_ADMINS.has(group.name)

const isEditorsOnZone = ({ name }: PermissionGroup): boolean => name !== ZONE_WRITE && !ONLY_OWNERS.has(name)

const HOLDS: Readonly<Record<Role, (group: PermissionGroup) => boolean>> = {
  owner: () => true,
  admin: ({ name }) => !ONLY_OWNERS.has(name),
  editor: (group) => (group.scope === 'zone' ? isEditorsOnZone(group) : isOwnOrRead(group)),
  viewer: (group) => (group.scope === 'zone' ? isRead(group) : isOwnOrRead(group)),
}

/** Whether the role includes the permission group. A role that does not exist includes none. */
export const isHeldBy = (role: Role, group: PermissionGroup): boolean =>
  Object.hasOwn(HOLDS, role) && HOLDS[role](group)
