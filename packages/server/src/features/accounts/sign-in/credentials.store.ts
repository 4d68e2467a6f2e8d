// Rows of passwords, keys of authenticator apps and recovery codes. One that cannot be read opens nothing.
import { belongsToRow, query, type Reader, tables, type Transaction } from '@zonereeve/storage'

export interface Password {
  readonly userId: string
  readonly hash: string
  /** Whether a second factor is required, also if its own row is lost. */
  readonly needsCode: boolean
  readonly changedOn: string
}

export interface TotpKey {
  readonly userId: string
  /** Base32. */
  readonly secret: string
  /** Period of the last accepted code. */
  readonly lastStep: number
  readonly createdOn: string
}

const passwords = tables.passwords.of<Password>()
const totpKeys = tables.totp_keys.of<TotpKey>()
const recoveryCodes = tables.recovery_codes.of<{ readonly userId: string; readonly codeHash: string }>()

export async function findPassword(db: Reader, userId: string): Promise<Password | undefined> {
  const rows = query.selectFrom('passwords').selectAll().where('user_id', '=', userId)
  return (await passwords.readable(db, rows))[0]
}

export const savePassword = (tx: Transaction, password: Password): Promise<void> =>
  passwords.save(tx, password)

export async function findTotpKey(db: Reader, userId: string): Promise<TotpKey | undefined> {
  const rows = query.selectFrom('totp_keys').selectAll().where('user_id', '=', userId)
  const [key] = await totpKeys.readable(db, rows, (found) => ({
    ...found,
    secret: db.vault.openText(found.secret, belongsToRow('totp_keys', found.userId)),
  }))
  return key
}

export const saveTotpKey = (tx: Transaction, key: TotpKey): Promise<void> =>
  totpKeys.save(tx, {
    ...key,
    secret: tx.vault.sealText(key.secret, belongsToRow('totp_keys', key.userId)),
  })

export const deleteTotpKey = (tx: Transaction, userId: string): Promise<number> =>
  totpKeys.remove(tx, { userId })

export const countRecoveryCodes = (db: Reader, userId: string): Promise<number> =>
  recoveryCodes.count(db, { userId })

/** @returns whether the user had the code. */
export const takeRecoveryCode = async (tx: Transaction, userId: string, codeHash: string): Promise<boolean> =>
  (await recoveryCodes.remove(tx, { userId, codeHash })) > 0

export async function replaceRecoveryCodes(
  tx: Transaction,
  userId: string,
  hashes: readonly string[],
): Promise<void> {
  await recoveryCodes.remove(tx, { userId })
  for (const codeHash of hashes) await recoveryCodes.insert(tx, { userId, codeHash })
}
