// Keys that sign dynamic updates (RFC 2136). A Zonereeve extension, outside the vendor's paths.
import { Type, type Static } from 'typebox'
import { operations } from './operation.ts'
import {
  closedObject,
  Deleted,
  namedObject,
  objectId,
  oneOf,
  page,
  perPage,
  timestamp,
} from './primitives.ts'

const base = '/zonereeve/update_keys'
const reading = { on: 'user', anyOf: ['API Tokens Read', 'API Tokens Write'] } as const
const writing = { on: 'user', anyOf: ['API Tokens Write'] } as const

const algorithm = oneOf(['hmac-sha256', 'hmac-sha384', 'hmac-sha512', 'hmac-sha1'], {
  description: 'hmac-sha1 only for old clients.',
})
const name = Type.String({
  maxLength: 255,
  description:
    'Name of the key in the configuration of clients: a domain name that is unique among the keys of this server.',
  examples: ['acme.update'],
})

const WireUpdateKey = namedObject('UpdateKey', {
  id: objectId('the key'),
  name,
  algorithm,
  token_id: objectId('the token whose permissions the key has'),
  created_on: timestamp('When the key was created.'),
  secret: Type.Optional(
    Type.String({ description: 'The shared secret in base64; only in the reply to creation.' }),
  ),
})
export type WireUpdateKey = Static<typeof WireUpdateKey>

const UpdateKeyDraft = closedObject({
  name,
  token_id: objectId('one of the caller’s own tokens'),
  algorithm: Type.Optional(algorithm),
})
export type UpdateKeyDraft = Static<typeof UpdateKeyDraft>

const section = { tag: 'Dynamic updates', params: { key_id: objectId('the key') } }

export const updateKeys = operations('update_keys', section, {
  list: {
    route: `GET ${base}`,
    summary: 'List the keys that sign dynamic updates',
    permission: reading,
    query: Type.Object({ page, per_page: perPage(1, 1000, 20) }),
    result: WireUpdateKey,
    list: true,
  },
  create: {
    route: `POST ${base}`,
    needsRecentSignIn: true,
    summary: 'Create a key that signs dynamic updates',
    description:
      'An update signed with the key may do what the token may, from the addresses and at the times that the token allows. The key is deleted with the token. The secret is only in this reply.',
    permission: writing,
    body: UpdateKeyDraft,
    result: WireUpdateKey,
  },
  get: {
    route: `GET ${base}/{key_id}`,
    summary: 'Get a key',
    permission: reading,
    result: WireUpdateKey,
  },
  delete: {
    route: `DELETE ${base}/{key_id}`,
    summary: 'Delete a key',
    permission: writing,
    result: Deleted,
  },
})
