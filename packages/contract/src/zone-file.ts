// Replaces a zone's records by those of a zone file. A Zonereeve extension, outside the vendor's paths.
import { Type, type Static } from 'typebox'
import { operations } from './operation.ts'
import { objectId, uploadedFile } from './primitives.ts'

const Replaced = Type.Object({
  added: Type.Integer({ description: 'Records that are new.' }),
  changed: Type.Integer({ description: 'Records with another value, TTL or option, under their old IDs.' }),
  removed: Type.Integer({ description: 'Records that are not in the file.' }),
  unchanged: Type.Integer({ description: 'Unchanged records.' }),
})
export type ZoneFileReplaced = Static<typeof Replaced>

const section = { tag: 'Zone file', params: { zone_id: objectId('the zone') } }

export const zoneFile = operations('zone_file', section, {
  replace: {
    route: 'PUT /zonereeve/zones/{zone_id}/zone_file',
    summary: 'Replace the records of a zone by those of a zone file',
    description:
      'All or nothing, in one change set; with `dry_run=true` only the plan. Existing records keep their IDs and times, and their comments, tags and options if the file does not mention them. SOA records, and NS records of the zone’s own name servers, are skipped. A file that would change or remove more than 30 % of ten or more records needs `force=true`, and so does a file without records.',
    permission: { on: 'zone', anyOf: ['DNS Write'] },
    query: Type.Object({
      force: Type.Optional(
        Type.Boolean({ default: false, description: 'Apply the file however many records it changes.' }),
      ),
      clamp_ttl: Type.Optional(
        Type.Boolean({
          default: false,
          description:
            'Whether TTLs above 86400 are lowered to 86400, each with a message, instead of refused.',
        }),
      ),
    }),
    conditional: true,
    upload: { alone: ['text/dns', 'text/plain'] },
    body: Type.Object({ file: uploadedFile('A zone file (RFC 1035 §5) in UTF-8.', 'text/dns') }),
    result: Replaced,
  },
})
