// From the first report of a resource to its end: status by page views and silence, and how long things are kept.
import type { Issue } from '../../platform/domain-error.ts'

/** Numbers of days count silence, from the last report on. */
export interface Retention {
  /** Page views that make a resource active. Fewer: infrequent. */
  readonly activePageViews: number
  readonly inactiveAfterDays: number
  readonly forgetInfrequentAfterDays: number
  readonly forgetAfterDays: number
  readonly forgetCookiesAfterDays: number
  readonly forgetEventsAfterDays: number
  /** URLs on one host that differ in their query alone; more become one. */
  readonly maxQueryVariants: number
}

/** The public product's windows; events are kept for longer than the year that an audit covers. */
export const USUAL_RETENTION: Retention = {
  activePageViews: 3,
  inactiveAfterDays: 7,
  forgetInfrequentAfterDays: 5,
  forgetAfterDays: 30,
  forgetCookiesAfterDays: 30,
  forgetEventsAfterDays: 400,
  maxQueryVariants: 50,
}

export type RetentionPatch = { readonly [Member in keyof Retention]?: Retention[Member] | undefined }

/** Lays a patch over a retention. @returns it, and every rule that it breaks. */
export function patchRetention(
  before: Retention,
  patch: RetentionPatch,
): { readonly retention: Retention; readonly issues: readonly Issue[] } {
  const retention = Object.fromEntries(
    Object.entries(before).map(([name, value]) => [name, patch[name as keyof Retention] ?? value]), // its own members
  ) as unknown as Retention // the same members
  const { inactiveAfterDays: inactive, forgetAfterDays: forget } = retention
  if (forget > inactive) return { retention, issues: [] }
  const member = patch.forgetAfterDays === undefined ? 'inactive_after_days' : 'forget_after_days'
  const values = { inactive, forget }
  return { retention, issues: [{ reason: 'page_shield.retention_order', pointer: `/${member}`, values }] }
}

export type Status = 'active' | 'infrequent' | 'inactive'

/** Moments (in whole seconds) that divide the states of resources, for one zone and one present. */
export interface Cutoffs {
  readonly activePageViews: number
  readonly inactiveBefore: string
  readonly infrequentForgottenBefore: string
  readonly forgottenBefore: string
  readonly cookiesForgottenBefore: string
  readonly eventsForgottenBefore: string
}

const DAY_MILLIS = 86_400_000

export function cutoffsAt(nowMillis: number, retention: Retention): Cutoffs {
  const before = (days: number): string => wholeSeconds(nowMillis - days * DAY_MILLIS)
  return {
    activePageViews: retention.activePageViews,
    inactiveBefore: before(retention.inactiveAfterDays),
    infrequentForgottenBefore: before(retention.forgetInfrequentAfterDays),
    forgottenBefore: before(retention.forgetAfterDays),
    cookiesForgottenBefore: before(retention.forgetCookiesAfterDays),
    eventsForgottenBefore: before(retention.forgetEventsAfterDays),
  }
}

interface Seen {
  readonly pageViews: number
  /** In whole seconds. */
  readonly lastSeenAt: string
}

export function statusOf({ pageViews, lastSeenAt }: Seen, cutoffs: Cutoffs): Status {
  if (pageViews < cutoffs.activePageViews) return 'infrequent'
  return lastSeenAt < cutoffs.inactiveBefore ? 'inactive' : 'active'
}

/** True for what is only still there because nobody has swept yet. */
export function isForgotten(seen: Seen, cutoffs: Cutoffs): boolean {
  const infrequent = seen.pageViews < cutoffs.activePageViews
  return seen.lastSeenAt < (infrequent ? cutoffs.infrequentForgottenBefore : cutoffs.forgottenBefore)
}

/** `2026-01-05T10:20:30Z`: what reports can tell of time. */
export const wholeSeconds = (millis: number): string => `${new Date(millis).toISOString().slice(0, 19)}Z`
