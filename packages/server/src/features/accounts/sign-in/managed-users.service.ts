// Users: created with a link, given roles, deleted. No user gives more rights than their own, and an owner always remains.
import { type Actor, type Caller, type Clock, DomainError, type Ids, ifReadable } from '@zonereeve/platform'
import type { Reader, Storage, Transaction } from '@zonereeve/storage'
import { append, changeOp, deletionOp } from '../../changes/index.ts'
import type { Sessions } from '../sessions/index.ts'
import type { Bound, Tokens } from '../tokens/index.ts'
import {
  deleteUser,
  findUser,
  findUserByEmail,
  insertUser,
  listUsers,
  updateUser,
  type User,
} from '../users/index.ts'
import { toLogged } from './own-sign-in.service.ts'
import { createSignInLink } from './sign-in-links.service.ts'

export type UserDraft = Pick<User, 'email' | 'name' | 'role' | 'zoneRoles'>

export interface ManagedUsersDeps {
  readonly storage: Storage
  readonly clock: Clock
  readonly ids: Ids
  readonly sessions: Sessions
  readonly tokens: Tokens
  readonly accountOfZone: Bound['accountOfZone']
}

export type ManagedUsers = ReturnType<typeof createManagedUsers>

export function createManagedUsers({ sessions, tokens, accountOfZone, ...deps }: ManagedUsersDeps) {
  const { storage, clock, ids } = deps
  return { list: () => listUsers(storage), create, edit, replace, createLink, remove }

  /** @returns the user, and the token of a link. @throws DomainError: user.email_taken, token.stronger_*. */
  async function create(draft: UserDraft, caller: Caller, actor: Actor) {
    const at = clock.timestamp()
    const user: User = {
      ...draft,
      id: ids.id(),
      email: draft.email.toLowerCase(),
      keyHash: null,
      createdOn: at,
      modifiedOn: at,
    }
    return storage.write(async (tx) => {
      if ((await findUserByEmail(tx, user.email)) !== undefined)
        throw new DomainError({ reason: 'user.email_taken', pointer: '/email' })
      await tokens.requireRoles(tx, user, caller, { caller, accountOfZone })
      await insertUser(tx, user)
      await append(tx, { scopeId: user.id, actor }, [changeOp('user.create', user.id, null, toLogged(user))])
      return { user, link: await createSignInLink(tx, deps, user.id, actor) }
    })
  }

  /** @throws DomainError: user.unknown, user.last_owner, token.stronger_*. */
  function edit(id: string, changes: Partial<UserDraft>, caller: Caller, actor: Actor): Promise<User> {
    return storage.write(async (tx) => {
      const before = await requireUser(tx, id)
      const after: User = { ...before, ...changes, modifiedOn: clock.timestamp() }
      // Neither may a stronger user be changed.
      for (const each of [before, after])
        await tokens.requireRoles(tx, each, caller, { caller, accountOfZone })
      if (after.role !== 'owner') await requireOtherOwner(tx, id)
      return replace(tx, before, after, actor)
    })
  }

  /** Stores changed roles, whoever determined them. */
  async function replace(tx: Transaction, before: User, after: User, actor: Actor): Promise<User> {
    await updateUser(tx, after)
    const op = changeOp('user.update', after.id, toLogged(before), toLogged(after))
    await append(tx, { scopeId: after.id, actor }, [op])
    await tokens.disableStronger(tx, after.id, accountOfZone, actor)
    sessions.forgetAfter(tx)
    return after
  }

  /** @throws DomainError: user.unknown, token.stronger_*. */
  function createLink(id: string, caller: Caller, actor: Actor) {
    return storage.write(async (tx) => {
      const user = await requireUser(tx, id)
      await tokens.requireRoles(tx, user, caller, { caller, accountOfZone })
      return { user, link: await createSignInLink(tx, deps, id, actor) }
    })
  }

  /** @throws DomainError: user.unknown, user.last_owner, token.stronger_*. */
  function remove(id: string, caller: Caller, actor: Actor): Promise<void> {
    return storage.write(async (tx) => {
      const before = await ifReadable(requireUser(tx, id))
      if (before !== undefined) await tokens.requireRoles(tx, before, caller, { caller, accountOfZone })
      await requireOtherOwner(tx, id)
      await sessions.endAll(tx, id, actor)
      await deleteUser(tx, id)
      await append(tx, { scopeId: id, actor }, [deletionOp('user.delete', id, before && toLogged(before))])
      tokens.forgetAfter(tx)
    })
  }
}

/** @throws DomainError: user.last_owner. */
async function requireOtherOwner(tx: Transaction, id: string): Promise<void> {
  const owners = (await listUsers(tx)).filter(({ role }) => role === 'owner')
  if (!owners.some((owner) => owner.id !== id)) throw new DomainError({ reason: 'user.last_owner' })
}

async function requireUser(db: Reader, id: string): Promise<User> {
  const user = await findUser(db, id)
  if (user === undefined) throw new DomainError({ reason: 'user.unknown' })
  return user
}
