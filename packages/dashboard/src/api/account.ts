// The user of the session: ways to sign in, and sessions.
import { queryOptions } from '@tanstack/react-query'
import type { passkeys, sessions, signIn, signInUser, WireSession } from '@zonereeve/contract'
import { call } from './call.ts'

export type { WireListedSession, WirePasskey, WireSignInUser } from '@zonereeve/contract'

const USER = '/zonereeve/user'
const PASSKEYS = `${USER}/passkeys` as const
const SESSIONS = '/zonereeve/sessions'

export const ownSignIn = queryOptions({
  queryKey: ['user'],
  queryFn: async ({ signal }) =>
    (await call<typeof signInUser.get>({ method: 'GET', path: USER }, {}, { signal })).result,
})

export const editUser = (body: { readonly email: string; readonly name: string | null }) =>
  call<typeof signInUser.edit>({ method: 'PATCH', path: USER }, { body })

export const setPassword = (password: string) =>
  call<typeof signInUser.setPassword>({ method: 'PUT', path: `${USER}/password` }, { body: { password } })

export const startTotp = async () =>
  (await call<typeof signInUser.startTotp>({ method: 'POST', path: `${USER}/totp` }, {})).result

export const confirmTotp = async (code: string) =>
  (await call<typeof signInUser.confirmTotp>({ method: 'PUT', path: `${USER}/totp` }, { body: { code } }))
    .result.recovery_codes

export const removeTotp = () =>
  call<typeof signInUser.removeTotp>({ method: 'DELETE', path: `${USER}/totp` }, {})

export const renewRecoveryCodes = async () => {
  const route = { method: 'POST', path: `${USER}/recovery_codes` } as const
  return (await call<typeof signInUser.renewRecoveryCodes>(route, {})).result.recovery_codes
}

export const passkeyList = queryOptions({
  queryKey: ['passkeys'],
  queryFn: async ({ signal }) =>
    (await call<typeof passkeys.list>({ method: 'GET', path: PASSKEYS }, {}, { signal })).result,
})

/** Asks the device for a new passkey, and stores it. */
export async function addPasskey(name: string): Promise<void> {
  const route = { method: 'POST', path: `${PASSKEYS}/options` } as const
  const { result } = await call<typeof passkeys.start>(route, {})
  const { startRegistration } = await import('@simplewebauthn/browser')
  const passkey = await startRegistration({ optionsJSON: result as never }) // the server's library made them
  const body = { name, passkey: { ...passkey } }
  await call<typeof passkeys.create>({ method: 'POST', path: PASSKEYS }, { body })
}

const ofPasskey = (id: string) => ({ params: { passkey_id: id } })

export const renamePasskey = (id: string, name: string) =>
  call<typeof passkeys.edit>(
    { method: 'PATCH', path: `${PASSKEYS}/{passkey_id}` },
    { ...ofPasskey(id), body: { name } },
  )

export const deletePasskey = (id: string) =>
  call<typeof passkeys.delete>({ method: 'DELETE', path: `${PASSKEYS}/{passkey_id}` }, ofPasskey(id))

export const sessionList = queryOptions({
  queryKey: ['sessions'],
  queryFn: async ({ signal }) =>
    (await call<typeof sessions.list>({ method: 'GET', path: SESSIONS }, {}, { signal })).result,
})

export const endSession = (id: string) =>
  call<typeof sessions.endOther>(
    { method: 'DELETE', path: `${SESSIONS}/{session_id}` },
    { params: { session_id: id } },
  )

/** Signs in with a passkey: the device names the user. */
export async function signInWithPasskey(): Promise<WireSession> {
  const start = { method: 'POST', path: '/zonereeve/sign_in/passkey' } as const
  const { result } = await call<typeof signIn.startPasskey>(start, { body: {} })
  const route = { method: 'POST', path: '/zonereeve/session' } as const
  return (await call<typeof signIn.create>(route, { body: { passkey: await replyTo(result) } })).result
}

export const startProvider = async (): Promise<{ readonly url: string; readonly flow: string }> => {
  const route = { method: 'POST', path: '/zonereeve/sign_in/oidc' } as const
  return (await call<typeof signIn.startProvider>(route, { body: {} })).result
}

const CONFIRM = '/zonereeve/session/confirm'

export async function confirmWithPasskey(): Promise<void> {
  const start = { method: 'POST', path: `${CONFIRM}/passkey` } as const
  const { result } = await call<typeof sessions.startPasskey>(start, {})
  const body = { passkey: await replyTo(result) }
  await call<typeof sessions.confirm>({ method: 'POST', path: CONFIRM }, { body })
}

export const confirmWithPassword = (body: { readonly password: string; readonly code?: string }) =>
  call<typeof sessions.confirm>({ method: 'POST', path: CONFIRM }, { body })

async function replyTo(options: unknown): Promise<Record<string, unknown>> {
  const { startAuthentication } = await import('@simplewebauthn/browser')
  return { ...(await startAuthentication({ optionsJSON: options as never })) } // the server's library made them
}
