// The events of both versions since both run.
import { useQuery } from '@tanstack/react-query'
import { migrationChanges, productEvents } from '../../api/migration.ts'
import { groupEvents, type EventGroup } from './event-groups.ts'

/** Without a history to read, the last days. */
const DAYS_SHOWN_MILLIS = 7 * 86_400_000

export function useBothEvents(zoneId: string) {
  const changes = useQuery(migrationChanges(zoneId))
  // The first change to the state made both run: deploying again keeps it.
  const since = changes.data?.at(-1)?.at ?? lastDays(changes.isError)
  const isKnown = since !== undefined
  const start = isKnown ? since : 'unknown'
  const fresh = useQuery({ ...productEvents(zoneId, 'firewallManaged', start), enabled: isKnown })
  const legacy = useQuery({ ...productEvents(zoneId, 'waf', start), enabled: isKnown })
  const isRead = fresh.data !== undefined && legacy.data !== undefined
  const groups: readonly EventGroup[] | undefined = isRead
    ? groupEvents(fresh.data.events, legacy.data.events)
    : undefined
  return {
    since,
    groups,
    fresh: fresh.data?.events,
    legacy: legacy.data?.events,
    isCut: fresh.data?.isCut === true || legacy.data?.isCut === true,
    error: fresh.error ?? legacy.error,
    refetch: () => Promise.all([fresh.refetch(), legacy.refetch()]),
  }
}

/** A whole hour, so that the query stays the same while the page is open. */
function lastDays(isUnknown: boolean): string | undefined {
  if (!isUnknown) return undefined
  const hour = Math.floor((Date.now() - DAYS_SHOWN_MILLIS) / 3_600_000) * 3_600_000
  return new Date(hour).toISOString()
}
