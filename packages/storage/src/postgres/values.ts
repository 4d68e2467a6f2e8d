// Values of columns, as the server sends them and as the stores get them.
import type pg from 'pg'

/** Values as SQLite returns them: numbers of 64 bits as numbers, truth as 0 or 1, bytes as such. */
const PARSERS: Readonly<Record<number, (text: string) => unknown>> = {
  16: (text) => (text === 't' ? 1 : 0), // bool
  17: (text) => new Uint8Array(Buffer.from(text.slice(2), 'hex')), // bytea: \x…
  20: Number, // int8
  23: Number, // int4
  1700: Number, // numeric: sums
}

export const TYPES = {
  getTypeParser: (oid: number) => PARSERS[oid] ?? String,
} as pg.CustomTypesConfig // only strings are parsed

/** For statements without parameters. */
export const literal = (text: string | undefined): string =>
  text === undefined ? 'NULL' : `'${text.replaceAll("'", "''")}'`
