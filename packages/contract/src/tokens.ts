// API tokens of the caller or of an account.
import { Type, type Static, type TSchema } from 'typebox'
import { operations } from './operation.ts'
import {
  Deleted,
  direction,
  givenName,
  ignoredMembers,
  namedObject,
  objectId,
  oneOf,
  page,
  perPage,
  timestamp,
} from './primitives.ts'

const tag = 'API tokens'

const Resources = Type.Record(
  Type.String(),
  Type.Union([Type.String(), Type.Record(Type.String(), Type.String())]),
  {
    description:
      'Resource names with `"*"`, or an account with the zones in it. Names: `com.cloudflare.api.account.<id>`, `com.cloudflare.api.account.*`, `com.cloudflare.api.account.zone.<id>`, `com.cloudflare.api.account.zone.*`, `com.cloudflare.api.user.<id>`.',
    examples: [{ 'com.cloudflare.api.account.zone.*': '*' }],
  },
)

const PolicyDraft = Type.Object({
  id: Type.Optional(Type.String()),
  effect: oneOf(['allow', 'deny']),
  resources: Resources,
  permission_groups: Type.Array(
    Type.Object({
      id: Type.String(),
      name: Type.Optional(Type.String()),
      ...ignoredMembers('meta', 'label', 'scopes'),
    }),
    { minItems: 1 },
  ),
})

const IpCondition = Type.Object({
  in: Type.Optional(Type.Array(Type.String({ examples: ['192.0.2.0/24'] }))),
  not_in: Type.Optional(Type.Array(Type.String())),
})

// Unknown members are refused, not ignored: a misspelled restriction would leave the token unrestricted.
const IpConditionDraft = Type.Object(IpCondition.properties, {
  additionalProperties: false,
  minProperties: 1,
})

const ConditionDraft = Type.Object(
  { request_ip: Type.Optional(IpConditionDraft), 'request.ip': Type.Optional(IpConditionDraft) },
  // Two spellings of one restriction.
  { additionalProperties: false, maxProperties: 1 },
)

export const MAX_TOKEN_NAME_CHARACTERS = 120

export const TokenDraft = Type.Object({
  name: givenName(MAX_TOKEN_NAME_CHARACTERS, { examples: ['dns of example.com'] }),
  policies: Type.Array(PolicyDraft, { minItems: 1 }),
  condition: Type.Optional(ConditionDraft),
  not_before: Type.Optional(timestamp('Not valid before.')),
  expires_on: Type.Optional(timestamp('Not valid from this time on.')),
  status: Type.Optional(oneOf(['active', 'disabled', 'expired'])),
  ...ignoredMembers('id', 'issued_on', 'modified_on', 'last_used_on', 'value'),
})
export type TokenDraft = Static<typeof TokenDraft>

export const WireToken = namedObject('Token', {
  id: objectId('the token'),
  name: Type.String(),
  status: oneOf(['active', 'disabled', 'expired']),
  issued_on: timestamp('When the token was created.'),
  modified_on: timestamp('When the token was last changed.'),
  last_used_on: Type.Optional(timestamp('When the token was last used, to the minute.')),
  not_before: Type.Optional(timestamp('Not valid before.')),
  expires_on: Type.Optional(timestamp('Not valid from this time on.')),
  policies: Type.Array(
    Type.Object({
      id: objectId('the policy'),
      effect: oneOf(['allow', 'deny']),
      resources: Resources,
      permission_groups: Type.Array(
        Type.Object({ id: Type.String(), name: Type.String(), meta: Type.Object({}) }),
      ),
    }),
  ),
  condition: Type.Optional(Type.Object({ request_ip: Type.Optional(IpCondition) })),
  value: Type.Optional(Type.String({ description: 'The secret; only in the reply to creation.' })),
})
export type WireToken = Static<typeof WireToken>

const Verified = Type.Object({
  id: objectId('the token'),
  status: oneOf(['active', 'disabled', 'expired']),
  not_before: Type.Optional(timestamp('Not valid before.')),
  expires_on: Type.Optional(timestamp('Not valid from this time on.')),
})

const WirePermissionGroup = namedObject('PermissionGroup', {
  id: Type.String(),
  name: Type.String(),
  scopes: Type.Array(Type.String()),
})

const listQuery = Type.Object({
  page,
  per_page: perPage(1, 1000, 20),
  direction,
  include_expired: Type.Optional(Type.Boolean({ default: true })),
})
const groupQuery = Type.Object({ name: Type.Optional(Type.String()), scope: Type.Optional(Type.String()) })

const READ = {
  user: ['API Tokens Read', 'API Tokens Write'],
  account: ['Account API Tokens Read', 'Account API Tokens Write'],
} as const
const WRITE = { user: ['API Tokens Write'], account: ['Account API Tokens Write'] } as const

/** The same eight operations for the caller's own tokens and for an account's. */
function tokenOperations<
  O extends 'user' | 'account',
  R extends `/${string}`,
  P extends Record<string, TSchema>,
>(on: O, prefix: R, whose: string, owner: P) {
  const section = { tag, params: { ...owner, token_id: objectId('the token') } }
  const read = { on, anyOf: READ[on] }
  const write = { on, anyOf: WRITE[on] }
  return operations(`${on}.tokens`, section, {
    list: {
      route: `GET ${prefix}/tokens`,
      summary: `List ${whose} tokens`,
      permission: read,
      query: listQuery,
      result: WireToken,
      list: true,
    },
    create: {
      route: `POST ${prefix}/tokens`,
      needsRecentSignIn: true,
      summary: `Create one of ${whose} tokens`,
      permission: write,
      body: TokenDraft,
      result: WireToken,
    },
    verify: {
      route: `GET ${prefix}/tokens/verify`,
      summary: 'Verify the token of this request',
      permission: { on: 'credential' },
      result: Verified,
    },
    permissionGroups: {
      route: `GET ${prefix}/tokens/permission_groups`,
      summary: 'List permission groups',
      permission: read,
      query: groupQuery,
      result: WirePermissionGroup,
      list: true,
    },
    get: {
      route: `GET ${prefix}/tokens/{token_id}`,
      summary: 'Get a token',
      permission: read,
      result: WireToken,
    },
    update: {
      route: `PUT ${prefix}/tokens/{token_id}`,
      needsRecentSignIn: true,
      summary: 'Replace a token’s definition',
      permission: write,
      body: TokenDraft,
      result: WireToken,
    },
    delete: {
      route: `DELETE ${prefix}/tokens/{token_id}`,
      needsRecentSignIn: true,
      summary: 'Delete a token',
      permission: write,
      result: Deleted,
    },
    roll: {
      route: `PUT ${prefix}/tokens/{token_id}/value`,
      needsRecentSignIn: true,
      summary: 'Roll a token’s secret',
      description: 'The old secret stops working at once; the result is the new one.',
      permission: write,
      body: Type.Object({}),
      bodyOptional: true,
      result: Type.String(),
    },
  })
}

export const userTokens = tokenOperations('user', '/user', 'the caller’s', {})
export const accountTokens = tokenOperations('account', '/accounts/{account_id}', 'the account’s', {
  account_id: objectId('the account'),
})
