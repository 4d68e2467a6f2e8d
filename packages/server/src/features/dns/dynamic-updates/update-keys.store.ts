// Rows of update keys.
import type { Name, TsigAlgorithm } from '@zonereeve/dns'
import { belongsToRow, query, type Reader, tables, type Transaction } from '@zonereeve/storage'

/** A key that signs updates with the permissions of a token. */
export interface UpdateKey {
  readonly id: string
  readonly name: Name
  readonly algorithm: TsigAlgorithm
  /** Base64. */
  readonly secret: string
  readonly tokenId: string
  /** The owner of the token. */
  readonly userId: string
  readonly createdOn: string
}

const updateKeys = tables.update_keys.of<UpdateKey>()

export async function allUpdateKeys(db: Reader): Promise<UpdateKey[]> {
  return updateKeys.readable(db, query.selectFrom('update_keys').selectAll(), openedBy(db))
}

export async function listUpdateKeys(db: Reader, userId: string): Promise<UpdateKey[]> {
  const rows = query.selectFrom('update_keys').selectAll().where('user_id', '=', userId).orderBy('name')
  return updateKeys.readable(db, rows, openedBy(db))
}

export function findUpdateKey(db: Reader, userId: string, id: string): Promise<UpdateKey | undefined> {
  const rows = query.selectFrom('update_keys').selectAll().where('id', '=', id).where('user_id', '=', userId)
  return updateKeys.first(db, rows, openedBy(db))
}

export async function isUpdateKeyNamed(db: Reader, name: Name): Promise<boolean> {
  return (await db.first(query.selectFrom('update_keys').select('id').where('name', '=', name))) !== undefined
}

export function insertUpdateKey(tx: Transaction, key: UpdateKey): Promise<void> {
  const secret = tx.vault.sealText(key.secret, belongsToRow('update_keys', key.id))
  return updateKeys.insert(tx, { ...key, secret })
}

export const deleteUpdateKey = (tx: Transaction, id: string): Promise<number> => updateKeys.remove(tx, { id })

/** A key that cannot be read signs nothing. */
const openedBy =
  ({ vault }: Reader) =>
  (key: UpdateKey): UpdateKey => ({
    ...key,
    secret: vault.openText(key.secret, belongsToRow('update_keys', key.id)),
  })
