// One-time links, by which whoever started the program signs in as its owner.
import { hash } from 'node:crypto'
import { SYSTEM, type Actor } from '../../../platform/actor.ts'
import { formatTimestamp, type Clock } from '../../../platform/clock.ts'
import { DomainError } from '../../../platform/domain-error.ts'
import type { Ids } from '../../../platform/ids.ts'
import type { Storage, Transaction } from '../../../storage/index.ts'
import { append, changeOp } from '../../changes/index.ts'
import { findUser, type User } from '../users/index.ts'
import { deleteExpiredLinks, deleteLink, findLink, insertLink } from './sign-in-links.store.ts'

const LINK_MILLIS = 30 * 60_000

export interface SignInLinksDeps {
  readonly storage: Storage
  readonly clock: Clock
  readonly ids: Ids
}

/** Makes a link for a user. @returns its token, which is known only here. */
export async function createSignInLink(
  { storage, clock, ids }: SignInLinksDeps,
  userId: string,
  actor: Actor = SYSTEM,
): Promise<string> {
  const value = ids.tokenValue()
  await storage.write(async (tx) => {
    await deleteExpiredLinks(tx, formatTimestamp(clock.now()))
    const expiresOn = formatTimestamp(clock.now() + LINK_MILLIS)
    await insertLink(tx, { valueHash: hashOf(value), userId, expiresOn })
    const op = changeOp('sign_in_link.create', userId, null, { userId, expiresOn })
    await append(tx, { scopeId: userId, actor }, [op])
  })
  return value
}

/** Uses up a link. @throws DomainError: sign_in.link. */
export async function takeSignInLink(tx: Transaction, clock: Clock, value: string): Promise<User> {
  const link = await findLink(tx, hashOf(value))
  const isValid = link !== undefined && Date.parse(link.expiresOn) > clock.now()
  const user = isValid ? await findUser(tx, link.userId) : undefined
  if (link === undefined || user === undefined) throw new DomainError({ reason: 'sign_in.link' })
  await deleteLink(tx, link.valueHash)
  return user
}

const hashOf = (value: string): string => hash('sha256', value, 'hex')
