// Operations of large change sets, packed in blocks. Those that are stored as rows stay so.
import type { Migration } from './migration.ts'

export const opBlocks: Migration = {
  version: 39,
  name: 'op-blocks',
  sqlite: [
    // With a rowid: a block fills most of a page, and would overflow in an index.
    `CREATE TABLE change_op_blocks (
      position INTEGER NOT NULL, ordinal INTEGER NOT NULL, operations INTEGER NOT NULL, kinds TEXT NOT NULL,
      packed BLOB NOT NULL, checksum INTEGER NOT NULL, PRIMARY KEY (position, ordinal)
    ) STRICT`,
  ],
}
