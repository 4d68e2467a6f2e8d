// A query to the nameserver, with the records that its answer was made from.
import { queryOptions } from '@tanstack/react-query'
import type { query as nameserver } from '@zonereeve/contract'
import { call } from './call.ts'
import { zoneKeys } from './zones.ts'

export type { WireQueryAnswer } from '@zonereeve/contract'

/** The answer of now: nothing is kept of it. */
export const answerTo = (zoneId: string, name: string, type: string) =>
  queryOptions({
    queryKey: [...zoneKeys.of(zoneId), 'answer', name, type],
    staleTime: 0,
    queryFn: async ({ signal }) => {
      const route = { method: 'GET', path: '/zonereeve/zones/{zone_id}/query' } as const
      const input = { params: { zone_id: zoneId }, query: { name, type } }
      return (await call<typeof nameserver.ask>(route, input, { signal })).result
    },
  })
