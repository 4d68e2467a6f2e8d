// Whether a pooler between this program and the server changes connections between transactions, as PgBouncer does in
// transaction mode. Nothing that a session keeps can be used then: prepared statements, notifications, and settings but for
// the one that each connection has (`hosts.ts`), which PgBouncer repeats.
import type pg from 'pg'
import { connectTo } from './hosts.ts'

const ANSWER_MILLIS = 5_000
/** As the driver says it. */
const TIMED_OUT = 'Query read timeout'
/** Others that use the pooler may get in between, on a busy machine several times in succession. */
const ROUNDS = 25

/** @throws Error: the server does not answer */
export async function losesSessions(url: string): Promise<boolean> {
  const one = await open(url)
  try {
    const process = await processOf(one)
    // The server names its process when a connection begins; a pooler names something else.
    if (one.processID === process) return false
    const other = await open(url)
    try {
      for (let round = 0; round < ROUNDS; round++) if (await isChangedBeside(one, process, other)) return true
      return false
    } catch (failure) {
      // Only a pooler has a client wait for the connection of another one.
      if (failure instanceof Error && failure.message === TIMED_OUT) return true
      throw failure
    } finally {
      end(other)
    }
  } finally {
    end(one)
  }
}

/** While the other client has a transaction, which takes the connection that has become free last. */
async function isChangedBeside(one: Client, process: number, other: Client): Promise<boolean> {
  await other.query('BEGIN')
  await processOf(other)
  const isChanged = (await processOf(one)) !== process
  await other.query('ROLLBACK')
  return isChanged
}

/** The driver knows this member; its types do not. */
type Client = pg.Client & { readonly processID?: number | null }

const open = (url: string): Promise<Client> =>
  connectTo(url, {
    connectionTimeoutMillis: ANSWER_MILLIS,
    query_timeout: ANSWER_MILLIS,
    application_name: 'zonereeve',
  })

async function processOf(client: Client): Promise<number> {
  const { rows } = await client.query<{ process: unknown }>('SELECT pg_backend_pid() AS process')
  return Number(rows[0]?.process)
}

function end(client: Client): void {
  client.end().catch(() => {}) // it is not used any more
}
