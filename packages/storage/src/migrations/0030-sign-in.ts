// Users with roles, how they sign in, and their sessions.
import type { Migration } from './migration.ts'

export const signIn: Migration = {
  version: 30,
  name: 'sign-in',
  sqlite: [
    `ALTER TABLE users ADD COLUMN name TEXT`,
    // The only user of an older database is its administrator.
    `ALTER TABLE users ADD COLUMN role TEXT DEFAULT 'owner'`,
    `ALTER TABLE users ADD COLUMN zone_roles TEXT NOT NULL DEFAULT '[]'`,
    `CREATE TABLE passwords (
      user_id TEXT PRIMARY KEY REFERENCES users (id) ON DELETE CASCADE, hash TEXT NOT NULL,
      needs_code INTEGER NOT NULL, changed_on TEXT NOT NULL
    ) STRICT, WITHOUT ROWID`,
    `CREATE TABLE totp_keys (
      user_id TEXT PRIMARY KEY REFERENCES users (id) ON DELETE CASCADE, secret TEXT NOT NULL,
      last_step INTEGER NOT NULL, created_on TEXT NOT NULL
    ) STRICT, WITHOUT ROWID`,
    `CREATE TABLE recovery_codes (
      user_id TEXT NOT NULL REFERENCES users (id) ON DELETE CASCADE, code_hash TEXT NOT NULL,
      PRIMARY KEY (user_id, code_hash)
    ) STRICT, WITHOUT ROWID`,
    `CREATE TABLE passkeys (
      id TEXT PRIMARY KEY, user_id TEXT NOT NULL REFERENCES users (id) ON DELETE CASCADE,
      credential_id TEXT NOT NULL UNIQUE, public_key TEXT NOT NULL, counter INTEGER NOT NULL, transports TEXT NOT NULL,
      site TEXT NOT NULL, name TEXT NOT NULL, created_on TEXT NOT NULL, last_used_on TEXT
    ) STRICT, WITHOUT ROWID`,
    `CREATE INDEX passkeys_by_user ON passkeys (user_id, created_on, id)`,
    `CREATE TABLE identities (
      issuer TEXT NOT NULL, subject TEXT NOT NULL, user_id TEXT NOT NULL REFERENCES users (id) ON DELETE CASCADE,
      created_on TEXT NOT NULL, PRIMARY KEY (issuer, subject)
    ) STRICT, WITHOUT ROWID`,
    `CREATE INDEX identities_by_user ON identities (user_id)`,
    `CREATE TABLE sign_in_links (
      value_hash TEXT PRIMARY KEY, user_id TEXT NOT NULL REFERENCES users (id) ON DELETE CASCADE,
      expires_on TEXT NOT NULL
    ) STRICT, WITHOUT ROWID`,
    `CREATE INDEX sign_in_links_by_user ON sign_in_links (user_id)`,
    `CREATE TABLE sessions (
      id TEXT PRIMARY KEY, user_id TEXT NOT NULL REFERENCES users (id) ON DELETE CASCADE,
      value_hash TEXT NOT NULL UNIQUE, methods TEXT NOT NULL, address TEXT NOT NULL, user_agent TEXT,
      created_on TEXT NOT NULL, authenticated_on TEXT NOT NULL, last_used_on TEXT NOT NULL, expires_on TEXT NOT NULL
    ) STRICT, WITHOUT ROWID`,
    `CREATE INDEX sessions_by_user ON sessions (user_id, created_on, id)`,
  ],
}
