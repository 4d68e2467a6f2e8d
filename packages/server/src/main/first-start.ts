// Creates the first user, account and token in a new database, and keeps them in step with the configured
// credentials.
import { hashSecret } from '@zonereeve/sign-in'
import { countAccounts, createAccounts } from '../features/accounts/accounts/index.ts'
import { createSignInLink } from '../features/accounts/sign-in/index.ts'
import { countTokens, createTokens } from '../features/accounts/tokens/index.ts'
import {
  findFirstUser,
  insertUser,
  updateUserCredentials,
  type User,
} from '../features/accounts/users/index.ts'
import { type Clock, type Ids, SYSTEM } from '@zonereeve/platform'
import type { Storage } from '@zonereeve/storage'

export interface Administrator {
  readonly token: string | undefined
  readonly email: string
  /** Replaces the stored one; a default does not. */
  readonly isEmailConfigured?: boolean
  readonly key: string | undefined
}

/**
 * For a new database: the token of a link by which its first user signs in. Undefined later: `zonereeve admin link`
 * makes another.
 */
export async function createFirstLink(deps: Deps, isFirstStart: boolean): Promise<string | undefined> {
  const user = isFirstStart ? await findFirstUser(deps.storage) : undefined
  return user === undefined ? undefined : deps.storage.write((tx) => createSignInLink(tx, deps, user.id))
}

export const isFirstStartOf = async (storage: Storage): Promise<boolean> =>
  (await findFirstUser(storage)) === undefined

interface Deps {
  readonly storage: Storage
  readonly clock: Clock
  readonly ids: Ids
}

const TOKEN_NAME = 'administrator'
const ACCOUNT_NAME = 'Zonereeve'

/**
 * Makes what is missing. @returns the new token if one was generated: it cannot be read later.
 */
export async function ensureAdministrator(deps: Deps, desired: Administrator): Promise<string | undefined> {
  const tokens = createTokens(deps)
  const keyHash = desired.key === undefined ? null : hashSecret(desired.key)
  const known = await findFirstUser(deps.storage)
  const user = known ?? (await createFirstUser(deps, desired.email, keyHash))
  const { isEmailConfigured = true } = desired
  const email = isEmailConfigured ? desired.email : (known?.email ?? desired.email)
  if (known !== undefined) await updateCredentials(deps, known, { email, keyHash })
  // Each step is checked separately: an earlier first start may have been interrupted.
  if ((await countAccounts(deps.storage)) === 0) {
    await createAccounts(deps).create({ name: ACCOUNT_NAME }, user.id, SYSTEM)
  }
  const owner = { kind: 'user', id: user.id } as const
  if (desired.token !== undefined) {
    await tokens.setAdministrator(owner, TOKEN_NAME, SYSTEM, desired.token)
    return undefined
  }
  if ((await countTokens(deps.storage)) > 0) return undefined
  return (await tokens.createAdministrator(owner, TOKEN_NAME, SYSTEM)).value
}

async function createFirstUser(deps: Deps, email: string, keyHash: string | null): Promise<User> {
  const at = deps.clock.timestamp()
  const user: User = {
    id: deps.ids.id(),
    email: email.toLowerCase(),
    keyHash,
    name: null,
    role: 'owner',
    zoneRoles: [],
    createdOn: at,
    modifiedOn: at,
  }
  await deps.storage.write((tx) => insertUser(tx, user))
  return user
}

// A configured key or address replaces the stored one; without a configured key the stored one stays.
async function updateCredentials(
  { storage, clock }: Deps,
  user: User,
  desired: { readonly email: string; readonly keyHash: string | null },
): Promise<void> {
  const credentials = { email: desired.email.toLowerCase(), keyHash: desired.keyHash ?? user.keyHash }
  if (credentials.email === user.email && credentials.keyHash === user.keyHash) return
  await storage.write((tx) => updateUserCredentials(tx, user.id, credentials, clock.timestamp()))
}
