// Accounts: owners of zones and account tokens.
import { type Actor, type Caller, type Clock, DomainError, type Ids } from '@zonereeve/platform'
import type { Storage } from '@zonereeve/storage'
import { append, changeOp } from '../../changes/index.ts'
import {
  countAccounts,
  deleteAccount,
  findAccount,
  hasSecondaryCatalogs,
  hasZones,
  insertAccount,
  insertMembership,
  listAccounts,
  listMemberships,
  updateAccount,
  type Account,
  type AccountSettings,
} from './accounts.store.ts'

export interface AccountDefinition {
  readonly name: string
  readonly type?: Account['type']
  readonly settings?: Partial<AccountSettings>
}

const DEFAULT_SETTINGS: AccountSettings = { enforceTwoFactor: false, abuseContactEmail: null }
const MAY_READ = ['Account Settings Read', 'Account Settings Write']

export interface AccountsDeps {
  readonly storage: Storage
  readonly clock: Clock
  readonly ids: Ids
}

export type Accounts = ReturnType<typeof createAccounts>

export function createAccounts({ storage, clock, ids }: AccountsDeps) {
  return {
    list,
    get: (id: string) => requireAccount(storage, id),
    exists,
    memberships,
    create,
    update,
    remove,
  }

  function list(caller: Caller): Promise<Account[]> {
    return listAccounts(storage, caller.reach(MAY_READ, 'account'))
  }

  async function exists(id: string): Promise<boolean> {
    return (await findAccount(storage, id)) !== undefined
  }

  function memberships(caller: Caller) {
    return listMemberships(storage, caller.userId)
  }

  /** Creates an account, with `userId` as a member. */
  function create(definition: AccountDefinition, userId: string, actor: Actor): Promise<Account> {
    const account: Account = {
      id: ids.id(),
      name: definition.name,
      type: definition.type ?? 'enterprise',
      settings: { ...DEFAULT_SETTINGS, ...definition.settings },
      createdOn: clock.timestamp(),
    }
    return storage.write(async (tx) => {
      await insertAccount(tx, account)
      await insertMembership(tx, { id: ids.id(), userId, accountId: account.id })
      await append(tx, { scopeId: account.id, actor }, [
        changeOp('account.create', account.id, null, account),
      ])
      return account
    })
  }

  /** Members that are not given are kept. @throws DomainError: account.unknown. */
  function update(id: string, definition: AccountDefinition, actor: Actor): Promise<Account> {
    return storage.write(async (tx) => {
      const before = await requireAccount(tx, id)
      const settings = { ...before.settings, ...definition.settings }
      const after: Account = {
        ...before,
        name: definition.name,
        type: definition.type ?? before.type,
        settings,
      }
      if (JSON.stringify(after) === JSON.stringify(before)) return before
      await updateAccount(tx, after)
      await append(tx, { scopeId: id, actor }, [changeOp('account.update', id, before, after)])
      return after
    })
  }

  /** @throws DomainError: account.unknown, account.has_zones, account.has_catalogs, account.only_one. */
  function remove(id: string, actor: Actor): Promise<void> {
    return storage.write(async (tx) => {
      const before = await requireAccount(tx, id)
      if (await hasZones(tx, id)) throw new DomainError({ reason: 'account.has_zones' })
      if (await hasSecondaryCatalogs(tx, id)) throw new DomainError({ reason: 'account.has_catalogs' })
      if ((await countAccounts(tx)) === 1) throw new DomainError({ reason: 'account.only_one' })
      await deleteAccount(tx, id)
      await append(tx, { scopeId: id, actor }, [changeOp('account.delete', id, before, null)])
    })
  }
}

/** @throws DomainError: account.unknown. */
export async function requireAccount(db: Parameters<typeof findAccount>[0], id: string): Promise<Account> {
  const account = await findAccount(db, id)
  if (account === undefined) throw new DomainError({ reason: 'account.unknown' })
  return account
}
