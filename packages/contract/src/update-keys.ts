// Keys that sign dynamic updates (RFC 2136). Zonereeve's own, outside the vendor's paths.
import { Type, type Static } from 'typebox'
import { operation } from './operation.ts'
import { Deleted, objectId, oneOf, page, perPage, timestamp } from './primitives.ts'

const tag = 'Dynamic updates'
const base = '/zonereeve/update_keys'
const keyPath = Type.Object({ key_id: objectId('the key') })
const reading = { on: 'user', anyOf: ['API Tokens Read', 'API Tokens Write'] } as const
const writing = { on: 'user', anyOf: ['API Tokens Write'] } as const

const algorithm = oneOf(['hmac-sha256', 'hmac-sha384', 'hmac-sha512', 'hmac-sha1'], {
  description: 'hmac-sha1 for old clients only.',
})
const name = Type.String({
  maxLength: 255,
  description:
    'Name of the key, as clients are configured with: a domain name that no other key of this server has.',
  examples: ['acme.update'],
})

const WireUpdateKey = Type.Object(
  {
    id: objectId('the key'),
    name,
    algorithm,
    token_id: objectId('the token whose permissions the key has'),
    created_on: timestamp('When the key was made.'),
    secret: Type.Optional(
      Type.String({ description: 'The shared secret in base64: in the reply to creation only.' }),
    ),
  },
  { $id: 'UpdateKey', title: 'UpdateKey' },
)
export type WireUpdateKey = Static<typeof WireUpdateKey>

const UpdateKeyDraft = Type.Object(
  {
    name,
    token_id: objectId('one of the caller’s own tokens'),
    algorithm: Type.Optional(algorithm),
  },
  { additionalProperties: false },
)
export type UpdateKeyDraft = Static<typeof UpdateKeyDraft>

export const updateKeys = {
  list: operation({
    id: 'update_keys.list',
    method: 'GET',
    path: base,
    summary: 'List the keys that sign dynamic updates',
    tag,
    permission: reading,
    query: Type.Object({ page, per_page: perPage(1, 1000, 20) }),
    result: WireUpdateKey,
    list: true,
  }),
  create: operation({
    id: 'update_keys.create',
    method: 'POST',
    path: base,
    summary: 'Make a key that signs dynamic updates',
    description:
      'An update signed with the key may do what the token may, from where and when the token may. The key is gone with the token. The secret is in this reply only.',
    tag,
    permission: writing,
    body: UpdateKeyDraft,
    result: WireUpdateKey,
  }),
  get: operation({
    id: 'update_keys.get',
    method: 'GET',
    path: `${base}/{key_id}`,
    summary: 'Get a key',
    tag,
    permission: reading,
    params: keyPath,
    result: WireUpdateKey,
  }),
  delete: operation({
    id: 'update_keys.delete',
    method: 'DELETE',
    path: `${base}/{key_id}`,
    summary: 'Delete a key',
    tag,
    permission: writing,
    params: keyPath,
    result: Deleted,
  }),
}
