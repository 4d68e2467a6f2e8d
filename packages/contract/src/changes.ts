// The history of a zone: all change sets, with undo and restore. A Zonereeve extension, outside the vendor's paths.
import { Type, type Static } from 'typebox'
import { operations } from './operation.ts'
import { closedObject, namedObject, nullable, objectId, page, perPage, timestamp } from './primitives.ts'

const number = (of: string) =>
  Type.String({
    pattern: '^[1-9][0-9]{0,14}$',
    must: 'be the number of a change set, from 1',
    description: `Number of the change set ${of}.`,
  })

const header = {
  number: Type.Integer({ description: 'Starts at 1, without gaps.' }),
  at: timestamp('When it was committed.'),
  actor: Type.Object({ kind: Type.String(), id: Type.String(), name: Type.String() }),
  request_id: Type.String(),
  serial: nullable(Type.Integer({ description: 'The zone’s serial after the change.' })),
  operations: Type.Integer({ description: 'Number of operations.' }),
}

const WireChangeSummary = namedObject('ChangeSummary', {
  ...header,
  kinds: Type.Array(
    Type.Object({ kind: Type.String({ examples: ['dns_record.create'] }), operations: Type.Integer() }),
    { description: 'Number of operations of each kind among the first 1,000.' },
  ),
  first_record: nullable(
    Type.Object(
      { before: Type.Unknown(), after: Type.Unknown() },
      {
        description:
          'The first record that changed, as in `ops`; null if none is among the first 1,000 operations.',
      },
    ),
  ),
})
export type WireChangeSummary = Static<typeof WireChangeSummary>

const WireOp = Type.Object({
  kind: Type.String({ examples: ['dns_record.create'] }),
  object_id: Type.String(),
  before: Type.Unknown({
    description:
      'The object before the change; null if it was created, or if the token may not read such objects.',
  }),
  after: Type.Unknown({
    description:
      'The object after the change; null if it was deleted, or if the token may not read such objects.',
  }),
})

const WireChange = namedObject('Change', { ...header, ops: Type.Array(WireOp) })
export type WireChange = Static<typeof WireChange>

const point = (description: string) =>
  Type.Object(
    {
      number: Type.Integer(),
      at: timestamp('When it was committed.'),
      serial: nullable(Type.Integer({ description: 'The zone’s serial after it.' })),
    },
    { description },
  )

const WireStateDiff = namedObject('StateDiff', {
  from: point('The change set after which the state was that is `before`.'),
  to: point('The change set after which the state was that is `after`.'),
  others: Type.Array(
    Type.Object({ kind: Type.String({ examples: ['dnssec.update'] }), operations: Type.Integer() }),
    { description: 'Number of operations in between on anything other than records, by kind.' },
  ),
  records: Type.Array(
    Type.Object({
      id: objectId('the record'),
      before: Type.Unknown({
        description:
          'The record after `from`; null if it did not exist. With `damaged: true`: its stored state could not be read, and the history does not have it; the other members are what could be read.',
      }),
      after: Type.Unknown({ description: 'The same after `to`.' }),
    }),
    { description: 'The records that differ.' },
  ),
})
export type WireStateDiff = Static<typeof WireStateDiff>

const Reverted = Type.Object({
  restored: Type.Integer({ description: 'Records that had been deleted and are created again.' }),
  changed: Type.Integer({ description: 'Records that get their earlier values back.' }),
  removed: Type.Integer({ description: 'Records that did not exist then and are deleted.' }),
})

/** Threat feeds belong to the server: every caller that may see them may see their changes. */
const FEEDS_READ = {
  on: 'every-account',
  anyOf: ['Account Settings Read', 'Account Settings Write'],
} as const
const READ = ['DNS Read', 'DNS Write'] as const

const ListQuery = Type.Object({
  page,
  per_page: perPage(1, 1000, 50),
  actor: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 255,
      description: 'Change sets of actors with this in their name.',
    }),
  ),
  name: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 255,
      description: 'Change sets of an object, such as a record, with this in its name.',
    }),
  ),
  kind: Type.Optional(
    Type.String({
      pattern: '^[a-z_]{1,64}(\\.[a-z_]{1,64})?$',
      must: 'be a kind such as dns_record.delete, or an object such as dns_record',
      description: 'Change sets with an operation of this kind, or on this kind of object.',
      examples: ['dns_record.delete', 'dns_record'],
    }),
  ),
  since: Type.Optional(timestamp('Change sets at or after this time.')),
  before: Type.Optional(timestamp('Change sets before this time.')),
})
export type ChangeListQuery = Static<typeof ListQuery>

const section = {
  tag: 'History',
  params: { zone_id: objectId('the zone'), number: number('within the zone') },
}

export const changes = operations('changes', section, {
  list: {
    route: 'GET /zonereeve/zones/{zone_id}/changes',
    summary: 'List change sets, newest first',
    permission: { on: 'zone', anyOf: READ },
    query: ListQuery,
    result: WireChangeSummary,
    list: true,
  },
  get: {
    route: 'GET /zonereeve/zones/{zone_id}/changes/{number}',
    summary: 'Get a change set with its operations',
    permission: { on: 'zone', anyOf: READ },
    result: WireChange,
  },
  compare: {
    route: 'GET /zonereeve/zones/{zone_id}/diff',
    summary: 'Compare the records of a zone after two change sets',
    description:
      'Both are numbers of change sets, not serials; `from` may also be the newer one. A record that changed and changed back does not differ. At most 200,000 operations in between are compared. If the server keeps history for a limited number of days, earlier states are no longer available: the 410 reply names the earliest number.',
    permission: { on: 'zone', anyOf: READ },
    query: Type.Object({ from: number('within the zone'), to: number('within the zone') }),
    onceInQuery: 'all',
    result: WireStateDiff,
  },
  revert: {
    route: 'POST /zonereeve/zones/{zone_id}/changes/{number}/revert',
    summary: 'Undo one change set',
    description:
      'Refused if a record has changed since, or if the change set contains anything other than records. With `dry_run=true` the reply shows what would change.',
    permission: { on: 'zone', anyOf: ['DNS Write'] },
    body: closedObject({}),
    bodyOptional: true,
    conditional: true,
    result: Reverted,
  },
  restore: {
    route: 'POST /zonereeve/zones/{zone_id}/restore',
    summary: 'Restore all records to their state after a change set',
    description:
      'If the server keeps history for a limited number of days, earlier points are no longer available: the 410 reply names the earliest number.',
    permission: { on: 'zone', anyOf: ['DNS Write'] },
    body: closedObject({
      number: Type.Optional(Type.Integer({ minimum: 1, description: 'The state after this change set.' })),
      at: Type.Optional(timestamp('The state at this time.')),
    }),
    conditional: true,
    result: Reverted,
  },
  listOfThreatFeeds: {
    id: 'threat_feeds.changes.list',
    route: 'GET /zonereeve/threat_feeds/changes',
    summary: 'List change sets of the threat feeds, newest first',
    permission: FEEDS_READ,
    query: Type.Object({ page, per_page: perPage(1, 1000, 50) }),
    result: WireChangeSummary,
    list: true,
  },
  getOfThreatFeeds: {
    id: 'threat_feeds.changes.get',
    route: 'GET /zonereeve/threat_feeds/changes/{number}',
    summary: 'Get a change set of the threat feeds with its operations',
    description: 'Does not contain the entries: an import is described by its entry count and its SHA-256.',
    permission: FEEDS_READ,
    params: Type.Object({ number: number('among those of all feeds') }),
    result: WireChange,
  },
})
