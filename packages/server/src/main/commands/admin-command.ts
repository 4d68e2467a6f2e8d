// zonereeve admin link: a one-time link by which an owner signs in, made in the data folder, even while a server uses
// it. Write access to the database already permits everything.
import { existsSync } from 'node:fs'
import { databasePath, type Config } from '../../config/index.ts'
import { createSignInLink } from '../../features/accounts/sign-in/index.ts'
import { findFirstUser, findUserByEmail } from '../../features/accounts/users/index.ts'
import { randomIds, silentLog, systemClock } from '@zonereeve/platform'
import { openSqliteStorage } from '@zonereeve/storage'
import { signInUrl } from './sign-in-url.ts'

/** @param email of the user who signs in; undefined = the first one. */
export async function createLinkCommand(config: Config, email: string | undefined): Promise<void> {
  const path = databasePath(config)
  // Opening would create a database.
  if (!existsSync(path))
    throw new Error(`${path}: database not found; check --data, or start zonereeve serve with it once`)
  const storage = await openSqliteStorage(path, silentLog, {
    keyEncryptionSecret: config.keyEncryptionSecret,
  })
  try {
    const user = email === undefined ? await findFirstUser(storage) : await findUserByEmail(storage, email)
    if (user === undefined)
      throw new Error(
        email === undefined
          ? `${path}: has no user yet; start zonereeve serve with it once`
          : `${path}: has no user ${email}`,
      )
    const token = await storage.write((tx) =>
      createSignInLink(tx, { clock: systemClock(), ids: randomIds() }, user.id),
    )
    process.stderr.write(`signs in ${user.email}, once, within 30 minutes:\n`)
    process.stdout.write(`${signInUrl(config, config.http, token)}\n`)
  } finally {
    await storage.close()
  }
}
