// Rows of users.
import { query, type Database, type Reader, type Transaction } from '../../storage/index.ts'

export interface User {
  readonly id: string
  readonly email: string
  /** SHA-256 of the legacy key; null where there is none. */
  readonly keyHash: string | null
  readonly createdOn: string
  readonly modifiedOn: string
}

export async function findUser(db: Reader, id: string): Promise<User | undefined> {
  const row = await db.first(query.selectFrom('users').selectAll().where('id', '=', id))
  return row && fromRow(row)
}

/** E-mail addresses are compared without regard to case. */
export async function findUserByEmail(db: Reader, email: string): Promise<User | undefined> {
  const row = await db.first(query.selectFrom('users').selectAll().where('email', '=', email.toLowerCase()))
  return row && fromRow(row)
}

export async function findFirstUser(db: Reader): Promise<User | undefined> {
  const row = await db.first(query.selectFrom('users').selectAll().orderBy('created_on').limit(1))
  return row && fromRow(row)
}

export async function insertUser(tx: Transaction, user: User): Promise<void> {
  await tx.run(
    query.insertInto('users').values({
      id: user.id,
      email: user.email.toLowerCase(),
      key_hash: user.keyHash,
      created_on: user.createdOn,
      modified_on: user.modifiedOn,
    }),
  )
}

export async function updateUserCredentials(
  tx: Transaction,
  id: string,
  credentials: { readonly email: string; readonly keyHash: string | null },
  at: string,
): Promise<void> {
  await tx.run(
    query
      .updateTable('users')
      .set({ email: credentials.email.toLowerCase(), key_hash: credentials.keyHash, modified_on: at })
      .where('id', '=', id),
  )
}

function fromRow(row: Database['users']): User {
  return {
    id: row.id,
    email: row.email,
    keyHash: row.key_hash,
    createdOn: row.created_on,
    modifiedOn: row.modified_on,
  }
}
