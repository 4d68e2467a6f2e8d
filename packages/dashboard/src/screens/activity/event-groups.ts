// Actions in the groups that the chart shows.
import type { WireSecurityEventSummary } from '../../api/security-events.ts'

export const GROUPS = ['blocked', 'challenged', 'logged', 'other'] as const
export type EventGroup = (typeof GROUPS)[number]

const GROUP_OF: Readonly<Record<string, EventGroup>> = {
  block: 'blocked',
  force_connection_close: 'blocked',
  challenge: 'challenged',
  js_challenge: 'challenged',
  managed_challenge: 'challenged',
  log: 'logged',
}

export const groupOf = (action: string): EventGroup =>
  Object.hasOwn(GROUP_OF, action) ? (GROUP_OF[action] ?? 'other') : 'other' // redirects, skips

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
