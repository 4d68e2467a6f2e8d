// Items of lists. A bulk operation is one transaction: it is complete and durable when its request is answered.
import { type Actor, type Clock, DomainError, type Ids, type Issue, throwIfIssues } from '@zonereeve/platform'
import type { Reader, Storage, Transaction } from '@zonereeve/storage'
import type { NamedList } from '@zonereeve/firewall'
import { append, type ChangeOp } from '../../changes/index.ts'
import { itemOp } from './item-op.ts'
import { isSameItem, type ItemDraft, MAX_LIST_ITEMS, repeatedIssues } from './list-items.rules.ts'
import { requireList } from './lists.service.ts'
import {
  deleteItem,
  findItem,
  findItems,
  findListByName,
  findOperation,
  insertItem,
  insertOperation,
  itemsOf,
  updateItem,
  updateList,
  type List,
  type ListItem,
} from './lists.store.ts'

export interface ListItemsDeps {
  readonly storage: Storage
  readonly clock: Clock
  readonly ids: Ids
}

export interface ItemPage {
  readonly items: readonly ListItem[]
  /** Cursor of the next page; undefined on the last. */
  readonly after: string | undefined
}

export interface SentItems {
  readonly mode: 'append' | 'replace'
  readonly read: (list: List) => { readonly drafts: readonly ItemDraft[]; readonly issues: readonly Issue[] }
}

export type ListItems = ReturnType<typeof createListItems>

export function createListItems({ storage, clock, ids }: ListItemsDeps) {
  return { page, get, write, remove, operation }

  /** @throws DomainError: list.unknown, request.invalid for an invalid cursor. */
  async function page(
    accountId: string,
    listId: string,
    { search, cursor, perPage }: { search: string | undefined; cursor: string | undefined; perPage: number },
  ): Promise<ItemPage> {
    const { kind } = await requireList(storage, accountId, listId)
    const after = cursor === undefined ? 0 : readCursor(cursor) // positions begin at 1
    const found = await findItems(storage, listId, { kind, search, after, limit: perPage + 1 })
    const items = found.slice(0, perPage)
    const last = items.at(-1)
    return {
      items,
      after: last === undefined || found.length <= perPage ? undefined : writeCursor(last.position),
    }
  }

  /** @throws DomainError: list.unknown, list.item_unknown. */
  async function get(accountId: string, listId: string, id: string): Promise<ListItem> {
    await requireList(storage, accountId, listId)
    const found = await findItem(storage, listId, id)
    if (found === undefined) throw new DomainError({ reason: 'list.item_unknown' })
    return found
  }

  /**
   * Adds items, or replaces all. Items that stay the same are not touched.
   *
   * @returns the ID of the operation. @throws DomainError: list.unknown, and all issues of the items.
   */
  function write(accountId: string, listId: string, sent: SentItems, actor: Actor): Promise<string> {
    return storage.write(async (tx) => {
      const list = await requireList(tx, accountId, listId)
      const { drafts, issues } = sent.read(list)
      throwIfIssues([...issues, ...repeatedIssues(drafts)])
      const at = clock.timestamp()
      const present = new Map((await itemsOf(tx, listId)).map((item) => [item.key, item]))
      const sentKeys = new Set(drafts.map(({ key }) => key))
      const gone = sent.mode === 'append' ? [] : [...present.values()].filter(({ key }) => !sentKeys.has(key))
      const added = drafts.filter(({ key }) => !present.has(key)).length
      const count = present.size - gone.length + added
      if (count > MAX_LIST_ITEMS)
        throw new DomainError({ reason: 'list.items_quota', values: { limit: MAX_LIST_ITEMS, count } })
      const ops = await removeItems(tx, listId, gone)
      for (const draft of drafts) {
        const op = await saveItem(tx, listId, draft, present.get(draft.key), at)
        if (op !== undefined) ops.push(op)
        await tx.yieldIfDue()
      }
      return finish(tx, accountId, list, ops, actor, at)
    })
  }

  /** @returns the ID of the operation. @throws DomainError: list.unknown, list.item_unknown. */
  function remove(
    accountId: string,
    listId: string,
    itemIds: readonly string[],
    actor: Actor,
  ): Promise<string> {
    return storage.write(async (tx) => {
      const list = await requireList(tx, accountId, listId)
      const present = new Map((await itemsOf(tx, listId)).map((item) => [item.id, item]))
      throwIfIssues(
        itemIds.flatMap((id, index): Issue[] =>
          present.has(id) ? [] : [{ reason: 'list.item_unknown', pointer: `/items/${index}/id` }],
        ),
      )
      const gone = [...new Set(itemIds)].flatMap((id) => present.get(id) ?? []) // all are present
      const ops = await removeItems(tx, listId, gone)
      return finish(tx, accountId, list, ops, actor, clock.timestamp())
    })
  }

  /** @throws DomainError: list.operation_unknown. */
  async function operation(accountId: string, id: string) {
    const found = await findOperation(storage, accountId, id)
    if (found === undefined) throw new DomainError({ reason: 'list.operation_unknown' })
    return found
  }

  async function saveItem(
    tx: Transaction,
    listId: string,
    { key, value, comment }: ItemDraft,
    before: ListItem | undefined,
    at: string,
  ): Promise<ChangeOp | undefined> {
    if (before === undefined) {
      const item = { id: ids.id(), key, value, comment, createdOn: at, modifiedOn: at }
      await insertItem(tx, listId, item)
      return itemOp(listId, null, item)
    }
    if (isSameItem(before, { value, comment })) return undefined
    const after = { ...before, value, comment, modifiedOn: at }
    await updateItem(tx, after)
    return itemOp(listId, before, after)
  }

  async function finish(
    tx: Transaction,
    accountId: string,
    list: List,
    ops: readonly ChangeOp[],
    actor: Actor,
    at: string,
  ): Promise<string> {
    const id = ids.id()
    if (ops.length > 0) await updateList(tx, { ...list, modifiedOn: at })
    await insertOperation(tx, { id, accountId, completedOn: at })
    await append(tx, { scopeId: accountId, actor, at }, ops)
    return id
  }
}

async function removeItems(tx: Transaction, listId: string, items: readonly ListItem[]): Promise<ChangeOp[]> {
  for (const { id } of items) {
    await deleteItem(tx, id)
    await tx.yieldIfDue()
  }
  return items.map((item) => itemOp(listId, item, null))
}

/** The lists with these names, with their items. Names of no list are left out. */
export async function namedLists(
  db: Reader,
  accountId: string,
  names: Iterable<string>,
): Promise<readonly NamedList[]> {
  const found: NamedList[] = []
  for (const name of names) {
    const list = await findListByName(db, accountId, name)
    if (list === undefined) continue
    const items = await itemsOf(db, list.id)
    found.push({ name, kind: list.kind, items: items.map(({ value }) => value) })
  }
  return found
}

const writeCursor = (position: number): string => Buffer.from(`after ${position}`).toString('base64url')

function readCursor(cursor: string): number {
  const position = /^after (\d{1,15})$/.exec(Buffer.from(cursor, 'base64url').toString('latin1'))?.[1]
  if (position !== undefined) return Number(position)
  const values = { problem: 'cursor must be from a previous page of this list' }
  throw new DomainError({ reason: 'request.invalid', pointer: '/cursor', values })
}
