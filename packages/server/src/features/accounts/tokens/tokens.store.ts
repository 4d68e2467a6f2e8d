// Rows of tokens.
import { query, type Reader, tables, type Transaction } from '@zonereeve/storage'
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

/** Columns that store members of a token unchanged. */
const tokens = tables.tokens.beside('owner_kind', 'owner_id', 'value_hash').of<Omit<Token, 'owner'>>()

/** A token that cannot be read grants no access. */
export async function findTokenByHash(db: Reader, valueHash: string): Promise<Token | undefined> {
  const rows = query.selectFrom('tokens').selectAll().where('value_hash', '=', valueHash)
  return (await tokens.readable(db, rows, withOwner))[0]
}

export const findToken = (db: Reader, owner: TokenOwner, id: string): Promise<Token | undefined> =>
  tokens.first(db, ownedBy(owner).where('id', '=', id), withOwner)

export const findTokenById = (db: Reader, id: string): Promise<Token | undefined> =>
  tokens.first(db, query.selectFrom('tokens').selectAll().where('id', '=', id), withOwner)

export const listTokens = (db: Reader, owner: TokenOwner): Promise<Token[]> =>
  tokens.readable(db, ownedBy(owner).orderBy('issued_on').orderBy('id'), withOwner)

export const countTokens = (db: Reader): Promise<number> => tokens.count(db, {})

export function insertToken(tx: Transaction, token: Token, valueHash: string): Promise<void> {
  const { owner, ...rest } = token
  return tokens.insert(tx, { ...rest, ownerKind: owner.kind, ownerId: owner.id, valueHash })
}

export const updateToken = (tx: Transaction, token: Token): Promise<void> => tokens.update(tx, token)

export const updateTokenHash = (tx: Transaction, id: string, valueHash: string, at: string): Promise<void> =>
  tokens.update(tx, { id, valueHash, modifiedOn: at })

export const touchToken = (tx: Transaction, id: string, at: string): Promise<void> =>
  tokens.update(tx, { id, lastUsedOn: at })

export const deleteToken = (tx: Transaction, id: string): Promise<number> => tokens.remove(tx, { id })

/** For a token that cannot be read: only its secret is known. */
export async function deleteTokenByHash(tx: Transaction, valueHash: string): Promise<void> {
  await tx.run(query.deleteFrom('tokens').where('value_hash', '=', valueHash))
}

const ownedBy = (owner: TokenOwner) =>
  query.selectFrom('tokens').selectAll().where('owner_kind', '=', owner.kind).where('owner_id', '=', owner.id)

interface OwnerColumns {
  readonly owner_kind: TokenOwner['kind']
  readonly owner_id: string
}

const withOwner = ({ id, ...rest }: Omit<Token, 'owner'>, row: OwnerColumns): Token => ({
  id,
  owner: { kind: row.owner_kind, id: row.owner_id },
  ...rest,
})
