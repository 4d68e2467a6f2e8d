// The audit log: who did what, from where, and with what result. The list has the vendor's path, filters and members.
import { Type, type Static } from 'typebox'
import { operations } from './operation.ts'
import { namedObject, nullable, objectId, oneOf, page, perPage, timestamp } from './primitives.ts'

/** Entries in one reply of the export. */
export const MAX_EXPORTED_ENTRIES = 10_000

const WireAuditLog = namedObject('AuditLog', {
  id: objectId('the entry; it is the number of the entry in hexadecimal'),
  when: timestamp('When it was done.'),
  action: Type.Object({
    type: Type.String({
      description: 'What was done. For a refused request, the operation of the API.',
      examples: ['dns_record.create', 'session.create', 'zones.create'],
    }),
    result: Type.Boolean({ description: 'False if it was refused or failed.' }),
  }),
  actor: Type.Object({
    type: oneOf(['user', 'admin'], { description: 'A user or token, or (`admin`) the server itself.' }),
    id: Type.String({ description: 'Of the token, or of the user.' }),
    email: Type.String({
      description:
        'E-mail address of the user, or name of the token. For a failed sign-in, the address that was sent.',
    }),
    ip: nullable(Type.String({ description: 'Address of the client.', examples: ['203.0.113.9'] })),
  }),
  interface: oneOf(['API', 'UI', 'System'], {
    description: 'By token, by session, or by the server itself.',
  }),
  owner: Type.Object({
    id: nullable(Type.String({ description: 'The account; null for users and the server.' })),
  }),
  resource: Type.Object({ type: Type.String({ examples: ['dns_record'] }), id: Type.String() }),
  metadata: Type.Unknown({
    description:
      'An object: `zone_id` and `zone_name`; `request_id`; for a change, its number in the history of its scope and its kinds of operations; for a request, its operation, status and error codes; and `hash`.',
  }),
})
export type WireAuditLog = Static<typeof WireAuditLog>

const text = (description: string) =>
  Type.Optional(Type.String({ minLength: 1, maxLength: 254, description }))

export const AUDIT_READ = ['Account Settings Read', 'Account Settings Write'] as const

export const auditLogs = operations(
  'audit_logs',
  { tag: 'Accounts', params: { account_id: objectId('the account') } },
  {
    list: {
      route: 'GET /accounts/{account_id}/audit_logs',
      summary: 'List the audit log of an account',
      description:
        'An entry must match all filters. Entries about users, sign-ins and the server belong to no account; only callers with the permission on every account see them. The values before and after a change of a zone are in its history.',
      permission: { on: 'account', anyOf: AUDIT_READ },
      query: Type.Object({
        id: Type.Optional(objectId('the only entry')),
        'action.type': text('Exactly this type.'),
        'actor.email': text('Exactly this e-mail address or name of a token, case-insensitive.'),
        'actor.ip': text('Exactly this address.'),
        'zone.name': text('Only of the zone with this name, which may have been deleted.'),
        since: text('At or after this date or time.'),
        before: text('Before this date or time.'),
        direction: Type.Optional(
          oneOf(['desc', 'asc'], { default: 'desc', description: 'Newest first, or oldest first.' }),
        ),
        hide_user_logs: Type.Optional(
          Type.Boolean({ default: false, description: 'Without entries that belong to no account.' }),
        ),
        export: Type.Optional(Type.Boolean({ default: false, description: 'Only false is supported.' })),
        page,
        per_page: perPage(1, 1_000, 100),
      }),
      result: WireAuditLog,
      list: true,
    },
  },
)

const afterEvent = Type.Object({
  after: Type.Optional(
    Type.Integer({
      minimum: 0,
      maximum: Number.MAX_SAFE_INTEGER,
      description: 'Number of the last event that is not needed. The header `Last-Event-ID` is used first.',
    }),
  ),
})
const eventStream = {
  query: afterEvent,
  result: Type.String({ description: 'Server-sent events.' }),
  files: ['text/event-stream'],
  filesOnly: true,
} as const
const EVENT_STREAM =
  'Server-sent events: each has the number of an entry of the audit log as its `id`, and the entry as its `data`. Without a number, the stream begins with the next entry. An event `gap` says that entries after the requested number no longer exist. The server ends each stream after five minutes; clients continue with `Last-Event-ID`, as browsers do.'

export const eventStreams = operations(
  'events',
  { tag: 'Accounts', params: { zone_id: objectId('the zone') } },
  {
    ofZone: {
      route: 'GET /zonereeve/zones/{zone_id}/events',
      summary: 'Stream the changes of a zone',
      description: `${EVENT_STREAM} Refused requests and the addresses of clients are left out.`,
      permission: { on: 'zone', anyOf: ['Zone Read', 'Zone Write'] },
      ...eventStream,
    },
    all: {
      route: 'GET /zonereeve/events',
      summary: 'Stream the audit log',
      description: EVENT_STREAM,
      permission: { on: 'every-account', anyOf: AUDIT_READ },
      ...eventStream,
    },
  },
)

export const auditExport = operations(
  'audit_logs',
  { tag: 'Accounts' },
  {
    export: {
      route: 'GET /zonereeve/audit_logs/export',
      summary: 'Export the audit log as NDJSON',
      description: `Entries of all accounts, oldest first, at most ${MAX_EXPORTED_ENTRIES} in a reply; continue after the last number. Each line has the hash before it: \`zonereeve audit verify FILE\` checks them.`,
      permission: { on: 'every-account', anyOf: AUDIT_READ },
      query: Type.Object({
        after: Type.Optional(
          Type.Integer({
            minimum: 0,
            maximum: Number.MAX_SAFE_INTEGER,
            default: 0,
            description: 'Number of the last entry that is not needed.',
          }),
        ),
        limit: Type.Optional(
          Type.Integer({
            minimum: 1,
            maximum: MAX_EXPORTED_ENTRIES,
            default: MAX_EXPORTED_ENTRIES,
            description: 'Entries in the reply.',
          }),
        ),
      }),
      result: Type.String({ description: 'One JSON object in a line for each entry.' }),
      files: ['application/x-ndjson'],
      filesOnly: true,
    },
  },
)
