// Sessions for tests: of a new user with these roles.
import type { Role, ZoneRole } from '@zonereeve/sign-in'
import { insertUser, type User } from '../features/accounts/users/index.ts'
import type { Call, TestApp } from './app.ts'

export interface TestRoles {
  readonly role?: Role
  readonly zoneRoles?: readonly { readonly zoneId: string; readonly role: ZoneRole }[]
}

/** What a page of the dashboard sends with each request. */
export type SessionCredential = Required<Pick<Call, 'token' | 'headers'>>

/** The cookie of a session, as a page of the server itself sends it. */
export const sentBy = (value: string): SessionCredential => ({
  token: null,
  headers: { cookie: `zonereeve=${value}`, 'sec-fetch-site': 'same-origin' },
})

/** @returns a session of the user, who has just signed in. */
export async function startSession(app: TestApp, user: User): Promise<SessionCredential> {
  const from = { ip: '127.0.0.1', userAgent: null }
  const { value } = await app.storage.write((tx) => app.sessions.start(tx, user, ['password'], from, ''))
  return sentBy(value)
}

/** Creates a user with these roles. */
export async function makeUser(app: TestApp, { role, zoneRoles = [] }: TestRoles): Promise<User> {
  const [id, at] = [app.ids.id(), app.clock.timestamp()]
  const user: User = {
    id,
    email: `${id}@example.com`,
    keyHash: null,
    name: null,
    role: role ?? null,
    zoneRoles,
    createdOn: at,
    modifiedOn: at,
  }
  await app.storage.write((tx) => insertUser(tx, user))
  return user
}

/** A session of a new user with these roles. */
export const makeSession = async (app: TestApp, roles: TestRoles): Promise<SessionCredential> =>
  startSession(app, await makeUser(app, roles))
