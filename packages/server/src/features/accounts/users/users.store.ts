// Rows of users.
import type { Role, ZoneRole } from '@zonereeve/sign-in'
import { query, type Reader, tables, type Transaction } from '@zonereeve/storage'

export interface User {
  readonly id: string
  readonly email: string
  /** SHA-256 of the legacy key; null if there is none. */
  readonly keyHash: string | null
  readonly name: string | null
  /** Role on everything; null = none. */
  readonly role: Role | null
  readonly zoneRoles: readonly { readonly zoneId: string; readonly role: ZoneRole }[]
  readonly createdOn: string
  readonly modifiedOn: string
}

const users = tables.users.of<User>()

export const findUser = (db: Reader, id: string): Promise<User | undefined> => users.find(db, { id })

/** E-mail addresses are compared case-insensitively. */
export const findUserByEmail = (db: Reader, email: string): Promise<User | undefined> =>
  users.find(db, { email: email.toLowerCase() })

export const findFirstUser = (db: Reader): Promise<User | undefined> =>
  users.first(db, query.selectFrom('users').selectAll().orderBy('created_on').limit(1))

export const insertUser = (tx: Transaction, user: User): Promise<void> =>
  users.insert(tx, { ...user, email: user.email.toLowerCase() })

export const updateUser = (tx: Transaction, user: User): Promise<void> => users.update(tx, user)

export const updateUserCredentials = (
  tx: Transaction,
  id: string,
  { email, keyHash }: Pick<User, 'email' | 'keyHash'>,
  at: string,
): Promise<void> => users.update(tx, { id, email: email.toLowerCase(), keyHash, modifiedOn: at })

export const listUsers = (db: Reader): Promise<User[]> =>
  users.readable(db, query.selectFrom('users').selectAll().orderBy('created_on').orderBy('id'))

/** Deletes the user, with memberships, tokens, sessions and ways to sign in. */
export async function deleteUser(tx: Transaction, id: string): Promise<void> {
  await tx.run(query.deleteFrom('memberships').where('user_id', '=', id))
  await tx.run(query.deleteFrom('tokens').where('owner_kind', '=', 'user').where('owner_id', '=', id))
  await tx.run(query.deleteFrom('users').where('id', '=', id))
}
