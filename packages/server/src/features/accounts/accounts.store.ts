// Rows of accounts and memberships.
import type { Reach } from '../../platform/caller.ts'
import { query, type Database, type Reader, type Transaction } from '../../storage/index.ts'

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

export interface Membership {
  readonly id: string
  readonly account: Account
}

export async function findAccount(db: Reader, id: string): Promise<Account | undefined> {
  const row = await db.first(query.selectFrom('accounts').selectAll().where('id', '=', id))
  return row && fromRow(row)
}

/** Accounts within one of the reaches, oldest first. */
export async function listAccounts(db: Reader, reaches: readonly Reach[]): Promise<Account[]> {
  const all = await db.all(query.selectFrom('accounts').selectAll().orderBy('created_on').orderBy('id'))
  const within = (id: string) => (reach: Reach) =>
    (reach.everything || reach.accountIds.includes(id)) && !reach.exceptAccountIds.includes(id)
  return all.filter(({ id }) => reaches.some(within(id))).map(fromRow)
}

export async function allAccountIds(db: Reader): Promise<string[]> {
  const rows = await db.all(query.selectFrom('accounts').select('id').orderBy('created_on').orderBy('id'))
  return rows.map(({ id }) => id)
}

export async function countAccounts(db: Reader): Promise<number> {
  const row = await db.first(
    query.selectFrom('accounts').select(({ fn }) => fn.countAll<number>().as('count')),
  )
  return row?.count ?? 0
}

export async function insertAccount(tx: Transaction, account: Account): Promise<void> {
  await tx.run(query.insertInto('accounts').values(toRow(account)))
}

export async function updateAccount(tx: Transaction, account: Account): Promise<void> {
  await tx.run(query.updateTable('accounts').set(toRow(account)).where('id', '=', account.id))
}

/** Deletes the account, with its memberships and its own tokens. */
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

export async function insertMembership(
  tx: Transaction,
  membership: { readonly id: string; readonly userId: string; readonly accountId: string },
): Promise<void> {
  await tx.run(
    query
      .insertInto('memberships')
      .values({ id: membership.id, user_id: membership.userId, account_id: membership.accountId }),
  )
}

export async function listMemberships(db: Reader, userId: string): Promise<Membership[]> {
  const rows = await db.all(
    query
      .selectFrom('memberships')
      .innerJoin('accounts', 'accounts.id', 'memberships.account_id')
      .select('memberships.id as membership_id')
      .selectAll('accounts')
      .where('memberships.user_id', '=', userId)
      .orderBy('accounts.created_on')
      .orderBy('accounts.id'),
  )
  return rows.map((row) => ({ id: row.membership_id, account: fromRow(row) }))
}

function fromRow(row: Database['accounts']): Account {
  return {
    id: row.id,
    name: row.name,
    type: row.type === 'standard' ? 'standard' : 'enterprise',
    settings: JSON.parse(row.settings) as AccountSettings, // written by toRow
    createdOn: row.created_on,
  }
}

function toRow(account: Account): Database['accounts'] {
  return {
    id: account.id,
    name: account.name,
    name_search: account.name.toLowerCase(),
    type: account.type,
    settings: JSON.stringify(account.settings),
    created_on: account.createdOn,
  }
}
