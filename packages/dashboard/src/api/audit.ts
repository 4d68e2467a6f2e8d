// The audit log: a page of an account's entries, and the whole chain for its check.
import { infiniteQueryOptions } from '@tanstack/react-query'
import { type auditLogs, type StaticOf } from '@zonereeve/contract'
import { ApiError, call } from './call.ts'

export type { WireAuditLog } from '@zonereeve/contract'

const ENTRIES_PER_PAGE = 100
/** Entries in one reply of the export. */
const ENTRIES_PER_CHUNK = 5_000

export type AuditFilter = Omit<StaticOf<typeof auditLogs.list.query>, 'page' | 'per_page'>

/** Entries that match, newest first. */
export const auditList = (accountId: string, filter: AuditFilter) =>
  infiniteQueryOptions({
    queryKey: ['audit', accountId, filter],
    initialPageParam: 1,
    queryFn: async ({ pageParam, signal }) => {
      const route = { method: 'GET', path: '/accounts/{account_id}/audit_logs' } as const
      const query = { ...filter, page: pageParam, per_page: ENTRIES_PER_PAGE }
      return call<typeof auditLogs.list>(route, { params: { account_id: accountId }, query }, { signal })
    },
    getNextPageParam: ({ info }) =>
      info !== undefined && info.page < info.total_pages ? info.page + 1 : undefined,
  })

const EXPORT = '/client/v4/zonereeve/audit_logs/export'

/** Where a browser gets the first entries as a file. */
export const auditExportPath = EXPORT

/** Lines of the export after an entry; none at the end. @throws ApiError: refused. */
export async function auditLinesAfter(number: number, signal: AbortSignal): Promise<readonly string[]> {
  const reply = await fetch(`${EXPORT}?after=${number}&limit=${ENTRIES_PER_CHUNK}`, {
    credentials: 'same-origin',
    signal,
  })
  const text = await reply.text()
  if (!reply.ok) throw new ApiError(reply.status, [{ code: 0, message: `HTTP ${reply.status}` }], undefined)
  return text.split('\n').filter((line) => line !== '')
}
