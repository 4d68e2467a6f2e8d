// A zone as a whole, from a zone file. Zonereeve's own, outside the vendor's paths.
import { Type, type Static } from 'typebox'
import { operation } from './operation.ts'
import { objectId, uploadedFile } from './primitives.ts'

const Replaced = Type.Object({
  added: Type.Integer({ description: 'Records that are new.' }),
  changed: Type.Integer({
    description: 'Records that have another value, TTL or option, under their old ids.',
  }),
  removed: Type.Integer({ description: 'Records that the file does not have.' }),
  unchanged: Type.Integer({ description: 'Records that are as they were.' }),
})
export type ZoneFileReplaced = Static<typeof Replaced>

export const zoneFile = {
  replace: operation({
    id: 'zone_file.replace',
    method: 'PUT',
    path: '/zonereeve/zones/{zone_id}/zone_file',
    summary: 'Make the records of a zone those of a zone file',
    description:
      'All or nothing, in one change set; with `dry_run=true`, the plan. Records that are there already keep their ids and times, and their comments, tags and options where the file does not speak of them. SOA, and NS records of the zone’s own name servers, are passed over. What would change or remove more than 30 % of ten or more records needs `force=true`, as does a file without records.',
    tag: 'Zone file',
    permission: { on: 'zone', anyOf: ['DNS Write'] },
    params: Type.Object({ zone_id: objectId('the zone') }),
    query: Type.Object({
      force: Type.Optional(
        Type.Boolean({ default: false, description: 'However much of the zone it touches.' }),
      ),
    }),
    conditional: true,
    upload: { alone: ['text/dns', 'text/plain'] },
    body: Type.Object({ file: uploadedFile('A zone file (RFC 1035 §5) in UTF-8.', 'text/dns') }),
    result: Replaced,
  }),
}
