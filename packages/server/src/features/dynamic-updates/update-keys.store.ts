// Rows of update keys.
import type { Name, TsigAlgorithm } from '@zonereeve/dns'
import { query, type Database, type Reader, type Transaction } from '../../storage/index.ts'

/** A key that signs updates with the permissions of a token. */
export interface UpdateKey {
  readonly id: string
  readonly name: Name
  readonly algorithm: TsigAlgorithm
  /** Base64. */
  readonly secret: string
  readonly tokenId: string
  /** Whose token it is. */
  readonly userId: string
  readonly createdOn: string
}

export async function allUpdateKeys(db: Reader): Promise<UpdateKey[]> {
  return (await db.all(query.selectFrom('update_keys').selectAll())).map(fromRow)
}

export async function listUpdateKeys(db: Reader, userId: string): Promise<UpdateKey[]> {
  const rows = query.selectFrom('update_keys').selectAll().where('user_id', '=', userId).orderBy('name')
  return (await db.all(rows)).map(fromRow)
}

export async function findUpdateKey(db: Reader, userId: string, id: string): Promise<UpdateKey | undefined> {
  const rows = query.selectFrom('update_keys').selectAll().where('id', '=', id).where('user_id', '=', userId)
  const row = await db.first(rows)
  return row && fromRow(row)
}

export async function isUpdateKeyNamed(db: Reader, name: Name): Promise<boolean> {
  return (await db.first(query.selectFrom('update_keys').select('id').where('name', '=', name))) !== undefined
}

export async function insertUpdateKey(tx: Transaction, key: UpdateKey): Promise<void> {
  const { tokenId, userId, createdOn, ...row } = key
  await tx.run(
    query
      .insertInto('update_keys')
      .values({ ...row, token_id: tokenId, user_id: userId, created_on: createdOn }),
  )
}

export async function deleteUpdateKey(tx: Transaction, id: string): Promise<void> {
  await tx.run(query.deleteFrom('update_keys').where('id', '=', id))
}

function fromRow(row: Database['update_keys']): UpdateKey {
  return {
    id: row.id,
    name: row.name as Name, // only Names are stored
    algorithm: row.algorithm as TsigAlgorithm, // only those of the contract are stored
    secret: row.secret,
    tokenId: row.token_id,
    userId: row.user_id,
    createdOn: row.created_on,
  }
}
