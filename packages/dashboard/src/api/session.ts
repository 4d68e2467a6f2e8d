// The session: who is signed in, and how one signs in and out.
import { queryOptions } from '@tanstack/react-query'
import type { SessionDraft, sessions, signIn as signInOperations, WireSession } from '@zonereeve/contract'
import { ApiError, call } from './call.ts'

/** What somebody signs in with. */
export type Proof = SessionDraft

/** Statuses with which the server refuses a request that no session goes with. */
const SIGNED_OUT = new Set([400, 401, 403])

const SESSION = '/zonereeve/session'

/** The session; null without one. */
export const currentSession = queryOptions({
  queryKey: ['session'],
  staleTime: 60_000,
  retry: false,
  queryFn: async ({ signal }): Promise<WireSession | null> => {
    try {
      return (await call<typeof sessions.get>({ method: 'GET', path: SESSION }, {}, { signal })).result
    } catch (error) {
      if (error instanceof ApiError && SIGNED_OUT.has(error.status)) return null
      throw error
    }
  },
})

/** The ways to sign in here. */
export const signInOffer = queryOptions({
  queryKey: ['sign-in'],
  queryFn: async ({ signal }) => {
    const route = { method: 'GET', path: '/zonereeve/sign_in' } as const
    return (await call<typeof signInOperations.methods>(route, {}, { signal })).result
  },
})

export async function signIn(proof: Proof): Promise<WireSession> {
  const route = { method: 'POST', path: SESSION } as const
  return (await call<typeof signInOperations.create>(route, { body: proof })).result
}

export async function signOut(): Promise<void> {
  await call<typeof sessions.end>({ method: 'DELETE', path: SESSION }, {})
}
