// Tables of users, accounts and tokens.
import { json, nullable, oneOf, text } from '../column.ts'
import { STRINGS, among, isObject, isText, listOf, objectWith, optional, recordOf } from '../json-shapes.ts'
import { defineTable } from '../table.ts'

export const users = defineTable('users', ['id'], {
  id: text,
  email: text,
  key_hash: nullable(text),
  created_on: text,
  modified_on: text,
})

export const accounts = defineTable('accounts', ['id'], {
  id: text,
  name: text,
  /** For filters: the name in lower case (the database itself folds only ASCII). */
  name_search: text,
  type: oneOf<'standard' | 'enterprise'>(),
  settings: json(isObject),
  created_on: text,
})

export const memberships = defineTable('memberships', ['id'], { id: text, user_id: text, account_id: text })

const isPolicy = objectWith({
  effect: among('allow', 'deny'),
  resources: recordOf((value) => isText(value) || recordOf(isText)(value)),
  groupIds: STRINGS,
})

export const tokens = defineTable('tokens', ['id'], {
  id: text,
  owner_kind: oneOf<'user' | 'account'>(),
  owner_id: text,
  name: text,
  status: oneOf<'active' | 'disabled'>(),
  /** SHA-256 of the secret, in hexadecimal. */
  value_hash: text,
  policies: json(listOf(isPolicy)),
  condition: nullable(json(objectWith({ in: optional(STRINGS), notIn: optional(STRINGS) }))),
  not_before: nullable(text),
  expires_on: nullable(text),
  issued_on: text,
  modified_on: text,
  last_used_on: nullable(text),
})

/** Keys for dynamic updates. */
export const update_keys = defineTable('update_keys', ['id'], {
  id: text,
  /** Canonical name without trailing dot. */
  name: text,
  algorithm: text,
  /** Base64, sealed by the key vault. */
  secret: text,
  token_id: text,
  user_id: text,
  created_on: text,
})
