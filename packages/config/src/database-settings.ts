// Settings of the database, and of servers that share one.
import { setting } from './setting.ts'

export const DATABASE_SETTINGS = {
  database: setting({
    name: 'database',
    placeholder: 'url',
    description:
      'sqlite:FILE, or postgres://USER@HOST/DATABASE, also with several hosts separated by commas; default: zonereeve.db in the data folder',
    default: '',
    parse: parseDatabase,
  }),
  databasePassword: setting({
    name: 'database-password',
    description: 'password of the PostgreSQL user',
    default: undefined,
    secret: true,
    parse: (text) => text,
  }),
  nodeUrl: setting({
    name: 'node-url',
    placeholder: 'url',
    description:
      'makes this server one of several nodes with one PostgreSQL database: where the others reach its API, like http://10.0.0.1:8080; port 0 is that of --http',
    default: '',
    parse: parseOrigin,
  }),
}

function parseDatabase(text: string): string | undefined {
  if (text === '') return undefined
  if (/^postgres(ql)?:/.test(text)) return parsePostgresUrl(text)
  const path = /^sqlite:(?:\/\/)?(.+)$/.exec(text)?.[1]
  if (path === undefined) throw new Error('must be sqlite:FILE or postgres://USER@HOST/DATABASE')
  return path
}

const TARGET = 'target_session_attrs'

/** Parameters of a connection that the driver knows, and prepared_statements=off and listen=off for poolers. */
const POSTGRES_PARAMETERS = [
  'host',
  'listen',
  'options',
  'prepared_statements',
  'sslcert',
  'sslkey',
  'sslmode',
  'sslrootcert',
  TARGET,
]

/** @param text may have several hosts, as libpq's, which is not a URL for others. */
function parsePostgresUrl(text: string): string {
  const [, start = '', hosts = '', rest = ''] = /^(\w+:\/\/(?:[^/@]*@)?)([^/?#]*)(.*)$/s.exec(text) ?? []
  const [first = '', ...others] = hosts.split(',')
  const whole = `${start}${first}${rest}`
  const url = URL.canParse(whole) ? new URL(whole) : undefined
  if (url === undefined || url.username === '' || url.pathname.length < 2 || url.hash !== '')
    throw new Error('must be like postgres://USER@HOST/DATABASE')
  if (url.password !== '')
    throw new Error('must not contain the password; set ZONEREEVE_DATABASE_PASSWORD, or its _FILE')
  const unknown = [...url.searchParams.keys()].find((name) => !POSTGRES_PARAMETERS.includes(name))
  if (unknown !== undefined)
    throw new Error(`has the parameter ${unknown}; supported are ${POSTGRES_PARAMETERS.join(', ')}`)
  if ((url.searchParams.get(TARGET) ?? 'read-write') !== 'read-write')
    throw new Error(`has ${TARGET}; of several hosts, the one that accepts writes is used: read-write`)
  url.searchParams.delete(TARGET)
  if (others.length === 0) return url.href
  if (url.searchParams.has('host')) throw new Error('has several hosts and the parameter host')
  const wrong = [first, ...others].find(
    (host) => !/^[^@]+$/.test(host) || !URL.canParse(`postgres://${host}`),
  )
  if (wrong !== undefined) throw new Error(`has the host "${wrong}"`)
  url.searchParams.set('other_hosts', others.join(','))
  return url.href
}

export function parseOrigin(text: string): string | undefined {
  if (text === '') return undefined
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (url === undefined || !/^https?:$/.test(url.protocol) || url.href !== `${url.origin}/`)
    throw new Error('must be only a scheme and a host, like https://reports.example.com')
  return url.origin
}
