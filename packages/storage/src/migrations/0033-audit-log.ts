// The audit log, which only grows at its end and is only deleted from its beginning.
import type { Migration } from './migration.ts'

const TABLES = [
  `CREATE TABLE audit_log (
    number INTEGER PRIMARY KEY, at TEXT NOT NULL, account_id TEXT, zone_id TEXT, zone_name TEXT,
    actor_kind TEXT NOT NULL, actor_id TEXT NOT NULL, actor_name TEXT NOT NULL, address TEXT, action TEXT NOT NULL,
    resource_type TEXT NOT NULL, resource_id TEXT NOT NULL, succeeded INTEGER NOT NULL, request_id TEXT NOT NULL,
    detail TEXT NOT NULL, hash TEXT NOT NULL
  ) STRICT`,
  `CREATE INDEX audit_log_by_account ON audit_log (account_id, number)`,
  // The last entry that was deleted; number 0 if none was.
  `CREATE TABLE audit_log_start (
    id INTEGER PRIMARY KEY CHECK (id = 1), number INTEGER NOT NULL, hash TEXT NOT NULL
  ) STRICT`,
  `INSERT INTO audit_log_start (id, number, hash)
    VALUES (1, 0, '0000000000000000000000000000000000000000000000000000000000000000')`,
]

export const auditLog: Migration = {
  version: 33,
  name: 'audit log',
  sqlite: [
    ...TABLES,
    `CREATE TRIGGER audit_log_is_not_updated BEFORE UPDATE ON audit_log
      BEGIN SELECT RAISE(ABORT, 'entries of the audit log are never changed'); END`,
    `CREATE TRIGGER audit_log_is_deleted_from_its_start BEFORE DELETE ON audit_log
      WHEN OLD.number > (SELECT number FROM audit_log_start)
      BEGIN SELECT RAISE(ABORT, 'entries of the audit log are deleted from its start only'); END`,
  ],
  postgres: [
    ...TABLES,
    `CREATE FUNCTION keep_audit_log() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
      IF TG_OP = 'UPDATE' THEN RAISE EXCEPTION 'entries of the audit log are never changed'; END IF;
      IF OLD.number > (SELECT number FROM audit_log_start) THEN
        RAISE EXCEPTION 'entries of the audit log are deleted from its start only';
      END IF;
      RETURN OLD; END $$`,
    `CREATE TRIGGER audit_log_is_kept BEFORE UPDATE OR DELETE ON audit_log
      FOR EACH ROW EXECUTE FUNCTION keep_audit_log()`,
  ],
}
