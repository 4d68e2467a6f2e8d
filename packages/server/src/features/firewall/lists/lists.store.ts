// Rows of lists, their items, and finished operations. An unreadable item must not silently drop out of decisions:
// reads that need it fail.
import { query, type Reader, sql, tables, textMatch, type Transaction } from '@zonereeve/storage'
import type { ListKind, ListValue } from '@zonereeve/firewall'

export interface List {
  readonly id: string
  readonly kind: ListKind
  readonly name: string
  /** null = not set. */
  readonly description: string | null
  readonly createdOn: string
  readonly modifiedOn: string
}

export interface ListItem {
  readonly id: string
  /** Two items of a list never have the same. */
  readonly key: string
  readonly value: ListValue
  /** null = not set. */
  readonly comment: string | null
  readonly createdOn: string
  readonly modifiedOn: string
}

export interface PlacedItem extends ListItem {
  readonly position: number
}

const lists = tables.lists.beside('account_id').of<List>()
const items = tables.list_items.beside('list_id').of<ListItem>()
const operations = tables.list_operations.of<{
  readonly id: string
  readonly accountId: string
  readonly completedOn: string
}>()

/** Oldest first. */
export const listsOf = (db: Reader, accountId: string): Promise<List[]> =>
  lists.all(db, query.selectFrom('lists').selectAll().where('account_id', '=', accountId).orderBy('position'))

export const findList = (db: Reader, accountId: string, id: string): Promise<List | undefined> =>
  lists.find(db, { accountId, id })

export const findListByName = (db: Reader, accountId: string, name: string): Promise<List | undefined> =>
  lists.find(db, { accountId, name })

export const insertList = (tx: Transaction, accountId: string, list: List): Promise<void> =>
  lists.insert(tx, { ...list, accountId })

export const updateList = (tx: Transaction, list: List): Promise<void> => lists.update(tx, list)

export const deleteList = (tx: Transaction, id: string): Promise<number> => lists.remove(tx, { id })

export const countItems = (db: Reader, listId: string): Promise<number> => items.count(db, { listId })

/** All of them, in the order in which they were added. */
export const itemsOf = (db: Reader, listId: string): Promise<ListItem[]> =>
  items.all(db, query.selectFrom('list_items').selectAll().where('list_id', '=', listId).orderBy('position'))

export interface ItemQuery {
  readonly kind: ListKind
  readonly search: string | undefined
  readonly after: number
  readonly limit: number
}

export function findItems(
  db: Reader,
  listId: string,
  { kind, search, after, limit }: ItemQuery,
): Promise<readonly PlacedItem[]> {
  const rows = query
    .selectFrom('list_items')
    .selectAll()
    .where('list_id', '=', listId)
    .where('position', '>', after)
    .where((eb) => (search === undefined ? eb.and([]) : searchIn(kind, search)))
    .orderBy('position')
    .limit(limit)
  return items.all(db, rows, (item, { position }) => ({ ...item, position: Number(position) }))
}

function searchIn(kind: ListKind, search: string) {
  const text = search.toLowerCase()
  if (kind === 'asn') return sql<boolean>`key = ${text}`
  return textMatch(sql<string>`lower(key)`, text, kind === 'ip' ? 'at-start' : 'anywhere')
}

export const findItem = (db: Reader, listId: string, id: string): Promise<ListItem | undefined> =>
  items.find(db, { listId, id })

export const insertItem = (tx: Transaction, listId: string, item: ListItem): Promise<void> =>
  items.insert(tx, { ...item, listId })

export const updateItem = (tx: Transaction, item: ListItem): Promise<void> => items.update(tx, item)

export const deleteItem = (tx: Transaction, id: string): Promise<number> => items.remove(tx, { id })

/** Operations of an account that can still be read; older ones are deleted. */
const MAX_OPERATIONS = 1_000

export async function insertOperation(
  tx: Transaction,
  operation: { readonly id: string; readonly accountId: string; readonly completedOn: string },
): Promise<void> {
  await operations.insert(tx, operation)
  const own = query.selectFrom('list_operations').where('account_id', '=', operation.accountId)
  const oldest = own.select('number').orderBy('number', 'desc').offset(MAX_OPERATIONS).limit(1)
  await tx.run(
    query
      .deleteFrom('list_operations')
      .where('account_id', '=', operation.accountId)
      .where('number', '<=', oldest),
  )
}

export const findOperation = (db: Reader, accountId: string, id: string) =>
  operations.find(db, { accountId, id })
