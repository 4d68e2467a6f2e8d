// Named lists of accounts. Rules and filters name them, so a list that is named cannot be deleted.
import { type Actor, type Clock, DomainError, type Ids } from '@zonereeve/platform'
import type { Reader, Storage } from '@zonereeve/storage'
import type { ListKind } from '@zonereeve/firewall'
import { append, changeOp, type ChangeOp } from '../../changes/index.ts'
import { itemOp } from './item-op.ts'
import {
  countItems,
  deleteList,
  findList,
  findListByName,
  insertList,
  itemsOf,
  listsOf,
  updateList,
  type List,
} from './lists.store.ts'

/** Maximum lists of an account. */
export const MAX_LISTS = 100

export interface ListDefinition {
  readonly kind: ListKind
  readonly name: string
  readonly description: string | null
}

export interface CountedList extends List {
  readonly itemCount: number
  /** Rules and filters that name it. */
  readonly referenceCount: number
}

export interface ListsDeps {
  readonly storage: Storage
  readonly clock: Clock
  readonly ids: Ids
  /** How many rules and filters of an account name each of its lists. */
  readonly references: (db: Reader, accountId: string) => Promise<ReadonlyMap<string, number>>
}

export type Lists = ReturnType<typeof createLists>

export function createLists({ storage, clock, ids, references }: ListsDeps) {
  return { list, get, create, describe, remove }

  /** Oldest first. */
  async function list(accountId: string): Promise<CountedList[]> {
    const found = await listsOf(storage, accountId)
    const named = await references(storage, accountId)
    const counted: CountedList[] = []
    for (const one of found) counted.push(await withCounts(storage, one, named))
    return counted
  }

  /** @throws DomainError: list.unknown. */
  async function get(accountId: string, id: string): Promise<CountedList> {
    const found = await requireList(storage, accountId, id)
    return withCounts(storage, found, await references(storage, accountId))
  }

  /** @throws DomainError: list.name_taken, list.quota. */
  function create(accountId: string, definition: ListDefinition, actor: Actor): Promise<CountedList> {
    const { name } = definition
    return storage.write(async (tx) => {
      if ((await findListByName(tx, accountId, name)) !== undefined)
        throw new DomainError({ reason: 'list.name_taken', pointer: '/name', values: { name } })
      if ((await listsOf(tx, accountId)).length >= MAX_LISTS)
        throw new DomainError({ reason: 'list.quota', values: { limit: MAX_LISTS } })
      const at = clock.timestamp()
      const after: List = { id: ids.id(), ...definition, createdOn: at, modifiedOn: at }
      await insertList(tx, accountId, after)
      await append(tx, { scopeId: accountId, actor, at }, [changeOp('list.create', after.id, null, after)])
      return { ...after, itemCount: 0, referenceCount: 0 }
    })
  }

  /** @throws DomainError: list.unknown. */
  function describe(
    accountId: string,
    id: string,
    description: string | null,
    actor: Actor,
  ): Promise<CountedList> {
    return storage.write(async (tx) => {
      const before = await requireList(tx, accountId, id)
      const named = await references(tx, accountId)
      if (before.description === description) return withCounts(tx, before, named)
      const at = clock.timestamp()
      const after = { ...before, description, modifiedOn: at }
      await updateList(tx, after)
      await append(tx, { scopeId: accountId, actor, at }, [changeOp('list.update', id, before, after)])
      return withCounts(tx, after, named)
    })
  }

  /** @throws DomainError: list.unknown, list.in_use. */
  function remove(accountId: string, id: string, actor: Actor): Promise<void> {
    return storage.write(async (tx) => {
      const before = await requireList(tx, accountId, id)
      const { name } = before
      const count = (await references(tx, accountId)).get(name)
      if (count !== undefined) throw new DomainError({ reason: 'list.in_use', values: { name, count } })
      const items = await itemsOf(tx, id)
      const ops: ChangeOp[] = items.map((item) => itemOp(id, item, null))
      await deleteList(tx, id)
      await append(tx, { scopeId: accountId, actor }, [...ops, changeOp('list.delete', id, before, null)])
    })
  }
}

async function withCounts(db: Reader, list: List, named: ReadonlyMap<string, number>): Promise<CountedList> {
  const referenceCount = named.get(list.name) ?? 0 // lists that nothing names are not in the map
  return { ...list, itemCount: await countItems(db, list.id), referenceCount }
}

/** @throws DomainError: list.unknown. */
export async function requireList(db: Reader, accountId: string, id: string): Promise<List> {
  const found = await findList(db, accountId, id)
  if (found === undefined) throw new DomainError({ reason: 'list.unknown' })
  return found
}

/** The lists that expressions of an account and its zones may name, with their kinds. */
export type KnownLists = ReadonlyMap<string, ListKind>

export async function knownLists(db: Reader, accountId: string): Promise<KnownLists> {
  return new Map((await listsOf(db, accountId)).map(({ name, kind }) => [name, kind]))
}
