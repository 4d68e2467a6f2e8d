// Tables of users, accounts and tokens.
import { anyJson, flag, integer, json, namedColumn, nullable, oneOf, text } from '../column.ts'
import {
  STRINGS,
  among,
  isObject,
  isText,
  listOf,
  objectWith,
  optional,
  orNull,
  recordOf,
} from '../json-shapes.ts'
import { defineTable } from '../table.ts'

export const users = defineTable('users', ['id'], {
  id: text,
  email: text,
  key_hash: nullable(text),
  name: nullable(text),
  /** Role on everything; null = none. */
  role: nullable(oneOf<'owner' | 'admin' | 'editor' | 'viewer'>()),
  zone_roles: json(listOf(objectWith({ zoneId: isText, role: among('admin', 'editor', 'viewer') }))),
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

export const passwords = defineTable('passwords', ['user_id'], {
  user_id: text,
  /** Salted scrypt, with its parameters. */
  hash: text,
  /** Whether a second factor is required, also if its own row is lost. */
  needs_code: flag,
  changed_on: text,
})

export const totp_keys = defineTable('totp_keys', ['user_id'], {
  user_id: text,
  /** Base32, sealed by the key vault. */
  secret: text,
  /** Period of the last accepted code: a code is accepted once. */
  last_step: integer,
  created_on: text,
})

/** One row per unused code. */
export const recovery_codes = defineTable('recovery_codes', ['user_id', 'code_hash'], {
  user_id: text,
  code_hash: text,
})

export const passkeys = defineTable('passkeys', ['id'], {
  id: text,
  user_id: text,
  credential_id: text,
  /** COSE key in base64url. */
  public_key: text,
  /** Signatures so far, if the authenticator counts them. */
  counter: integer,
  transports: json(STRINGS),
  /** Host name that the passkey belongs to. */
  site: text,
  name: text,
  created_on: text,
  last_used_on: nullable(text),
})

/** Users at an identity provider. */
export const identities = defineTable('identities', ['issuer', 'subject'], {
  issuer: text,
  subject: text,
  user_id: text,
  created_on: text,
})

export const sign_in_links = defineTable('sign_in_links', ['value_hash'], {
  /** SHA-256 of the link's token, in hexadecimal. */
  value_hash: text,
  user_id: text,
  expires_on: text,
})

export const sessions = defineTable('sessions', ['id'], {
  id: text,
  user_id: text,
  /** SHA-256 of the cookie's value, in hexadecimal. */
  value_hash: text,
  methods: json(STRINGS),
  /** Address from which the user signed in. */
  address: text,
  user_agent: nullable(text),
  created_on: text,
  /** When the user last proved who they are. */
  authenticated_on: text,
  last_used_on: text,
  expires_on: text,
})

export const account_webhooks = defineTable('account_webhooks', ['id'], {
  id: text,
  account_id: text,
  source: oneOf<'changes' | 'security_events'>(),
  url: text,
  /** null = all. */
  kinds: anyJson(orNull(STRINGS)),
  enabled: namedColumn('isEnabled', flag),
  /** Sealed by the key vault. */
  secret: text,
  created_on: text,
  /** Number of the last delivered entry of the audit log, or of the last counted security event. */
  last_event: integer,
  delivered_at: nullable(text),
  failures: integer,
  problem: nullable(text),
  next_attempt_at: text,
})
