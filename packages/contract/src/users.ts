// The calling user.
import { Type, type Static } from 'typebox'
import { operations } from './operation.ts'
import { namedObject, nullable, objectId, timestamp } from './primitives.ts'

export const WireUser = namedObject('User', {
  id: objectId('the user'),
  email: Type.String(),
  first_name: nullable(Type.String()),
  last_name: nullable(Type.String()),
  telephone: Type.Null(),
  country: Type.Null(),
  zipcode: Type.Null(),
  two_factor_authentication_enabled: Type.Boolean(),
  two_factor_authentication_locked: Type.Boolean(),
  suspended: Type.Boolean(),
  created_on: timestamp('When the user was created.'),
  modified_on: timestamp('When the user was last changed.'),
  organizations: Type.Array(Type.Object({ id: Type.String(), name: Type.String(), status: Type.String() })),
})
export type WireUser = Static<typeof WireUser>

const section = { tag: 'Users' }

export const users = operations('user', section, {
  get: {
    route: 'GET /user',
    summary: 'Get the caller',
    permission: { on: 'user', anyOf: ['User Details Read', 'User Details Write'] },
    result: WireUser,
  },
})
