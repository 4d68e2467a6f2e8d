// HTTP routes for users and their roles.
import { managedUsers as operations, type WireManagedUser } from '@zonereeve/contract'
import { pageOf, replyRemoved, route, type Route } from '../../../http/index.ts'
import type { User } from '../users/index.ts'
import type { ManagedUsers, UserDraft } from './managed-users.service.ts'

const PER_PAGE = 50

export function managedUserRoutes(users: ManagedUsers): Route[] {
  return [
    route(operations.list, async ({ query }) =>
      pageOf(
        (await users.list()).map((user) => toWireManagedUser(user)),
        query,
        PER_PAGE,
      ),
    ),
    route(operations.create, async ({ body, caller, actor }) => {
      const draft = { name: null, role: null, zoneRoles: [], ...rolesIn(body), email: body.email }
      const { user, link } = await users.create(draft, caller, actor)
      return { result: toWireManagedUser(user, link) }
    }),
    route(operations.edit, async ({ params, body, caller, actor }) => ({
      result: toWireManagedUser(await users.edit(params.user_id, rolesIn(body), caller, actor)),
    })),
    route(operations.createLink, async ({ params, caller, actor }) => {
      const { user, link } = await users.createLink(params.user_id, caller, actor)
      return { result: toWireManagedUser(user, link) }
    }),
    route(operations.delete, ({ params, caller, actor }) =>
      replyRemoved(params.user_id, users.remove(params.user_id, caller, actor)),
    ),
  ]
}

interface WireRoles {
  readonly name?: string | null
  readonly role?: WireManagedUser['role']
  readonly zone_roles?: WireManagedUser['zone_roles']
}

const rolesIn = ({ name, role, zone_roles: zoneRoles }: WireRoles): Partial<Omit<UserDraft, 'email'>> => ({
  ...(name === undefined ? {} : { name }),
  ...(role === undefined ? {} : { role }),
  ...(zoneRoles === undefined
    ? {}
    : { zoneRoles: zoneRoles.map((held) => ({ zoneId: held.zone_id, role: held.role })) }),
})

const toWireManagedUser = (user: User, link?: string): WireManagedUser => ({
  id: user.id,
  email: user.email,
  name: user.name,
  role: user.role,
  zone_roles: user.zoneRoles.map(({ zoneId, role }) => ({ zone_id: zoneId, role })),
  created_on: user.createdOn,
  modified_on: user.modifiedOn,
  ...(link === undefined ? {} : { link }),
})
