// HTTP for zone files: in, out, and in the place of what is there.
import { dnsRecords, zoneFile } from '@zonereeve/contract'
import { route, type Route } from '../../http/index.ts'
import type { ZoneFiles } from './zone-file.service.ts'
import { toWireImported, toWireReplaced } from './zone-file.wire.ts'

export function zoneFileRoutes(files: ZoneFiles): Route[] {
  return [
    route(dnsRecords.import, async ({ params, body, actor }) =>
      toWireImported(await files.add(params.zone_id, body.file, body.proxied ?? false, actor)),
    ),
    route(dnsRecords.export, async ({ params }) => ({
      file: await files.write(params.zone_id),
      type: 'text/plain; charset=utf-8',
    })),
    route(zoneFile.replace, async ({ params, query, body, actor, ifMatch }) =>
      toWireReplaced(
        await files.replace(params.zone_id, body.file, actor, {
          force: query.force ?? false,
          expected: ifMatch,
        }),
      ),
    ),
  ]
}
