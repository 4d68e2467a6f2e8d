// Records of a zone, as queries and writes.
import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import type {
  changes,
  dnsRecords,
  RecordBatch,
  RecordDraft,
  RecordListQuery,
  RecordPatch,
  WireRecord,
} from '@zonereeve/contract'
import { call, type Answer } from './call.ts'
import { zoneKeys } from './zones.ts'

export type { RecordDraft, WireRecord } from '@zonereeve/contract'

export const RECORDS_PER_PAGE = 100

export type RecordFilter = Omit<RecordListQuery, 'page' | 'per_page'>

const recordKeys = {
  list: (zoneId: string, filter: RecordFilter) => [...zoneKeys.of(zoneId), 'records', filter] as const,
  one: (zoneId: string, id: string) => [...zoneKeys.of(zoneId), 'record', id] as const,
}

export const recordsPage = (zoneId: string, filter: RecordFilter, page: number) =>
  queryOptions({
    queryKey: [...recordKeys.list(zoneId, filter), page],
    queryFn: async ({ signal }) => {
      const route = { method: 'GET', path: '/zones/{zone_id}/dns_records' } as const
      const query = { ...filter, page, per_page: RECORDS_PER_PAGE }
      return call<typeof dnsRecords.list>(route, { params: { zone_id: zoneId }, query }, { signal })
    },
  })

/** The first page keeps what was shown before until a new filter has its answer. */
export const firstRecordsPage = (zoneId: string, filter: RecordFilter) =>
  queryOptions({ ...recordsPage(zoneId, filter, 1), placeholderData: keepPreviousData })

/** One record with its version, for an edit that does not overwrite somebody else's. */
export const recordWithVersion = (zoneId: string, id: string) =>
  queryOptions({
    queryKey: recordKeys.one(zoneId, id),
    staleTime: 0,
    gcTime: 0,
    queryFn: async ({ signal }) => {
      const route = { method: 'GET', path: '/zones/{zone_id}/dns_records/{dns_record_id}' } as const
      return call<typeof dnsRecords.get>(
        route,
        { params: { zone_id: zoneId, dns_record_id: id } },
        { signal },
      )
    },
  })

export function createRecord(zoneId: string, body: RecordDraft): Promise<Answer<WireRecord>> {
  const route = { method: 'POST', path: '/zones/{zone_id}/dns_records' } as const
  return call<typeof dnsRecords.create>(route, { params: { zone_id: zoneId }, body })
}

/** Overwrites the record, if it is still the version that was read. */
export function replaceRecord(
  zoneId: string,
  id: string,
  body: RecordPatch,
  ifMatch: string | undefined,
): Promise<Answer<WireRecord>> {
  const route = { method: 'PUT', path: '/zones/{zone_id}/dns_records/{dns_record_id}' } as const
  const params = { zone_id: zoneId, dns_record_id: id }
  return call<typeof dnsRecords.update>(route, { params, body }, { ifMatch })
}

export function patchRecord(zoneId: string, id: string, body: RecordPatch): Promise<Answer<WireRecord>> {
  const route = { method: 'PATCH', path: '/zones/{zone_id}/dns_records/{dns_record_id}' } as const
  return call<typeof dnsRecords.patch>(route, { params: { zone_id: zoneId, dns_record_id: id }, body })
}

/** Many writes as one change set, all or nothing. */
export function batchRecords(zoneId: string, body: RecordBatch) {
  const route = { method: 'POST', path: '/zones/{zone_id}/dns_records/batch' } as const
  return call<typeof dnsRecords.batch>(route, { params: { zone_id: zoneId }, body })
}

const CHANGES_SEARCHED = 50

/** Reverts the change set that a request made. @throws Error if it is not among the newest ones. */
export async function undoRequest(zoneId: string, requestId: string): Promise<void> {
  const params = { zone_id: zoneId }
  const list = { method: 'GET', path: '/zonereeve/zones/{zone_id}/changes' } as const
  const { result } = await call<typeof changes.list>(list, { params, query: { per_page: CHANGES_SEARCHED } })
  const change = result.find(({ request_id }) => request_id === requestId)
  if (change === undefined) throw new Error('The change is not among the newest ones. Look in History.')
  const revert = { method: 'POST', path: '/zonereeve/zones/{zone_id}/changes/{number}/revert' } as const
  await call<typeof changes.revert>(revert, {
    params: { zone_id: zoneId, number: String(change.number) },
    body: {},
  })
}
