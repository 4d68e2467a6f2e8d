// How many queries of a zone were answered.
import { queryOptions } from '@tanstack/react-query'
import type { WireZoneAnswers, zoneAnswers } from '@zonereeve/contract'
import { call } from './call.ts'
import { zoneKeys } from './zones.ts'

export type { WireZoneAnswers } from '@zonereeve/contract'

const POLL_MILLIS = 10_000

export const answersOfZone = (zoneId: string) =>
  queryOptions({
    queryKey: [...zoneKeys.of(zoneId), 'answers'],
    queryFn: async ({ signal }): Promise<WireZoneAnswers> => {
      const route = { method: 'GET', path: '/zonereeve/zones/{zone_id}/answers' } as const
      return (await call<typeof zoneAnswers.answers>(route, { params: { zone_id: zoneId } }, { signal }))
        .result
    },
    refetchInterval: POLL_MILLIS,
  })
