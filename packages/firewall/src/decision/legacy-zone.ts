// The legacy WAF of a zone: what disables its managed rules, and their decision about a request.
import { decideLegacy, type LegacyDecision } from '../legacy/legacy-decision.ts'
import type { LegacyConfiguration } from '../legacy/legacy-configuration.ts'
import type { InspectedRequest } from '../managed-rules/inspected-request.ts'

/** The legacy WAF of a zone, reduced to what a decision needs. */
export interface LegacyZone {
  /** Why its managed rules never act; null if they can. */
  readonly inactive: 'plan' | 'migrated' | null
  /** Active firewall rules that let requests bypass the managed rules, in evaluation order. */
  readonly bypasses: readonly { readonly id: string; readonly expression: string }[]
  /** Active page rules that match some URL, highest priority first. */
  readonly pageRules: readonly {
    readonly id: string
    readonly expression: string
    /** What it does to the managed rules. */
    readonly effect: 'on' | 'off' | 'none'
  }[]
  readonly managed: LegacyConfiguration
}

/** Why the managed rules do not act; `id` is the rule that disables them. */
export type Inactive =
  | { readonly reason: 'migrated' | 'plan' | 'setting' | 'skip_rule' }
  | { readonly reason: 'page_rule' | 'firewall_rule'; readonly id: string }

export interface ZoneLegacyDecision {
  readonly inactive: Inactive | null
  /** null if the managed rules are not evaluated. With the setting off, a few rules still are. */
  readonly decision: LegacyDecision | null
}

/**
 * The decision of a zone's legacy WAF about a request.
 *
 * @param holds whether a filter expression matches the request.
 * @param isSkipped whether a rule of the new product skips the legacy one.
 */
export function decideLegacyZone(
  zone: LegacyZone,
  request: InspectedRequest,
  holds: (expression: string) => boolean,
  isSkipped: boolean,
): ZoneLegacyDecision {
  if (zone.inactive !== null) return { inactive: { reason: zone.inactive }, decision: null }
  if (isSkipped) return { inactive: { reason: 'skip_rule' }, decision: null }
  const bypass = zone.bypasses.find(({ expression }) => holds(expression))
  if (bypass !== undefined) return { inactive: { reason: 'firewall_rule', id: bypass.id }, decision: null }
  // The first matching page rule decides, even if it has no setting for the managed rules.
  const first = zone.pageRules.find(({ expression }) => holds(expression))
  const switched = first === undefined || first.effect === 'none' ? undefined : first
  const wafOn = switched === undefined ? zone.managed.wafOn : switched.effect === 'on'
  const { managed } = zone
  const decision = decideLegacy(wafOn === managed.wafOn ? managed : { ...managed, wafOn }, request)
  if (wafOn) return { inactive: null, decision }
  return {
    inactive: switched === undefined ? { reason: 'setting' } : { reason: 'page_rule', id: switched.id },
    decision,
  }
}
