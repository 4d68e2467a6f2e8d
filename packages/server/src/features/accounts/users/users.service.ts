// The users behind credentials.
import type { Caller } from '../../../platform/caller.ts'
import type { Storage } from '../../../storage/index.ts'
import { findUser, type User } from './users.store.ts'

export type { User }

export function createUsers({ storage }: { readonly storage: Storage }) {
  return { ofCaller: (caller: Caller) => findUser(storage, caller.userId) }
}
