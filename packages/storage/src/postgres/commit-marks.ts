// A number that each transaction of this process leaves in the database, so that it can find out whether the last one is
// durable. The number of the transaction itself is not enough: after a failover, the standby that did not get it gives
// the same number to another.
import { randomBytes } from 'node:crypto'

/** Created by each server before anything else. */
export const COMMIT_MARKS_TABLE = `CREATE TABLE IF NOT EXISTS server_commits (
    process text PRIMARY KEY, mark int8 NOT NULL, marked_at timestamptz NOT NULL DEFAULT now());
  DELETE FROM server_commits WHERE marked_at < now() - interval '1 day';`

export function createCommitMarks() {
  const process = randomBytes(16).toString('hex')
  let mark = 0
  return {
    /** The mark of the next transaction, and the statement that leaves it. */
    next() {
      mark += 1
      const statement = `INSERT INTO server_commits (process, mark) VALUES ('${process}', ${mark})
        ON CONFLICT (process) DO UPDATE SET mark = excluded.mark, marked_at = excluded.marked_at`
      return { mark, statement }
    },
    /** Selects the mark of the last durable transaction. */
    last: `SELECT mark FROM server_commits WHERE process = '${process}'`,
    forget: `DELETE FROM server_commits WHERE process = '${process}'`,
  }
}
