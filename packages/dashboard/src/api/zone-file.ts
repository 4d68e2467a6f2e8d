// All records of a zone as one text: reading it, planning and making the change to another one.
import { queryOptions } from '@tanstack/react-query'
import type { dnsRecords, zoneFile, zones } from '@zonereeve/contract'
import { call, callForText } from './call.ts'
import { zoneKeys } from './zones.ts'

export interface ZoneText {
  readonly text: string
  /** Of the zone before the text was read: a change since then is noticed. */
  readonly etag: string | undefined
}

const EXPORT = '/zones/{zone_id}/dns_records/export'

/** Where a browser gets the file. */
export const exportPath = (zoneId: string): string => `/client/v4${EXPORT.replace('{zone_id}', zoneId)}`

/** Read once for each time that the editor opens. */
export const zoneText = (zoneId: string) =>
  queryOptions({
    queryKey: [...zoneKeys.of(zoneId), 'text'],
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
    queryFn: async ({ signal }): Promise<ZoneText> => {
      const params = { zone_id: zoneId }
      const zone = { method: 'GET', path: '/zones/{zone_id}' } as const
      const { etag } = await call<typeof zones.get>(zone, { params }, { signal })
      const route = { method: 'GET', path: EXPORT } as const
      return { text: await callForText<typeof dnsRecords.export>(route, { params }, { signal }), etag }
    },
  })

interface Replacement {
  readonly text: string
  readonly etag: string | undefined
  readonly isRehearsal: boolean
  /** TTLs above the maximum are lowered, not refused. */
  readonly lowersTtls?: boolean
}

/** All records become those of the text, or what that would do. The caller has seen how many change. */
export function replaceZoneText(
  zoneId: string,
  { text, etag, isRehearsal, lowersTtls = false }: Replacement,
) {
  const route = { method: 'PUT', path: '/zonereeve/zones/{zone_id}/zone_file' } as const
  const input = {
    params: { zone_id: zoneId },
    query: { force: true, ...(lowersTtls ? { clamp_ttl: true } : {}) },
  }
  return call<typeof zoneFile.replace>(route, input, {
    isRehearsal,
    ifMatch: etag,
    upload: { type: 'text/dns', text },
  })
}
