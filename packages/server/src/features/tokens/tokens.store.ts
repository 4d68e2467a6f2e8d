// Rows of tokens.
import { query, type Reader, type Transaction, type Database } from '../../storage/index.ts'
import type { IpCondition, Policy } from './tokens.rules.ts'

export interface TokenOwner {
  readonly kind: 'user' | 'account'
  readonly id: string
}

export interface Token {
  readonly id: string
  readonly owner: TokenOwner
  readonly name: string
  readonly status: 'active' | 'disabled'
  readonly policies: readonly Policy[]
  readonly condition: IpCondition | null
  readonly notBefore: string | null
  readonly expiresOn: string | null
  readonly issuedOn: string
  readonly modifiedOn: string
  readonly lastUsedOn: string | null
}

export async function findTokenByHash(db: Reader, valueHash: string): Promise<Token | undefined> {
  const row = await db.first(query.selectFrom('tokens').selectAll().where('value_hash', '=', valueHash))
  return row && fromRow(row)
}

export async function findToken(db: Reader, owner: TokenOwner, id: string): Promise<Token | undefined> {
  const row = await db.first(ownedBy(owner).where('id', '=', id))
  return row && fromRow(row)
}

export async function listTokens(db: Reader, owner: TokenOwner): Promise<Token[]> {
  return (await db.all(ownedBy(owner).orderBy('issued_on').orderBy('id'))).map(fromRow)
}

export async function countTokens(db: Reader): Promise<number> {
  const row = await db.first(query.selectFrom('tokens').select(({ fn }) => fn.countAll<number>().as('count')))
  return row?.count ?? 0
}

export async function insertToken(tx: Transaction, token: Token, valueHash: string): Promise<void> {
  await tx.run(query.insertInto('tokens').values({ ...toRow(token), value_hash: valueHash }))
}

export async function updateToken(tx: Transaction, token: Token): Promise<void> {
  await tx.run(query.updateTable('tokens').set(toRow(token)).where('id', '=', token.id))
}

export async function updateTokenHash(
  tx: Transaction,
  id: string,
  valueHash: string,
  at: string,
): Promise<void> {
  await tx.run(
    query.updateTable('tokens').set({ value_hash: valueHash, modified_on: at }).where('id', '=', id),
  )
}

export async function touchToken(tx: Transaction, id: string, at: string): Promise<void> {
  await tx.run(query.updateTable('tokens').set({ last_used_on: at }).where('id', '=', id))
}

export async function deleteToken(tx: Transaction, id: string): Promise<void> {
  await tx.run(query.deleteFrom('tokens').where('id', '=', id))
}

const ownedBy = (owner: TokenOwner) =>
  query.selectFrom('tokens').selectAll().where('owner_kind', '=', owner.kind).where('owner_id', '=', owner.id)

type TokenRow = Omit<Database['tokens'], 'value_hash'>

function fromRow(row: TokenRow): Token {
  return {
    id: row.id,
    owner: { kind: row.owner_kind, id: row.owner_id },
    name: row.name,
    status: row.status,
    policies: JSON.parse(row.policies) as Policy[], // written by toRow
    condition: row.condition === null ? null : (JSON.parse(row.condition) as IpCondition), // written by toRow
    notBefore: row.not_before,
    expiresOn: row.expires_on,
    issuedOn: row.issued_on,
    modifiedOn: row.modified_on,
    lastUsedOn: row.last_used_on,
  }
}

function toRow(token: Token): TokenRow {
  return {
    id: token.id,
    owner_kind: token.owner.kind,
    owner_id: token.owner.id,
    name: token.name,
    status: token.status,
    policies: JSON.stringify(token.policies),
    condition: token.condition === null ? null : JSON.stringify(token.condition),
    not_before: token.notBefore,
    expires_on: token.expiresOn,
    issued_on: token.issuedOn,
    modified_on: token.modifiedOn,
    last_used_on: token.lastUsedOn,
  }
}
