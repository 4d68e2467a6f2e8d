// Rows of users at an identity provider.
import { query, type Reader, tables, type Transaction } from '@zonereeve/storage'

export interface Identity {
  readonly issuer: string
  readonly subject: string
  readonly userId: string
  readonly createdOn: string
}

const identities = tables.identities.of<Identity>()

/** An identity that cannot be read signs in no user. */
export async function findIdentity(
  db: Reader,
  { issuer, subject }: Pick<Identity, 'issuer' | 'subject'>,
): Promise<Identity | undefined> {
  const rows = query.selectFrom('identities').selectAll().where('issuer', '=', issuer)
  return (await identities.readable(db, rows.where('subject', '=', subject)))[0]
}

export const insertIdentity = (tx: Transaction, identity: Identity): Promise<void> =>
  identities.insert(tx, identity)
