// The users behind credentials.
import type { Caller } from '@zonereeve/platform'
import type { Storage } from '@zonereeve/storage'
import { findUser, type User } from './users.store.ts'

export type { User }

export function createUsers({ storage }: { readonly storage: Storage }) {
  return { ofCaller: (caller: Caller) => findUser(storage, caller.userId) }
}
