// Events of both versions, grouped by request and by time.
import type { WireSecurityEvent } from '../../api/migration.ts'
import type { RuleDraft } from '../../api/rulesets.ts'
import { migrationStrings as text } from '../../strings/migration.ts'
import { hostFilter, pathFilter, quoteString } from '../rules/request-filter.ts'

/** Actions that end a request; others only report it. */
const ENDING: ReadonlySet<string> = new Set(['block', 'challenge', 'js_challenge', 'managed_challenge'])

export const endsRequest = ({ action }: Pick<WireSecurityEvent, 'action'>): boolean => ENDING.has(action)

export interface EventGroup {
  readonly key: string
  readonly method: string
  readonly host: string
  readonly path: string
  /** Requests ended by the new rules. */
  readonly fresh: number
  /** Requests ended by the legacy rules, after the new ones let them pass. */
  readonly legacy: number
  /** Time of the newest. */
  readonly last: string
  /** The newest event, which names the rule. */
  readonly newest: WireSecurityEvent
}

/** Each method and path once: those that only the legacy rules ended first, then the most frequent. */
export function groupEvents(
  fresh: readonly WireSecurityEvent[],
  legacy: readonly WireSecurityEvent[],
): EventGroup[] {
  const groups = new Map<string, EventGroup>()
  const add = (event: WireSecurityEvent, version: 'fresh' | 'legacy'): void => {
    if (!endsRequest(event)) return
    const { method, host, path, occurred_at: at } = event
    const key = `${method} ${host}${path}`
    const known = groups.get(key) ?? { key, method, host, path, fresh: 0, legacy: 0, last: at, newest: event }
    const isNewer = at >= known.last
    groups.set(key, {
      ...known,
      [version]: known[version] + 1,
      last: isNewer ? at : known.last,
      // The rule to replace is the legacy one.
      newest: version === 'legacy' && isRuleNewer(event, known.newest) ? event : known.newest,
    })
  }
  for (const event of fresh) add(event, 'fresh')
  for (const event of legacy) add(event, 'legacy')
  const isOpen = (group: EventGroup): number => (group.legacy > 0 && group.fresh === 0 ? 0 : 1)
  return [...groups.values()].toSorted(
    (a, b) => isOpen(a) - isOpen(b) || b.legacy + b.fresh - (a.legacy + a.fresh) || (a.key < b.key ? -1 : 1),
  )
}

const isRuleNewer = (event: WireSecurityEvent, known: WireSecurityEvent): boolean =>
  known.source !== 'waf' || event.occurred_at > known.occurred_at

export const requestText = ({ method, path }: Pick<EventGroup, 'method' | 'path'>): string =>
  `${method} ${path}`

/** The expression of a rule that matches such requests. */
export const filterOf = ({ method, host, path }: Pick<EventGroup, 'method' | 'host' | 'path'>): string =>
  `${hostFilter(host)} and http.request.method eq ${quoteString(method)} and ${pathFilter(path)}`

/** A rule that ends such requests when the legacy rules are off, with the same action. */
export function ruleInsteadOf(
  event: Pick<WireSecurityEvent, 'action' | 'method' | 'host' | 'path'>,
): RuleDraft {
  // Those that end requests are what a custom rule can have without parameters.
  const action = endsRequest(event) ? event.action : 'block'
  return { description: text.ruleName(action, requestText(event)), action, expression: filterOf(event) }
}

export interface TimeBar {
  readonly start: number
  readonly fresh: number
  readonly legacy: number
}

const HOUR_MILLIS = 3_600_000
const MAX_BARS = 97

/** Whole hours for each bar, so that there are at most 97. */
export const hoursOfBar = (sinceMillis: number, nowMillis: number): number =>
  Math.max(1, Math.ceil((nowMillis - sinceMillis) / HOUR_MILLIS / MAX_BARS))

/** Ended requests over time, without gaps, from `since` to now. */
export function barsOf(
  fresh: readonly WireSecurityEvent[],
  legacy: readonly WireSecurityEvent[],
  { since, now }: { readonly since: number; readonly now: number },
): TimeBar[] {
  const width = hoursOfBar(since, now) * HOUR_MILLIS
  const first = Math.floor(since / width) * width
  const length = Math.max(1, Math.floor((now - first) / width) + 1)
  const bars = Array.from({ length }, (_, index) => ({ start: first + index * width, fresh: 0, legacy: 0 }))
  const count = (events: readonly WireSecurityEvent[], version: 'fresh' | 'legacy'): void => {
    for (const event of events.filter(endsRequest)) {
      const bar = bars[Math.floor((Date.parse(event.occurred_at) - first) / width)]
      if (bar !== undefined) bar[version] += 1
    }
  }
  count(fresh, 'fresh')
  count(legacy, 'legacy')
  return bars
}
