// The server itself: its version, disk, queues, background jobs and backups, and the settings that it runs with.
import { Type, type Static } from 'typebox'
import { AUDIT_READ } from './audit-logs.ts'
import { operations } from './operation.ts'
import { namedObject, nullable, oneOf, timestamp } from './primitives.ts'

export const SERVER_QUEUES = [
  'webhooks',
  'account_webhooks',
  'email_alerts',
  'script_fetches',
  'page_checks',
  'secondaries',
] as const

const bytes = (description: string) => Type.Integer({ description: `${description}, in bytes.` })

const WireHealth = namedObject('ServerHealth', {
  version: Type.String(),
  node_version: Type.String({ description: 'Version of Node.' }),
  started_at: timestamp('When this process started.'),
  ready: Type.Boolean({ description: 'Whether it serves, and its database accepts writes; as /readyz.' }),
  problems: Type.Array(Type.String(), {
    description: 'Stored data that cannot be read, one entry each; the server is ready regardless.',
  }),
  memory_bytes: bytes('Resident memory of the process'),
  database: Type.Object({
    engine: oneOf(['sqlite', 'postgres']),
    bytes: nullable(bytes('Size of the file; null = PostgreSQL, or in memory')),
    log_bytes: nullable(bytes('Size of its write-ahead log')),
  }),
  disk: nullable(
    Type.Object(
      { free_bytes: bytes('Free for this user'), total_bytes: bytes('Size') },
      {
        description: 'The file system of the data folder; null = nothing is stored on it.',
      },
    ),
  ),
  queues: Type.Array(
    Type.Object({
      name: oneOf(SERVER_QUEUES, {
        description:
          '`webhooks`, `account_webhooks`, `email_alerts`: those with events that were not sent. `script_fetches`, `page_checks`: fetches that are due. `secondaries`: peers without the newest serial of a zone.',
      }),
      waiting: Type.Integer(),
    }),
  ),
  jobs: Type.Array(
    Type.Object({
      name: Type.String(),
      ended_at: timestamp('When its last run ended.'),
      seconds: Type.Number({ description: 'Duration of the last run.' }),
      failed: Type.Boolean({ description: 'Whether the last run failed; the log has the error.' }),
      failures: Type.Integer({ description: 'Failed runs since the start.' }),
    }),
    { description: 'Background jobs that have run since the start.' },
  ),
  backup: nullable(
    Type.Object(
      {
        created_at: timestamp('When it was made.'),
        bytes: bytes('Size'),
        encrypted: Type.Boolean(),
        path: Type.String({
          description: 'Where `zonereeve backup` wrote it; it may have been moved since.',
        }),
      },
      { description: 'The last backup that `zonereeve backup` made of this database; null = none is known.' },
    ),
  ),
})
export type WireHealth = Static<typeof WireHealth>

const WireServerSetting = namedObject('ServerSetting', {
  name: Type.String({ description: 'Of the flag, and of the member in the configuration file.' }),
  environment: Type.String({ description: 'Its environment variable.' }),
  description: Type.String(),
  value: nullable(Type.String({ description: 'null = not set, or secret.' })),
  default: nullable(Type.String()),
  is_set: Type.Boolean(),
  is_secret: Type.Boolean(),
  origin: Type.String({ description: 'Where the value comes from, like `flag --http` or `default`.' }),
})
export type WireServerSetting = Static<typeof WireServerSetting>

const permission = { on: 'every-account', anyOf: AUDIT_READ } as const

export const serverHealth = operations(
  'server',
  { tag: 'Server' },
  {
    health: {
      route: 'GET /zonereeve/health',
      summary: 'Get the state of the server: version, disk, queues, jobs and backups',
      description: 'Of the node that answers. Whether it is ready is also at /readyz, without a credential.',
      permission,
      result: WireHealth,
    },
    settings: {
      route: 'GET /zonereeve/settings',
      summary: 'List the settings that the server runs with',
      description: 'Values of secrets are left out. Settings change with a restart.',
      permission,
      result: Type.Array(WireServerSetting),
    },
  },
)
