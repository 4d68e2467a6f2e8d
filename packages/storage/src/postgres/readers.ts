// Connections that only read, and the queries of one.
import type { Compilable } from 'kysely'
import type { Reader } from '../storage.ts'
import { createConnection, type Connection, type ConnectionOptions } from './connection.ts'

/** The queries of a connection. */
export function readerOf(connection: Pick<Connection, 'query'>): Reader {
  return {
    all: async <Row>(compilable: Compilable<Row>) =>
      (await connection.query(compilable)).rows as readonly unknown[] as Row[], // rows have the selected columns
    first: async <Row>(compilable: Compilable<Row>) =>
      (await connection.query(compilable)).rows[0] as Row | undefined, // as above
    async each<Row>(compilable: Compilable<Row>, take: (row: Row) => void) {
      await connection.query(compilable, (row) => take(row as Row)) // as above
    },
  }
}

/** Connections that only read. */
export interface Readers extends Reader {
  /** Ends the connections: their queries fail, and the next ones open new connections. */
  reset(): void
  close(): Promise<void>
}

/** A reader that uses the connection with the fewest queries in progress. */
export function createReaders(options: ConnectionOptions, count: number): Readers {
  const connections = Array.from({ length: count }, () => ({
    connection: createConnection(options),
    busy: 0,
  }))

  return {
    ...readerOf({
      async query(compilable, take) {
        const chosen = connections.reduce((least, one) => (one.busy < least.busy ? one : least))
        chosen.busy += 1
        try {
          return await chosen.connection.query(compilable, take)
        } finally {
          chosen.busy -= 1
        }
      },
    }),
    reset: () => connections.forEach(({ connection }) => connection.reset()),
    async close() {
      await Promise.all(connections.map(({ connection }) => connection.close()))
    },
  }
}
