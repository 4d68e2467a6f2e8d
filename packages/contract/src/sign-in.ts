// Signing in to the dashboard, and sessions. A Zonereeve extension, outside the vendor's paths.
import { Type, type Static } from 'typebox'
import { operations } from './operation.ts'
import {
  closedObject,
  Deleted,
  namedObject,
  nullable,
  objectId,
  oneOf,
  page,
  perPage,
  timestamp,
} from './primitives.ts'

export const USER_ROLES = ['owner', 'admin', 'editor', 'viewer'] as const
export const SIGN_IN_METHODS = ['link', 'password', 'totp', 'recovery_code', 'passkey', 'oidc'] as const

const role = nullable(oneOf(USER_ROLES, { description: 'Role on all zones; null = none.' }))
export const ZoneRoles = Type.Array(
  closedObject({ zone_id: objectId('the zone'), role: oneOf(['admin', 'editor', 'viewer']) }),
  { maxItems: 1000, description: 'Roles on single zones, in addition to the role on all zones.' },
)

const methods = Type.Array(oneOf(SIGN_IN_METHODS), { description: 'How the user signed in.' })

const times = {
  created_on: timestamp('When the user signed in.'),
  expires_on: timestamp('When the session ends at the latest.'),
  idle_expires_on: timestamp('When the session ends if it is not used before.'),
}

export const WireSession = namedObject('Session', {
  id: objectId('the session'),
  user: Type.Object({
    id: objectId('the user'),
    email: Type.String(),
    name: nullable(Type.String()),
  }),
  role,
  zone_roles: ZoneRoles,
  methods,
  ...times,
  recently_authenticated_until: timestamp(
    'Until when operations that need a recent sign-in are allowed; later, confirm first.',
  ),
})
export type WireSession = Static<typeof WireSession>

const SessionDraft = closedObject({
  link: Type.Optional(Type.String({ maxLength: 100, description: 'The token of a one-time link; alone.' })),
})
export type SessionDraft = Static<typeof SessionDraft>

export const WireSignIn = namedObject('SignIn', {
  has_account: Type.Boolean({
    description: 'False until a user has a way to sign in other than a one-time link.',
  }),
  link: Type.Boolean({ description: 'One-time links, from the terminal of the server.' }),
  password: Type.Boolean(),
  passkey: Type.Boolean({ description: 'Passkeys; they need a host name, not an address.' }),
  oidc: nullable(Type.Object({ name: Type.String({ description: 'Name of the identity provider.' }) })),
})
export type WireSignIn = Static<typeof WireSignIn>

export const WireListedSession = namedObject('ListedSession', {
  id: objectId('the session'),
  methods,
  address: Type.String({ description: 'Address from which the user signed in.' }),
  user_agent: nullable(Type.String()),
  ...times,
  last_used_on: timestamp('When the session was last used.'),
  current: Type.Boolean({ description: 'True for the session of this request.' }),
})
export type WireListedSession = Static<typeof WireListedSession>

const section = { tag: 'Sign-in', params: { session_id: objectId('the session') } }

export const signIn = operations('sign_in', section, {
  methods: {
    route: 'GET /zonereeve/sign_in',
    summary: 'Get the ways to sign in to this server',
    permission: { on: 'public' },
    result: WireSignIn,
  },
  create: {
    route: 'POST /zonereeve/session',
    id: 'session.create',
    summary: 'Sign in',
    description:
      'Sets a cookie, which is the credential of the session: HttpOnly, SameSite=Strict, and Secure on HTTPS. Requests that write must come from the same origin.',
    permission: { on: 'public' },
    body: SessionDraft,
    result: WireSession,
  },
})

export const sessions = operations('session', section, {
  get: {
    route: 'GET /zonereeve/session',
    summary: 'Get the session of the request',
    permission: { on: 'session' },
    result: WireSession,
  },
  end: {
    route: 'DELETE /zonereeve/session',
    summary: 'Sign out',
    permission: { on: 'session' },
    result: Deleted,
  },
  list: {
    route: 'GET /zonereeve/sessions',
    id: 'sessions.list',
    summary: 'List the caller’s sessions',
    permission: { on: 'session' },
    query: Type.Object({ page, per_page: perPage(1, 100, 50) }),
    result: WireListedSession,
    list: true,
  },
  endOther: {
    route: 'DELETE /zonereeve/sessions/{session_id}',
    id: 'sessions.end',
    summary: 'End one of the caller’s sessions',
    permission: { on: 'session' },
    result: Deleted,
  },
})
