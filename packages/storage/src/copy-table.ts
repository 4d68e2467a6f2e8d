/** A table that a database has while rows are copied to it; see copy-database.ts. */
export const COPY_TABLE = 'unfinished_copy'
