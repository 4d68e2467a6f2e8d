// Connections to the server that accepts writes, if a URL names the servers of a cluster: after a failover, it is another.
import pg from 'pg'

/** As the configuration writes them: a URL has room for one. */
const OTHER_HOSTS = 'other_hosts'

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

/** @throws Error: no host answers; of several, none accepts writes */
export async function connectTo(url: string, config: pg.ClientConfig): Promise<pg.Client> {
  const hosts = hostsOf(url)
  const failures: unknown[] = []
  for (const connectionString of hosts) {
    const client = new pg.Client({ ...config, connectionString })
    client.on('error', () => {}) // the caller hears of later ones
    try {
      await client.connect()
      if (hosts.length === 1 || !(await isStandby(client))) return client
      failures.push(new Error(`${new URL(connectionString).host} is a standby`))
    } catch (failure) {
      failures.push(failure)
    }
    client.end().catch(() => {}) // it is not used
  }
  throw failures.length === 1 ? failures[0] : new AggregateError(failures)
}

async function isStandby(client: pg.Client): Promise<boolean> {
  const { rows } = await client.query<{ is_standby: unknown }>(
    'SELECT pg_is_in_recovery()::int4 AS is_standby',
  )
  return Number(rows[0]?.is_standby) === 1
}
