// All users of the server.
import { queryOptions } from '@tanstack/react-query'
import type { managedUsers, StaticOf, WireManagedUser } from '@zonereeve/contract'
import { call } from './call.ts'

export type { WireManagedUser } from '@zonereeve/contract'

const USERS = '/zonereeve/users'
const ONE = `${USERS}/{user_id}` as const
const ALL = 1000

export type UserDraft = StaticOf<typeof managedUsers.create.body>
export type UserChange = StaticOf<typeof managedUsers.edit.body>

export const userList = queryOptions({
  queryKey: ['users'],
  queryFn: async ({ signal }) => {
    const route = { method: 'GET', path: USERS } as const
    return (await call<typeof managedUsers.list>(route, { query: { per_page: ALL } }, { signal })).result
  },
})

/** @returns the user with the token of a one-time link. */
export const inviteUser = async (body: UserDraft): Promise<WireManagedUser> =>
  (await call<typeof managedUsers.create>({ method: 'POST', path: USERS }, { body })).result

const paramsOf = (id: string) => ({ params: { user_id: id } })

export const changeUser = (id: string, body: UserChange) =>
  call<typeof managedUsers.edit>({ method: 'PATCH', path: ONE }, { ...paramsOf(id), body })

/** @returns the user with the token of a one-time link. */
export const linkUser = async (id: string): Promise<WireManagedUser> => {
  const route = { method: 'POST', path: `${ONE}/link` } as const
  return (await call<typeof managedUsers.createLink>(route, paramsOf(id))).result
}

export const deleteUser = (id: string) =>
  call<typeof managedUsers.delete>({ method: 'DELETE', path: ONE }, paramsOf(id))
