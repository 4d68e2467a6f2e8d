// Scans of a zone's current nameservers, and the review of the results.
import { Type, type Static } from 'typebox'
import { RecordPatch, WireRecord } from './dns-records.ts'
import { operations } from './operation.ts'
import { nullable, objectId } from './primitives.ts'

const READ = ['DNS Read', 'DNS Write'] as const
const WRITE = ['DNS Write'] as const

const shadows = Type.Object({
  include_shadow_metadata: Type.Optional(
    Type.Boolean({ default: false, description: 'Not supported: true is refused.' }),
  ),
})

/** No body is needed; an empty object is accepted. */
const nothing = { body: Type.Unknown(), bodyOptional: true } as const

const ScanReview = Type.Object({
  accepts: Type.Optional(
    nullable(
      Type.Array(
        Type.Object({
          ...RecordPatch.properties,
          id: Type.Optional(nullable(Type.String({ description: 'Of the found record.' }))),
        }),
        {
          description:
            'Found records to add, by `id` or by type, name and content; members that are sent replace the found ones.',
        },
      ),
    ),
  ),
  rejects: Type.Optional(
    nullable(Type.Array(Type.Object({ id: Type.String() }), { description: 'Found records to discard.' })),
  ),
})
export type ScanReview = Static<typeof ScanReview>

const section = { tag: 'DNS records', params: { zone_id: objectId('the zone') } }

export const recordScans = operations('record_scans', section, {
  scan: {
    route: 'POST /zones/{zone_id}/dns_records/scan',
    summary: 'Scan the current nameservers for common records and add them',
    description:
      'Waits for the scan. Records that cannot be added are reported in `messages`. Deprecated: use trigger and review.',
    permission: { on: 'zone', anyOf: WRITE },
    ...nothing,
    result: Type.Object({
      recs_added: Type.Integer(),
      total_records_parsed: Type.Integer({ description: 'Number of records found.' }),
    }),
  },
  trigger: {
    route: 'POST /zones/{zone_id}/dns_records/scan/trigger',
    summary: 'Start a scan of the current nameservers for common records',
    description: 'Returns at once and adds nothing: found records wait for review.',
    permission: { on: 'zone', anyOf: WRITE },
    ...nothing,
    result: Type.Null(),
  },
  waiting: {
    route: 'GET /zones/{zone_id}/dns_records/scan/review',
    summary: 'List found records that wait for review',
    description: 'They are kept for 7 days. `messages` report the state or the outcome of the last scan.',
    permission: { on: 'zone', anyOf: READ },
    query: shadows,
    result: WireRecord,
    list: true,
  },
  review: {
    route: 'POST /zones/{zone_id}/dns_records/scan/review',
    summary: 'Accept or reject found records',
    description: 'All or nothing, in one change set; accepted records must follow the rules for all records.',
    permission: { on: 'zone', anyOf: WRITE },
    query: shadows,
    body: ScanReview,
    maxBodyBytes: 8 * 1_048_576,
    result: Type.Object({ accepts: Type.Array(WireRecord), rejects: Type.Array(objectId('a found record')) }),
  },
})
