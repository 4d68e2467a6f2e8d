// Settings of the database, and of servers that share one.
import { setting } from './setting.ts'

export const DATABASE_SETTINGS = {
  database: setting({
    name: 'database',
    placeholder: 'url',
    description: 'sqlite:FILE, or postgres://USER@HOST/DATABASE; default: zonereeve.db in the data folder',
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
]

function parsePostgresUrl(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (url === undefined || url.username === '' || url.pathname.length < 2 || url.hash !== '')
    throw new Error('must be like postgres://USER@HOST/DATABASE')
  if (url.password !== '')
    throw new Error('must not contain the password; set ZONEREEVE_DATABASE_PASSWORD, or its _FILE')
  const unknown = [...url.searchParams.keys()].find((name) => !POSTGRES_PARAMETERS.includes(name))
  if (unknown !== undefined)
    throw new Error(`has the parameter ${unknown}; supported are ${POSTGRES_PARAMETERS.join(', ')}`)
  return url.href
}

export function parseOrigin(text: string): string | undefined {
  if (text === '') return undefined
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (url === undefined || !/^https?:$/.test(url.protocol) || url.href !== `${url.origin}/`)
    throw new Error('must be only a scheme and a host, like https://reports.example.com')
  return url.origin
}
