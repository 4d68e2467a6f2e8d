// Rows of keys, ACLs and peers, in the order of their creation.
import { query, type Database, type Reader, type Transaction } from '../../storage/index.ts'
import type { ObjectOf, TransferKind, TransferObject } from './transfer-object.ts'

export async function objectsOf<K extends TransferKind>(
  db: Reader,
  accountId: string,
  kind: K,
): Promise<ObjectOf<K>[]> {
  const rows = await db.all(
    query
      .selectFrom('transfer_objects')
      .selectAll()
      .where('account_id', '=', accountId)
      .where('kind', '=', kind)
      .orderBy('position'),
  )
  return rows.map((row) => fromRow<K>(row))
}

export async function findObject<K extends TransferKind>(
  db: Reader,
  accountId: string,
  kind: K,
  id: string,
): Promise<ObjectOf<K> | undefined> {
  const row = await db.first(
    query
      .selectFrom('transfer_objects')
      .selectAll()
      .where('id', '=', id)
      .where('account_id', '=', accountId)
      .where('kind', '=', kind),
  )
  return row && fromRow<K>(row)
}

/** Whether another key, of whatever account, has the name: on the wire a name is all there is to tell keys apart. */
export async function isKeyNameTaken(db: Reader, name: string, exceptId: string): Promise<boolean> {
  const taken = query
    .selectFrom('transfer_objects')
    .select('id')
    .where('kind', '=', 'tsig')
    .where('name', '=', name)
    .where('id', '!=', exceptId)
  return (await db.first(taken)) !== undefined
}

export async function accountsWithObjects(db: Reader): Promise<string[]> {
  const rows = await db.all(query.selectFrom('transfer_objects').select('account_id').distinct())
  return rows.map((row) => row.account_id)
}

export async function insertObject(tx: Transaction, object: TransferObject): Promise<void> {
  const { id, accountId, kind, name } = object
  await tx.run(
    query
      .insertInto('transfer_objects')
      .values({ id, account_id: accountId, kind, name, body: JSON.stringify(object) }),
  )
}

export async function updateObject(tx: Transaction, object: TransferObject): Promise<void> {
  const { id, name } = object
  await tx.run(
    query
      .updateTable('transfer_objects')
      .set({ name, body: JSON.stringify(object) })
      .where('id', '=', id),
  )
}

export async function deleteObject(tx: Transaction, id: string): Promise<void> {
  await tx.run(query.deleteFrom('transfer_objects').where('id', '=', id))
}

/** The body is what insertObject and updateObject have written for this kind. */
const fromRow = <K extends TransferKind>({ body }: Pick<Database['transfer_objects'], 'body'>): ObjectOf<K> =>
  JSON.parse(body) as ObjectOf<K>
