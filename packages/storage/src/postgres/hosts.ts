// Connections to the server that accepts writes, if a URL names the servers of a cluster: after a failover, it is another.
import pg from 'pg'

/** As the configuration writes them: a URL has room for one. */
const OTHER_HOSTS = 'other_hosts'
/**
 * A database may be set otherwise, and strings of functions are read as the session reads them. A statement, because
 * poolers refuse the parameter `options`; PgBouncer repeats it on the connections that it gives to this client. A pooler
 * that changes connections and does not track the setting leaves it on for other users of the connection.
 */
const PLAIN_STRINGS = 'SET standard_conforming_strings = on'
const IS_STANDBY = 'SELECT pg_is_in_recovery()::int4 AS is_standby'

/** One URL for each host, in order. */
export function hostsOf(url: string): readonly [string, ...string[]] {
  const first = new URL(url)
  const list = first.searchParams.get(OTHER_HOSTS)
  first.searchParams.delete(OTHER_HOSTS)
  return [
    first.href,
    ...(list === null ? [] : list.split(',')).map((host) => {
      const other = new URL(first)
      const { hostname, port } = new URL(`postgres://${host}`)
      other.hostname = hostname
      other.port = port
      return other.href
    }),
  ]
}

/**
 * @param limitMillis of the statements here, if it is not that of all: behind a pooler, the first one waits until another
 * client's connection is free.
 * @throws Error: no host answers; of several, none accepts writes
 */
export async function connectTo(
  url: string,
  config: pg.ClientConfig,
  limitMillis = config.query_timeout,
): Promise<pg.Client> {
  const hosts = hostsOf(url)
  const failures: unknown[] = []
  const limitTime = (text: string) => (limitMillis ? { text, query_timeout: limitMillis } : text)
  for (const connectionString of hosts) {
    const client = new pg.Client({ ...config, connectionString })
    client.on('error', () => {}) // the caller hears of later ones
    try {
      await client.connect()
      await client.query(limitTime(PLAIN_STRINGS))
      if (hosts.length === 1) return client
      const { rows } = await client.query<{ is_standby: unknown }>(limitTime(IS_STANDBY))
      if (Number(rows[0]?.is_standby) !== 1) return client
      failures.push(new Error(`${new URL(connectionString).host} is a standby`))
    } catch (failure) {
      failures.push(failure)
    }
    client.end().catch(() => {}) // it is not used
  }
  throw failures.length === 1 ? failures[0] : new AggregateError(failures)
}
