// The bars of the chart: events in the groups of their actions.
import type { WireSecurityEventSummary } from '../../api/security-events.ts'
import { groupOf, type EventGroup } from '../../parts/action-groups.ts'

export interface GroupedBar {
  readonly startMillis: number
  readonly counts: Readonly<Record<EventGroup, number>>
  readonly total: number
}

/** All bars of the range, also those without events. */
export function groupedBars({
  since,
  until,
  bar_seconds: seconds,
  bars,
}: WireSecurityEventSummary): GroupedBar[] {
  const actionsAt = new Map(bars.map(({ start, actions }) => [Date.parse(start), actions]))
  const millis = seconds * 1_000
  const first = Math.min(Date.parse(since), ...actionsAt.keys())
  const count = Math.max(1, Math.ceil((Date.parse(until) - first) / millis))
  return Array.from({ length: count }, (_, index) => {
    const startMillis = first + index * millis
    const counts = { blocked: 0, challenged: 0, logged: 0, other: 0 }
    let total = 0
    for (const [action, events] of Object.entries(actionsAt.get(startMillis) ?? {})) {
      counts[groupOf(action)] += events
      total += events
    }
    return { startMillis, counts, total }
  })
}
