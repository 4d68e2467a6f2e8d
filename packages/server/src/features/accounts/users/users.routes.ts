// HTTP routes for the caller.
import { users, type WireUser } from '@zonereeve/contract'
import { route, type Route } from '../../../http/index.ts'
import { type Caller, DomainError } from '@zonereeve/platform'
import type { User } from './users.service.ts'

export function userRoutes(findCaller: (caller: Caller) => Promise<User | undefined>): Route[] {
  return [
    route(users.get, async ({ caller }) => {
      const user = await findCaller(caller)
      if (user === undefined) throw new DomainError({ reason: 'auth.forbidden' }) // an account token has no user
      return { result: toWireUser(user) }
    }),
  ]
}

function toWireUser(user: User): WireUser {
  return {
    id: user.id,
    email: user.email,
    first_name: null,
    last_name: null,
    telephone: null,
    country: null,
    zipcode: null,
    two_factor_authentication_enabled: false,
    two_factor_authentication_locked: false,
    suspended: false,
    created_on: user.createdOn,
    modified_on: user.modifiedOn,
    organizations: [],
  }
}
