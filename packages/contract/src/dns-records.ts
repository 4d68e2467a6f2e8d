// DNS records of a zone (specification §2.2, §4.1).
import { Type, type Static } from 'typebox'
import { operations } from './operation.ts'
import {
  Deleted,
  direction,
  ignoredMembers,
  namedObject,
  nullable,
  objectId,
  oneOf,
  page,
  perPage,
  timestamp,
  uploadedFile,
} from './primitives.ts'

export const RECORD_TYPES = [
  'A',
  'AAAA',
  'CAA',
  'CERT',
  'CNAME',
  'DNSKEY',
  'DS',
  'HTTPS',
  'LOC',
  'MX',
  'NAPTR',
  'NS',
  'OPENPGPKEY',
  'PTR',
  'SMIMEA',
  'SRV',
  'SSHFP',
  'SVCB',
  'TLSA',
  'TXT',
  'URI',
] as const

const looseObject = (description: string) => Type.Record(Type.String(), Type.Unknown(), { description })

/** Records of all other types are stored as octets under their type number (RFC 3597). */
const recordType = Type.Unsafe<(typeof RECORD_TYPES)[number] | `TYPE${number}`>({
  type: 'string',
  pattern: `^(${RECORD_TYPES.join('|')}|TYPE[1-9][0-9]{0,4})$`,
  description:
    `One of ${RECORD_TYPES.join(', ')}, or TYPE and a number for any other type, whose content is its octets ` +
    'in the format of RFC 3597, `\\# 4 0a000001`.',
})

export const WireRecord = namedObject('DnsRecord', {
  id: objectId('the record'),
  zone_id: objectId('the zone'),
  zone_name: Type.String(),
  name: Type.String({ description: 'Fully qualified, lower case, without a trailing dot.' }),
  type: recordType,
  content: Type.String({ description: 'Zone-file text of the record’s value.' }),
  priority: Type.Optional(Type.Integer({ description: 'MX, SRV and URI.' })),
  proxiable: Type.Boolean(),
  proxied: Type.Boolean(),
  ttl: Type.Integer({ description: 'Seconds; 1 = automatic (served as 300).' }),
  locked: Type.Boolean(),
  data: Type.Optional(looseObject('The value as separate fields, for types that have them.')),
  settings: looseObject('Per-record settings.'),
  meta: looseObject('Where the record comes from.'),
  comment: nullable(Type.String()),
  tags: Type.Array(Type.String()),
  created_on: timestamp('When the record was created.'),
  modified_on: timestamp('When the record was last changed.'),
  comment_modified_on: Type.Optional(timestamp('When the comment was last changed.')),
  tags_modified_on: Type.Optional(timestamp('When the tags were last changed.')),
})
export type WireRecord = Static<typeof WireRecord>

// Real clients send more than they mean: nulls, empty objects, members of replies (SDKs, Terraform), and upper case
// letters (cfcli). Members that no known client sends are refused by name; the rules of each type check the rest.
const draftMembers = {
  ...ignoredMembers('id', 'zone_id', 'zone_name', 'proxiable', 'locked', 'meta', 'created_on', 'modified_on'),
  ...ignoredMembers('comment_modified_on', 'tags_modified_on', 'extra', 't', 'l', 'p'),
  name: Type.Optional(
    nullable(
      Type.String({ description: '`@`, a name relative to the zone, or a full name.', examples: ['www'] }),
    ),
  ),
  content: Type.Optional(nullable(Type.String({ examples: ['192.0.2.1'] }))),
  data: Type.Optional(
    nullable(looseObject('The value as separate fields; takes precedence over `content`.')),
  ),
  priority: Type.Optional(
    nullable(Type.Union([Type.Integer(), Type.String({ pattern: '^\\d+$', must: 'be a whole number' })])),
  ),
  ttl: Type.Optional(
    nullable(
      Type.Integer({
        reason: 'record.ttl_kind',
        description: 'Seconds, 60 to 86400 (from 30 for Enterprise), or 1 = automatic.',
        default: 1,
      }),
    ),
  ),
  proxied: Type.Optional(nullable(Type.Boolean({ default: false }))),
  settings: Type.Optional(nullable(looseObject('Per-record settings.'))),
  private_routing: Type.Optional(nullable(Type.Boolean({ default: false }))),
  comment: Type.Optional(nullable(Type.String({ description: 'At most 500 characters, one line.' }))),
  tags: Type.Optional(nullable(Type.Array(Type.String({ description: '`name` or `name:value`.' })))),
}

export const RecordDraft = Type.Object({
  type: Type.String({ reason: 'record.type', examples: RECORD_TYPES }),
  ...draftMembers,
})
export type RecordDraft = Static<typeof RecordDraft>

export const RecordPatch = Type.Object({
  type: Type.Optional(nullable(Type.String({ reason: 'record.type' }))),
  ...draftMembers,
})
export type RecordPatch = Static<typeof RecordPatch>

const withId = (schema: typeof RecordPatch) =>
  Type.Object({ ...schema.properties, id: Type.Optional(nullable(Type.String())) })

export const RecordBatch = Type.Object({
  deletes: Type.Optional(nullable(Type.Array(withId(RecordPatch), { description: 'Taken first.' }))),
  patches: Type.Optional(nullable(Type.Array(withId(RecordPatch), { description: 'Taken second.' }))),
  puts: Type.Optional(nullable(Type.Array(withId(RecordPatch), { description: 'Taken third.' }))),
  posts: Type.Optional(nullable(Type.Array(RecordDraft, { description: 'Taken last.' }))),
})
export type RecordBatch = Static<typeof RecordBatch>

const WireBatch = Type.Object({
  deletes: Type.Array(WireRecord),
  patches: Type.Array(WireRecord),
  puts: Type.Array(WireRecord),
  posts: Type.Array(WireRecord),
})

const Usage = Type.Object({
  record_quota: nullable(Type.Integer({ description: 'null: no quota.' })),
  record_usage: Type.Integer(),
})

/** The live API's limit for a batch: thousands of operations. */
const BATCH_BYTES = 8 * 1_048_576

const text = (description: string) => Type.Optional(Type.String({ description }))
const flag = (description: string) => Type.Optional(Type.String({ description }))

/** The four text operators, plus the bare name as another spelling of `exact`. */
const textFilter = <const N extends string>(name: N, what: string) =>
  ({
    [name]: text(`${what}: equals this.`),
    [`${name}.exact`]: text(`${what}: equals this.`),
    [`${name}.contains`]: text(`${what}: contains this.`),
    [`${name}.startswith`]: text(`${what}: starts with this.`),
    [`${name}.endswith`]: text(`${what}: ends with this.`),
  }) as Record<N | `${N}.${'exact' | 'contains' | 'startswith' | 'endswith'}`, ReturnType<typeof text>>

const tags = (description: string) =>
  Type.Optional(Type.Union([Type.Array(Type.String()), Type.String()], { description }))

export const RecordListQuery = Type.Object({
  ...textFilter('name', 'Records of this name'),
  ...textFilter('content', 'Records of this content'),
  ...textFilter('comment', 'Records of this comment'),
  type: text('Records of this type, or of several types separated by commas.'),
  proxied: Type.Optional(Type.Boolean()),
  'comment.present': flag('Records with a comment (any value, even an empty one).'),
  'comment.absent': flag('Records without a comment.'),
  tag: tags('Records with this tag: `name` or `name:value`.'),
  'tag.present': tags('Records with a tag of this name.'),
  'tag.absent': tags('Records without a tag of this name.'),
  'tag.exact': tags('Records with exactly this `name:value`.'),
  'tag.contains': tags('`name:value`: the tag’s value contains this.'),
  'tag.startswith': tags('`name:value`: the tag’s value starts with this.'),
  'tag.endswith': tags('`name:value`: the tag’s value ends with this.'),
  tag_match: Type.Optional(
    oneOf(['any', 'all'], { default: 'all', description: 'How tag filters combine.' }),
  ),
  'tag-match': Type.Optional(oneOf(['any', 'all'], { description: 'Alias of `tag_match`.' })),
  match: Type.Optional(oneOf(['any', 'all'], { default: 'all', description: 'How filters combine.' })),
  include_shadow_metadata: Type.Optional(
    Type.Boolean({ default: false, description: 'Not supported: true is refused.' }),
  ),
  shadowed_by_name: text('Not supported: refused.'),
  shadowing_name: text('Not supported: refused.'),
  search: text('Words to search for in name, content, comment and tags; independent of `match`.'),
  order: Type.Optional(
    oneOf(['type', 'name', 'natural_name', 'content', 'ttl', 'proxied'], {
      default: 'type',
      description: '`natural_name`, an extension: by name, with numbers by their value: host2 before host10.',
    }),
  ),
  direction,
  page,
  per_page: perPage(1, 5_000_000, 100),
})
export type RecordListQuery = Static<typeof RecordListQuery>

/** Maximum size of an imported file in bytes, as in the live API. */
export const MAX_IMPORT_BYTES = 262_144

const Imported = Type.Object({
  recs_added: Type.Integer({ description: 'Records that were added.' }),
  total_records_parsed: Type.Integer({
    description: 'Records in the file, including SOA and those that were not added.',
  }),
  recs_added_by_type: Type.Record(Type.String(), Type.Integer(), { examples: [{ A: 2, TXT: 1 }] }),
})

const READ = ['DNS Read', 'DNS Write'] as const
const WRITE = ['DNS Write'] as const

const section = {
  tag: 'DNS records',
  params: {
    zone_id: objectId('the zone'),
    dns_record_id: objectId('the record'),
    account_id: objectId('the account'),
  },
}

export const dnsRecords = operations('dns_records', section, {
  list: {
    route: 'GET /zones/{zone_id}/dns_records',
    summary: 'List records',
    permission: { on: 'zone', anyOf: READ },
    query: RecordListQuery,
    result: WireRecord,
    list: true,
  },
  create: {
    route: 'POST /zones/{zone_id}/dns_records',
    summary: 'Create a record',
    permission: { on: 'zone', anyOf: WRITE },
    conditional: true,
    body: RecordDraft,
    result: WireRecord,
  },
  batch: {
    route: 'POST /zones/{zone_id}/dns_records/batch',
    summary: 'Change many records at once',
    description:
      'Runs deletes, patches, puts, then posts, each list in order; all or nothing, with one serial change. The first operation that fails determines the reply.',
    permission: { on: 'zone', anyOf: WRITE },
    body: RecordBatch,
    maxBodyBytes: BATCH_BYTES,
    conditional: true,
    result: WireBatch,
  },
  import: {
    route: 'POST /zones/{zone_id}/dns_records/import',
    summary: 'Add the records of a zone file',
    description:
      'Adds every valid record in one change set. Each record that is not added is reported in `messages`, with its line number in `source.pointer`, for example `/file/3`. SOA records, and NS records of the zone’s own name servers, are skipped. Comments, tags and proxied may follow a record as `; a comment cf_tags=tag,name:value,cf-proxied:true`.',
    permission: { on: 'zone', anyOf: WRITE },
    upload: { alone: [], maxFileBytes: MAX_IMPORT_BYTES },
    body: Type.Object({
      file: uploadedFile('A zone file (RFC 1035 §5) in UTF-8.', 'text/dns'),
      proxied: Type.Optional(
        Type.Boolean({
          default: false,
          description: 'Whether records that can be proxied are proxied, if the file does not say.',
        }),
      ),
      clamp_ttl: Type.Optional(
        Type.Boolean({
          default: false,
          description:
            'Whether TTLs above 86400 are lowered to 86400, each with a message, instead of refused. A Zonereeve extension.',
        }),
      ),
    }),
    result: Imported,
  },
  export: {
    route: 'GET /zones/{zone_id}/dns_records/export',
    summary: 'Get all records as a zone file',
    description:
      'Sections by type, complete names, a TTL of 1 for automatic; comments, tags and proxied follow the records.',
    permission: { on: 'zone', anyOf: READ },
    files: ['text/plain'],
    filesOnly: true,
    result: Type.String(),
  },
  usage: {
    route: 'GET /zones/{zone_id}/dns_records/usage',
    summary: 'Count records against the quota',
    permission: {
      on: 'zone',
      anyOf: ['DNS Read', 'DNS Write', 'Zone DNS Settings Read', 'Zone DNS Settings Write'],
    },
    result: Usage,
  },
  get: {
    route: 'GET /zones/{zone_id}/dns_records/{dns_record_id}',
    summary: 'Get a record',
    permission: { on: 'zone', anyOf: READ },
    result: WireRecord,
  },
  update: {
    route: 'PUT /zones/{zone_id}/dns_records/{dns_record_id}',
    summary: 'Overwrite a record',
    description: 'Members that are not sent are reset to their defaults.',
    permission: { on: 'zone', anyOf: WRITE },
    conditional: true,
    body: RecordPatch,
    result: WireRecord,
  },
  patch: {
    route: 'PATCH /zones/{zone_id}/dns_records/{dns_record_id}',
    summary: 'Edit a record',
    description: 'Members that are not sent, or sent as null, are not changed.',
    permission: { on: 'zone', anyOf: WRITE },
    conditional: true,
    body: RecordPatch,
    result: WireRecord,
  },
  delete: {
    route: 'DELETE /zones/{zone_id}/dns_records/{dns_record_id}',
    summary: 'Delete a record',
    permission: { on: 'zone', anyOf: WRITE },
    conditional: true,
    result: Deleted,
  },
})

export const accountRecords = operations('account_records', section, {
  usage: {
    route: 'GET /accounts/{account_id}/dns_records/usage',
    summary: 'Count the records of all zones of an account',
    permission: { on: 'account', anyOf: ['Account DNS Settings Read', 'Account DNS Settings Write'] },
    result: Usage,
  },
})
