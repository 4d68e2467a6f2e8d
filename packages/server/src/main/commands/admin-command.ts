// zonereeve admin link: a one-time link by which an owner signs in, made in the data folder, even while a server uses
// it. Write access to the database already permits everything.
import type { Config } from '@zonereeve/config'
import { createSignInLink } from '../../features/accounts/sign-in/index.ts'
import { findFirstUser, findUserByEmail } from '../../features/accounts/users/index.ts'
import { randomIds, systemClock } from '@zonereeve/platform'
import { withStorage } from './with-storage.ts'
import { signInUrl } from './sign-in-url.ts'

/** @param email of the user who signs in; undefined = the first one. */
export async function createLinkCommand(config: Config, email: string | undefined): Promise<void> {
  await withStorage(config, async (storage, database) => {
    const user = email === undefined ? await findFirstUser(storage) : await findUserByEmail(storage, email)
    if (user === undefined)
      throw new Error(
        email === undefined
          ? `${database}: has no user yet; start zonereeve serve with it once`
          : `${database}: has no user ${email}`,
      )
    const token = await storage.write((tx) =>
      createSignInLink(tx, { clock: systemClock(), ids: randomIds() }, user.id),
    )
    process.stderr.write(`signs in ${user.email}, once, within 30 minutes:\n`)
    process.stdout.write(`${signInUrl(config, config.http, token)}\n`)
  })
}
