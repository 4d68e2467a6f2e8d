// Webhooks of accounts. What follows `last_event` in the audit log or in the security events is pending.
import type { Migration } from './migration.ts'

export const accountWebhooks: Migration = {
  version: 55,
  name: 'account webhooks',
  sqlite: [
    `CREATE TABLE account_webhooks (
      id TEXT PRIMARY KEY, account_id TEXT NOT NULL REFERENCES accounts (id) ON DELETE CASCADE, source TEXT NOT NULL,
      url TEXT NOT NULL, kinds TEXT NOT NULL, enabled INTEGER NOT NULL, secret TEXT NOT NULL, created_on TEXT NOT NULL,
      last_event INTEGER NOT NULL, delivered_at TEXT, failures INTEGER NOT NULL, problem TEXT, next_attempt_at TEXT NOT NULL
    ) STRICT, WITHOUT ROWID`,
    `CREATE INDEX account_webhooks_by_account ON account_webhooks (account_id, created_on)`,
  ],
}
