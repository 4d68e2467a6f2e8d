// Rows of accounts and memberships.
import type { Reach } from '@zonereeve/platform'
import { query, type Reader, tables, type Transaction } from '@zonereeve/storage'

export interface AccountSettings {
  readonly enforceTwoFactor: boolean
  readonly abuseContactEmail: string | null
}

export interface Account {
  readonly id: string
  readonly name: string
  readonly type: 'standard' | 'enterprise'
  readonly settings: AccountSettings
  readonly createdOn: string
}

const accounts = tables.accounts.beside('name_search').of<Account>()

export interface Membership {
  readonly id: string
  readonly account: Account
}

export const findAccount = (db: Reader, id: string): Promise<Account | undefined> => accounts.find(db, { id })

/** Accounts within one of the reaches, oldest first. */
export async function listAccounts(db: Reader, reaches: readonly Reach[]): Promise<Account[]> {
  const all = await accounts.readable(
    db,
    query.selectFrom('accounts').selectAll().orderBy('created_on').orderBy('id'),
  )
  const within = (id: string) => (reach: Reach) =>
    (reach.everything || reach.accountIds.includes(id)) && !reach.exceptAccountIds.includes(id)
  return all.filter(({ id }) => reaches.some(within(id)))
}

export async function allAccountIds(db: Reader): Promise<string[]> {
  const rows = await db.all(query.selectFrom('accounts').select('id').orderBy('created_on').orderBy('id'))
  return rows.map(({ id }) => id)
}

export const countAccounts = (db: Reader): Promise<number> => accounts.count(db, {})

export const insertAccount = (tx: Transaction, account: Account): Promise<void> =>
  accounts.insert(tx, searchable(account))

export const updateAccount = (tx: Transaction, account: Account): Promise<void> =>
  accounts.update(tx, searchable(account))

/** Deletes the account, with its memberships and its account tokens. */
export async function deleteAccount(tx: Transaction, id: string): Promise<void> {
  await tx.run(query.deleteFrom('tokens').where('owner_kind', '=', 'account').where('owner_id', '=', id))
  await tx.run(query.deleteFrom('accounts').where('id', '=', id))
}

export async function hasZones(db: Reader, accountId: string): Promise<boolean> {
  return (
    (await db.first(query.selectFrom('zones').select('id').where('account_id', '=', accountId).limit(1))) !==
    undefined
  )
}

/** Whether the account follows catalog zones of other nameservers. */
export async function hasSecondaryCatalogs(db: Reader, accountId: string): Promise<boolean> {
  const rows = query.selectFrom('secondary_catalogs').select('name').where('account_id', '=', accountId)
  return (await db.first(rows.limit(1))) !== undefined
}

export const insertMembership = (
  tx: Transaction,
  membership: { readonly id: string; readonly userId: string; readonly accountId: string },
): Promise<void> => tables.memberships.of<typeof membership>().insert(tx, membership)

export async function listMemberships(db: Reader, userId: string): Promise<Membership[]> {
  return accounts.readable(
    db,
    query
      .selectFrom('memberships')
      .innerJoin('accounts', 'accounts.id', 'memberships.account_id')
      .select('memberships.id as membership_id')
      .selectAll('accounts')
      .where('memberships.user_id', '=', userId)
      .orderBy('accounts.created_on')
      .orderBy('accounts.id'),
    (account, row) => ({ id: row.membership_id, account }),
  )
}

const searchable = (account: Account) => ({ ...account, nameSearch: account.name.toLowerCase() })
