// One-time links: the first one signs in the person who started the program, as its owner.
import { hashSecret } from '@zonereeve/sign-in'
import { type Actor, type Clock, DomainError, formatTimestamp, type Ids, SYSTEM } from '@zonereeve/platform'
import type { Transaction } from '@zonereeve/storage'
import { append, changeOp } from '../../changes/index.ts'
import { findUser, type User } from '../users/index.ts'
import {
  deleteExpiredLinks,
  deleteLink,
  deleteLinks,
  deleteLinksOf,
  findLink,
  insertLink,
} from './sign-in-links.store.ts'
import { hasSignInMethod } from './sign-in-methods.store.ts'

const LINK_MILLIS = 30 * 60_000

export interface SignInLinksDeps {
  readonly clock: Clock
  readonly ids: Ids
}

/** Makes a link for a user. @returns its token, which is known only here. */
export async function createSignInLink(
  tx: Transaction,
  { clock, ids }: SignInLinksDeps,
  userId: string,
  actor: Actor = SYSTEM,
): Promise<string> {
  const value = ids.tokenValue()
  await deleteExpiredLinks(tx, formatTimestamp(clock.now()))
  const expiresOn = formatTimestamp(clock.now() + LINK_MILLIS)
  await insertLink(tx, { valueHash: hashSecret(value), userId, expiresOn })
  const op = changeOp('sign_in_link.create', userId, null, { userId, expiresOn })
  await append(tx, { scopeId: userId, actor }, [op])
  return value
}

/** A user has another way to sign in now. The links of the first start end with the first account. */
export async function endLinks(tx: Transaction, userId: string): Promise<void> {
  if (await hasSignInMethod(tx)) await deleteLinksOf(tx, userId)
  else await deleteLinks(tx)
}

/** Uses up a link. @throws DomainError: sign_in.link. */
export async function takeSignInLink(tx: Transaction, clock: Clock, value: string): Promise<User> {
  const link = await findLink(tx, hashSecret(value))
  const isValid = link !== undefined && Date.parse(link.expiresOn) > clock.now()
  const user = isValid ? await findUser(tx, link.userId) : undefined
  if (link === undefined || user === undefined) throw new DomainError({ reason: 'sign_in.link' })
  await deleteLink(tx, link.valueHash)
  return user
}
