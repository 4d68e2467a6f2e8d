// Accounts and the caller's memberships in them.
import { Type, type Static } from 'typebox'
import { operation } from './operation.ts'
import {
  Deleted,
  direction,
  givenName,
  ignoredMembers,
  nullable,
  objectId,
  oneOf,
  page,
  perPage,
  timestamp,
} from './primitives.ts'

const accountPath = Type.Object({ account_id: objectId('the account') })

const AccountSettings = Type.Object({
  enforce_twofactor: Type.Optional(Type.Boolean()),
  abuse_contact_email: Type.Optional(nullable(Type.String({ maxLength: 254 }))),
})

export const WireAccount = Type.Object(
  {
    id: objectId('the account'),
    name: Type.String({ maxLength: 100 }),
    type: oneOf(['standard', 'enterprise']),
    settings: AccountSettings,
    created_on: timestamp('When the account was created.'),
  },
  { $id: 'Account', title: 'Account' },
)
export type WireAccount = Static<typeof WireAccount>

const AccountDraft = Type.Object({
  name: givenName(100, { examples: ['Example account'] }),
  type: Type.Optional(oneOf(['standard', 'enterprise'], { default: 'enterprise' })),
  settings: Type.Optional(AccountSettings),
  ...ignoredMembers('id', 'created_on', 'unit', 'managed_by'),
})

export const WireMembership = Type.Object(
  {
    id: objectId('the membership'),
    status: oneOf(['accepted', 'pending']),
    account: WireAccount,
    roles: Type.Array(Type.String()),
    permissions: Type.Record(Type.String(), Type.Object({ read: Type.Boolean(), write: Type.Boolean() })),
  },
  { $id: 'Membership', title: 'Membership' },
)
export type WireMembership = Static<typeof WireMembership>

const tag = 'Accounts'

export const accounts = {
  list: operation({
    id: 'accounts.list',
    method: 'GET',
    path: '/accounts',
    summary: 'List accounts',
    tag,
    permission: { on: 'some-account', anyOf: ['Account Settings Read', 'Account Settings Write'] },
    query: Type.Object({
      name: Type.Optional(Type.String({ description: 'Only the account with exactly this name.' })),
      page,
      per_page: perPage(1, 1000, 20),
      direction,
    }),
    result: WireAccount,
    list: true,
  }),
  create: operation({
    id: 'accounts.create',
    method: 'POST',
    path: '/accounts',
    summary: 'Create an account',
    tag,
    permission: { on: 'user', anyOf: ['Memberships Write'] },
    body: AccountDraft,
    result: WireAccount,
  }),
  get: operation({
    id: 'accounts.get',
    method: 'GET',
    path: '/accounts/{account_id}',
    summary: 'Get an account',
    tag,
    permission: { on: 'account', anyOf: ['Account Settings Read', 'Account Settings Write'] },
    params: accountPath,
    result: WireAccount,
  }),
  update: operation({
    id: 'accounts.update',
    method: 'PUT',
    path: '/accounts/{account_id}',
    summary: 'Update an account',
    tag,
    permission: { on: 'account', anyOf: ['Account Settings Write'] },
    params: accountPath,
    body: AccountDraft,
    result: WireAccount,
  }),
  delete: operation({
    id: 'accounts.delete',
    method: 'DELETE',
    path: '/accounts/{account_id}',
    summary: 'Delete an account',
    description: 'Refused while the account has zones, and for the only account.',
    tag,
    permission: { on: 'account', anyOf: ['Account Settings Write'] },
    params: accountPath,
    result: Deleted,
  }),
  memberships: operation({
    id: 'memberships.list',
    method: 'GET',
    path: '/memberships',
    summary: 'List the caller’s memberships',
    tag,
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
  }),
}
