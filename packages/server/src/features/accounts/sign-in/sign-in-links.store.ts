// Rows of one-time links.
import { query, type Reader, tables, type Transaction } from '@zonereeve/storage'

export interface SignInLink {
  /** SHA-256 of the link's token, in hexadecimal. */
  readonly valueHash: string
  readonly userId: string
  readonly expiresOn: string
}

const links = tables.sign_in_links.of<SignInLink>()

/** A link that cannot be read grants no access. */
export async function findLink(db: Reader, valueHash: string): Promise<SignInLink | undefined> {
  const rows = query.selectFrom('sign_in_links').selectAll().where('value_hash', '=', valueHash)
  return (await links.readable(db, rows))[0]
}

export const insertLink = (tx: Transaction, link: SignInLink): Promise<void> => links.insert(tx, link)

export const deleteLink = (tx: Transaction, valueHash: string): Promise<number> =>
  links.remove(tx, { valueHash })

export async function deleteExpiredLinks(tx: Transaction, now: string): Promise<void> {
  await tx.run(query.deleteFrom('sign_in_links').where('expires_on', '<=', now))
}

/** All links of a user, */
export const deleteLinksOf = (tx: Transaction, userId: string): Promise<number> =>
  links.remove(tx, { userId })

/** or of all users. */
export async function deleteLinks(tx: Transaction): Promise<void> {
  await tx.run(query.deleteFrom('sign_in_links'))
}
