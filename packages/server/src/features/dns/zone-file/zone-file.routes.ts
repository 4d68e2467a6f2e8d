// HTTP routes for zone files: import, export and replacement.
import { dnsRecords, zoneFile } from '@zonereeve/contract'
import { route, type Route } from '../../../http/index.ts'
import type { ZoneFiles } from './zone-file.service.ts'
import { toWireImported, toWireReplaced } from './zone-file.wire.ts'

export function zoneFileRoutes(files: ZoneFiles): Route[] {
  return [
    route(dnsRecords.import, async ({ params, body, actor, signalOnce }) =>
      toWireImported(
        await files.add(
          params.zone_id,
          body.file,
          { proxied: body.proxied ?? false, clampTtl: body.clamp_ttl ?? false },
          actor,
          signalOnce(),
        ),
      ),
    ),
    route(dnsRecords.export, async ({ params, signalOnce }) => ({
      file: await files.write(params.zone_id, signalOnce()),
      type: 'text/plain; charset=utf-8',
    })),
    route(zoneFile.replace, async ({ params, query, body, actor, ifMatch, signalOnce }) =>
      toWireReplaced(
        await files.replace(params.zone_id, body.file, actor, {
          force: query.force ?? false,
          clampTtl: query.clamp_ttl ?? false,
          expected: ifMatch,
          signal: signalOnce(),
        }),
      ),
    ),
  ]
}
