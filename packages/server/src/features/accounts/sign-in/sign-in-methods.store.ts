// How users can sign in, apart from links.
import { type Reader, tables } from '@zonereeve/storage'

interface OfUser {
  readonly userId: string
}

const METHODS = [
  tables.passwords.only('user_id').of<OfUser>(),
  tables.passkeys.only('user_id').of<OfUser>(),
  tables.identities.only('user_id').of<OfUser>(),
]

/** Whether any user can sign in without a link. */
export async function hasSignInMethod(db: Reader): Promise<boolean> {
  for (const rows of METHODS) if ((await rows.count(db, {})) > 0) return true
  return false
}
