// Rows of passkeys.
import type { StoredPasskey } from '@zonereeve/sign-in'
import { query, type Reader, tables, type Transaction } from '@zonereeve/storage'

export interface Passkey extends StoredPasskey {
  readonly id: string
  readonly userId: string
  readonly name: string
  readonly createdOn: string
  readonly lastUsedOn: string | null
}

const passkeys = tables.passkeys.of<Passkey>()

const all = query.selectFrom('passkeys').selectAll()

/** A passkey that cannot be read signs in no user. */
export async function findPasskeyByCredential(db: Reader, id: string): Promise<Passkey | undefined> {
  return (await passkeys.readable(db, all.where('credential_id', '=', id)))[0]
}

export const listPasskeys = (db: Reader, userId: string): Promise<Passkey[]> =>
  passkeys.readable(db, all.where('user_id', '=', userId).orderBy('created_on').orderBy('id'))

export const findPasskey = (db: Reader, userId: string, id: string): Promise<Passkey | undefined> =>
  passkeys.first(db, all.where('user_id', '=', userId).where('id', '=', id))

/** @returns whether it was new. */
export const insertPasskey = (tx: Transaction, passkey: Passkey): Promise<boolean> =>
  passkeys.insertNew(tx, passkey)

/** @returns whether it exists. */
export const updatePasskey = (
  tx: Transaction,
  changes: Pick<Passkey, 'id'> & Partial<Passkey>,
): Promise<boolean> => passkeys.updateExisting(tx, changes)

export const deletePasskey = (tx: Transaction, id: string): Promise<number> => passkeys.remove(tx, { id })
