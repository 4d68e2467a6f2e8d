// Rows of keys, ACLs and peers, in the order of their creation.
import { belongsToRow, query, type Reader, tables, type Transaction } from '@zonereeve/storage'
import type { ObjectOf, TransferKind, TransferObject } from './transfer-object.ts'

export async function objectsOf<K extends TransferKind>(
  db: Reader,
  accountId: string,
  kind: K,
): Promise<ObjectOf<K>[]> {
  const own = query.selectFrom('transfer_objects').selectAll().where('account_id', '=', accountId)
  return transferObjects.readable(db, own.where('kind', '=', kind).orderBy('position'), openedBy<K>(db))
}

export function findObject<K extends TransferKind>(
  db: Reader,
  accountId: string,
  kind: K,
  id: string,
): Promise<ObjectOf<K> | undefined> {
  const own = query.selectFrom('transfer_objects').selectAll().where('id', '=', id)
  const found = own.where('account_id', '=', accountId).where('kind', '=', kind)
  return transferObjects.first(db, found, openedBy<K>(db))
}

/** Whether another key, of any account, has the name: on the wire only the name identifies a key. */
export async function isKeyNameTaken(db: Reader, name: string, exceptId: string): Promise<boolean> {
  const sameName = query
    .selectFrom('transfer_objects')
    .select('id')
    .where('kind', '=', 'tsig')
    .where('name', '=', name)
    .where('id', '!=', exceptId)
  return (await db.first(sameName)) !== undefined
}

export async function accountsWithObjects(db: Reader): Promise<string[]> {
  const rows = await db.all(query.selectFrom('transfer_objects').select('account_id').distinct())
  return rows.map((row) => row.account_id)
}

export const insertObject = (tx: Transaction, object: TransferObject): Promise<void> =>
  transferObjects.insert(tx, toColumns(tx, object))

export async function updateObject(tx: Transaction, object: TransferObject): Promise<void> {
  const { id, name, body } = toColumns(tx, object)
  await transferObjects.update(tx, { id, name, body })
}

export const deleteObject = (tx: Transaction, id: string): Promise<number> =>
  transferObjects.remove(tx, { id })

interface ObjectColumns {
  readonly id: string
  readonly accountId: string
  readonly kind: TransferKind
  readonly name: string
  readonly body: TransferObject
}

const transferObjects = tables.transfer_objects.of<ObjectColumns>()

function toColumns({ vault }: Reader, object: TransferObject): ObjectColumns {
  const { id, accountId, kind, name } = object
  if (object.kind !== 'tsig') return { id, accountId, kind, name, body: object }
  return {
    id,
    accountId,
    kind,
    name,
    body: { ...object, secret: vault.sealText(object.secret, ownerOf(id)) },
  }
}

/** Unreadable rows grant no access: an ACL allows no address, and a peer without its key is no peer. */
const openedBy =
  <K extends TransferKind>({ vault }: Reader) =>
  ({ id, kind, body: object }: ObjectColumns): ObjectOf<K> => {
    if (object.kind !== kind) throw new Error('body is of another kind than its row')
    // Rows of peers from before transfers over TLS do not have `tls`.
    if (object.kind === 'peer') return { ...object, tls: object.tls ?? null } as unknown as ObjectOf<K> // the rows are of this kind
    if (object.kind !== 'tsig') return object as ObjectOf<K> // as above
    return { ...object, secret: vault.openText(object.secret, ownerOf(id)) } as ObjectOf<K> // as above
  }

const ownerOf = (id: string): string => belongsToRow('transfer_objects', id)
