// Accounts and the caller's memberships in them.
import { Type, type Static } from 'typebox'
import { operations } from './operation.ts'
import {
  Deleted,
  direction,
  givenName,
  ignoredMembers,
  namedObject,
  nullable,
  objectId,
  oneOf,
  page,
  perPage,
  timestamp,
} from './primitives.ts'

const AccountSettings = Type.Object({
  enforce_twofactor: Type.Optional(Type.Boolean()),
  abuse_contact_email: Type.Optional(nullable(Type.String({ maxLength: 254 }))),
})

export const WireAccount = namedObject('Account', {
  id: objectId('the account'),
  name: Type.String({ maxLength: 100 }),
  type: oneOf(['standard', 'enterprise']),
  settings: AccountSettings,
  created_on: timestamp('When the account was created.'),
})
export type WireAccount = Static<typeof WireAccount>

const AccountDraft = Type.Object({
  name: givenName(100, { examples: ['Example account'] }),
  type: Type.Optional(oneOf(['standard', 'enterprise'], { default: 'enterprise' })),
  settings: Type.Optional(AccountSettings),
  ...ignoredMembers('id', 'created_on', 'unit', 'managed_by'),
})

export const WireMembership = namedObject('Membership', {
  id: objectId('the membership'),
  status: oneOf(['accepted', 'pending']),
  account: WireAccount,
  roles: Type.Array(Type.String()),
  permissions: Type.Record(Type.String(), Type.Object({ read: Type.Boolean(), write: Type.Boolean() })),
})
export type WireMembership = Static<typeof WireMembership>

const section = { tag: 'Accounts', params: { account_id: objectId('the account') } }

export const accounts = operations('accounts', section, {
  list: {
    route: 'GET /accounts',
    summary: 'List accounts',
    permission: { on: 'some-account', anyOf: ['Account Settings Read', 'Account Settings Write'] },
    query: Type.Object({
      name: Type.Optional(Type.String({ description: 'Only the account with exactly this name.' })),
      page,
      per_page: perPage(1, 1000, 20),
      direction,
    }),
    result: WireAccount,
    list: true,
  },
  create: {
    route: 'POST /accounts',
    summary: 'Create an account',
    permission: { on: 'user', anyOf: ['Memberships Write'] },
    body: AccountDraft,
    result: WireAccount,
  },
  get: {
    route: 'GET /accounts/{account_id}',
    summary: 'Get an account',
    permission: { on: 'account', anyOf: ['Account Settings Read', 'Account Settings Write'] },
    result: WireAccount,
  },
  update: {
    route: 'PUT /accounts/{account_id}',
    summary: 'Update an account',
    permission: { on: 'account', anyOf: ['Account Settings Write'] },
    body: AccountDraft,
    result: WireAccount,
  },
  delete: {
    route: 'DELETE /accounts/{account_id}',
    summary: 'Delete an account',
    description: 'Refused while the account has zones, and for the only account.',
    permission: { on: 'account', anyOf: ['Account Settings Write'] },
    result: Deleted,
  },
  memberships: {
    id: 'memberships.list',
    route: 'GET /memberships',
    summary: 'List the caller’s memberships',
    permission: { on: 'user', anyOf: ['Memberships Read', 'Memberships Write'] },
    query: Type.Object({
      'account.name': Type.Optional(Type.String()),
      status: Type.Optional(oneOf(['accepted', 'pending'])),
      page,
      per_page: perPage(1, 1000, 20),
      direction,
    }),
    result: WireMembership,
    list: true,
  },
})
