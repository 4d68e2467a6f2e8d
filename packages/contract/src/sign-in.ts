// Signing in to the dashboard, and sessions. A Zonereeve extension, outside the vendor's paths.
import { Type, type Static } from 'typebox'
import { operations } from './operation.ts'
import { PasskeyOptions, PasskeyReply } from './passkeys.ts'
import {
  closedObject,
  Deleted,
  givenName,
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

const email = Type.String({
  minLength: 3,
  maxLength: 254,
  pattern: '^[^\\s@]+@[^\\s@]+$',
  must: 'be an e-mail address',
})
const MAX_PASSWORD = 200
/** Longer ones are refused by the rules of passwords, with a better message. */
const password = Type.String({ maxLength: 4 * MAX_PASSWORD })
const code = Type.String({
  maxLength: 100,
  description: 'The six digits of an authenticator app, or a recovery code.',
})

const SessionDraft = closedObject({
  email: Type.Optional(email),
  password: Type.Optional(password),
  code: Type.Optional(code),
  link: Type.Optional(Type.String({ maxLength: 100, description: 'The token of a one-time link; alone.' })),
  passkey: Type.Optional(PasskeyReply),
  oidc: Type.Optional(
    closedObject({
      flow: Type.String({ maxLength: 100, description: 'From the start of the sign-in.' }),
      response: Type.String({
        maxLength: 8000,
        description: 'The query of the URL at which the identity provider sent the browser back.',
      }),
    }),
  ),
})
export type SessionDraft = Static<typeof SessionDraft>

const Confirmation = closedObject({
  password: Type.Optional(password),
  code: Type.Optional(code),
  passkey: Type.Optional(PasskeyReply),
})

export const WireSignInUser = namedObject('SignInUser', {
  id: objectId('the user'),
  email: Type.String(),
  name: nullable(Type.String()),
  role,
  zone_roles: ZoneRoles,
  password_changed_on: nullable(timestamp('When the password was set; null = there is none.')),
  totp: Type.Boolean({ description: 'Whether the password needs a code, too.' }),
  recovery_codes_left: Type.Integer({ minimum: 0 }),
})
export type WireSignInUser = Static<typeof WireSignInUser>

const TotpKey = Type.Object({
  secret: Type.String({ description: 'Base32.' }),
  uri: Type.String({ description: 'For a QR code: an otpauth URI.' }),
  expires_on: timestamp('Until when a code of the app must be sent.'),
})
const RecoveryCodes = Type.Object({
  recovery_codes: Type.Array(Type.String(), {
    description: 'Each replaces a code once. They are shown only here.',
  }),
})

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
  startPasskey: {
    route: 'POST /zonereeve/sign_in/passkey',
    summary: 'Get what the browser needs to sign in with a passkey',
    description:
      'Valid for five minutes, for one sign-in. No user name is needed: the passkey names its user.',
    permission: { on: 'public' },
    readOnly: true,
    body: closedObject({}),
    result: PasskeyOptions,
  },
  startProvider: {
    route: 'POST /zonereeve/sign_in/oidc',
    summary: 'Get where the browser goes to sign in at the identity provider',
    description:
      'Valid for ten minutes. The page keeps `flow` and sends it back with the query with which the browser returns.',
    permission: { on: 'public' },
    readOnly: true,
    body: closedObject({
      again: Type.Optional(
        Type.Boolean({ description: 'The provider must ask for the credentials again.', default: false }),
      ),
    }),
    result: Type.Object({ url: Type.String(), flow: Type.String() }),
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

/** The caller's own name and ways to sign in. */
export const signInUser = operations('sign_in_user', section, {
  get: {
    route: 'GET /zonereeve/user',
    summary: 'Get the user of the session, and how they can sign in',
    permission: { on: 'session' },
    result: WireSignInUser,
  },
  edit: {
    route: 'PATCH /zonereeve/user',
    summary: 'Change the e-mail address or the name of the user of the session',
    permission: { on: 'session' },
    needsRecentSignIn: true,
    body: closedObject({ email: Type.Optional(email), name: Type.Optional(nullable(givenName(100))) }),
    result: WireSignInUser,
  },
  setPassword: {
    route: 'PUT /zonereeve/user/password',
    summary: 'Set the password of the user of the session',
    description: 'At least 12 characters, and not a common one. All other sessions of the user end.',
    permission: { on: 'session' },
    needsRecentSignIn: true,
    body: closedObject({ password }),
    result: WireSignInUser,
  },
  startTotp: {
    route: 'POST /zonereeve/user/totp',
    summary: 'Create a key for an authenticator app',
    description: 'It is not used until a code of the app has been sent.',
    permission: { on: 'session' },
    needsRecentSignIn: true,
    body: closedObject({}),
    bodyOptional: true,
    result: TotpKey,
  },
  confirmTotp: {
    route: 'PUT /zonereeve/user/totp',
    summary: 'Require codes of the authenticator app with the password',
    permission: { on: 'session' },
    needsRecentSignIn: true,
    body: closedObject({ code }),
    result: RecoveryCodes,
  },
  removeTotp: {
    route: 'DELETE /zonereeve/user/totp',
    summary: 'Require no codes with the password',
    permission: { on: 'session' },
    needsRecentSignIn: true,
    result: WireSignInUser,
  },
  renewRecoveryCodes: {
    route: 'POST /zonereeve/user/recovery_codes',
    summary: 'Replace the recovery codes',
    permission: { on: 'session' },
    needsRecentSignIn: true,
    body: closedObject({}),
    bodyOptional: true,
    result: RecoveryCodes,
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
  confirm: {
    route: 'POST /zonereeve/session/confirm',
    summary: 'Prove again who you are, for operations that need a recent sign-in',
    description: 'For five minutes. The session gets a new cookie.',
    permission: { on: 'session' },
    body: Confirmation,
    result: WireSession,
  },
  startPasskey: {
    route: 'POST /zonereeve/session/confirm/passkey',
    summary: 'Get what the browser needs to confirm with a passkey',
    permission: { on: 'session' },
    readOnly: true,
    body: closedObject({}),
    bodyOptional: true,
    result: PasskeyOptions,
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

const USERS_READ = { on: 'every-account', anyOf: ['Users Read', 'Users Write'] } as const
const USERS_WRITE = { on: 'every-account', anyOf: ['Users Write'] } as const
const base = '/zonereeve/users'
const usersSection = { tag: 'Sign-in', params: { user_id: objectId('the user') } }

export const WireManagedUser = namedObject('ManagedUser', {
  id: objectId('the user'),
  email: Type.String(),
  name: nullable(Type.String()),
  role,
  zone_roles: ZoneRoles,
  created_on: timestamp('When the user was created.'),
  modified_on: timestamp('When the user was last changed.'),
  link: Type.Optional(
    Type.String({ description: 'The token of a one-time link for the user; only where it is created.' }),
  ),
})
export type WireManagedUser = Static<typeof WireManagedUser>

/** All users who may sign in. */
export const managedUsers = operations('users', usersSection, {
  list: {
    route: `GET ${base}`,
    summary: 'List the users',
    permission: USERS_READ,
    query: Type.Object({ page, per_page: perPage(1, 1000, 50) }),
    result: WireManagedUser,
    list: true,
  },
  create: {
    route: `POST ${base}`,
    summary: 'Create a user',
    description:
      'The reply has the token of a one-time link, by which the user signs in within 30 minutes. The roles cannot exceed the permissions of the caller.',
    permission: USERS_WRITE,
    needsRecentSignIn: true,
    body: closedObject({
      email,
      name: Type.Optional(nullable(givenName(100))),
      role: Type.Optional(role),
      zone_roles: Type.Optional(ZoneRoles),
    }),
    result: WireManagedUser,
  },
  edit: {
    route: `PATCH ${base}/{user_id}`,
    summary: 'Change the name or the roles of a user',
    description: 'Tokens of the user that exceed the new roles are disabled. There is always an owner.',
    permission: USERS_WRITE,
    needsRecentSignIn: true,
    body: closedObject({
      name: Type.Optional(nullable(givenName(100))),
      role: Type.Optional(role),
      zone_roles: Type.Optional(ZoneRoles),
    }),
    result: WireManagedUser,
  },
  createLink: {
    route: `POST ${base}/{user_id}/link`,
    summary: 'Create a one-time link for a user who cannot sign in',
    permission: USERS_WRITE,
    needsRecentSignIn: true,
    body: closedObject({}),
    bodyOptional: true,
    result: WireManagedUser,
  },
  delete: {
    route: `DELETE ${base}/{user_id}`,
    summary: 'Delete a user, with their sessions and tokens',
    permission: USERS_WRITE,
    needsRecentSignIn: true,
    result: Deleted,
  },
})
