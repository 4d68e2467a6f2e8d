// Passkeys of the user of the session. A Zonereeve extension, outside the vendor's paths.
import { Type, type Static } from 'typebox'
import { operations } from './operation.ts'
import {
  closedObject,
  Deleted,
  givenName,
  namedObject,
  nullable,
  objectId,
  page,
  perPage,
  timestamp,
} from './primitives.ts'

/** Browsers add members to these as the standard grows. */
const browserJson = (description: string) =>
  Type.Record(Type.String(), Type.Unknown(), { description, maxProperties: 20 })

/** What the browser's API for passkeys is called with, and what it returns (WebAuthn, section 5.1). */
export const PasskeyOptions = browserJson(
  'Options for the browser, as JSON: PublicKeyCredential.parse… OptionsFromJSON.',
)
export const PasskeyReply = browserJson('What the browser returned, as JSON: PublicKeyCredential.toJSON.')

export const WirePasskey = namedObject('Passkey', {
  id: objectId('the passkey'),
  name: Type.String(),
  site: Type.String({ description: 'Host name that the passkey works on.' }),
  created_on: timestamp('When the passkey was added.'),
  last_used_on: nullable(timestamp('When it was last used to sign in or to confirm; null = never.')),
})
export type WirePasskey = Static<typeof WirePasskey>

export const MAX_PASSKEY_NAME_CHARACTERS = 100
const name = givenName(MAX_PASSKEY_NAME_CHARACTERS, { examples: ['Laptop'] })

const base = '/zonereeve/user/passkeys'
const section = { tag: 'Sign-in', params: { passkey_id: objectId('the passkey') } }

export const passkeys = operations('passkeys', section, {
  list: {
    route: `GET ${base}`,
    summary: 'List the passkeys of the user of the session',
    permission: { on: 'session' },
    query: Type.Object({ page, per_page: perPage(1, 100, 50) }),
    result: WirePasskey,
    list: true,
  },
  start: {
    route: `POST ${base}/options`,
    id: 'passkeys.start',
    summary: 'Get what the browser needs to create a passkey',
    description: 'Valid for five minutes, for one passkey, and for this session only.',
    permission: { on: 'session' },
    needsRecentSignIn: true,
    body: closedObject({}),
    bodyOptional: true,
    result: PasskeyOptions,
  },
  create: {
    route: `POST ${base}`,
    summary: 'Add a passkey to the user of the session',
    permission: { on: 'session' },
    needsRecentSignIn: true,
    body: closedObject({ name, passkey: PasskeyReply }),
    result: WirePasskey,
  },
  edit: {
    route: `PATCH ${base}/{passkey_id}`,
    summary: 'Rename a passkey',
    permission: { on: 'session' },
    body: closedObject({ name }),
    result: WirePasskey,
  },
  delete: {
    route: `DELETE ${base}/{passkey_id}`,
    summary: 'Delete a passkey',
    permission: { on: 'session' },
    needsRecentSignIn: true,
    result: Deleted,
  },
})
