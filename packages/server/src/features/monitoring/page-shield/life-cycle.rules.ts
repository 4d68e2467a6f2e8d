// The life cycle of a resource: its status by page views and last report, and how long data is kept.
import type { Issue } from '@zonereeve/platform'

/** The numbers of days count from the last report. */
export interface Retention {
  /** Page views that make a resource active; below, it is infrequent. */
  readonly activePageViews: number
  readonly inactiveAfterDays: number
  readonly forgetInfrequentAfterDays: number
  readonly forgetAfterDays: number
  readonly forgetCookiesAfterDays: number
  readonly forgetEventsAfterDays: number
  /** Maximum URLs on one host that differ only in their query; more are collapsed into one. */
  readonly maxQueryVariants: number
}

/** The public product's values; events are kept longer than the year that an audit covers. */
export const DEFAULT_RETENTION: Retention = {
  activePageViews: 3,
  inactiveAfterDays: 7,
  forgetInfrequentAfterDays: 5,
  forgetAfterDays: 30,
  forgetCookiesAfterDays: 30,
  forgetEventsAfterDays: 400,
  maxQueryVariants: 50,
}

export type RetentionPatch = { readonly [Member in keyof Retention]?: Retention[Member] | undefined }

/**
 * Applies a patch.
 * @returns the new retention and every rule it violates.
 */
export function patchRetention(
  before: Retention,
  patch: RetentionPatch,
): { readonly retention: Retention; readonly issues: readonly Issue[] } {
  const retention = Object.fromEntries(
    Object.entries(before).map(([name, value]) => [name, patch[name as keyof Retention] ?? value]), // keeps the member names
  ) as unknown as Retention // has the same members
  const { inactiveAfterDays: inactive, forgetAfterDays: forget } = retention
  if (forget > inactive) return { retention, issues: [] }
  const member = patch.forgetAfterDays === undefined ? 'inactive_after_days' : 'forget_after_days'
  const values = { inactive, forget }
  return { retention, issues: [{ reason: 'page_shield.retention_order', pointer: `/${member}`, values }] }
}

export type Status = 'active' | 'infrequent' | 'inactive'

/** Times (in whole seconds) that separate the resource states, for one zone at one point in time. */
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

interface SeenTimes {
  readonly pageViews: number
  /** In whole seconds. */
  readonly lastSeenAt: string
}

export function statusOf({ pageViews, lastSeenAt }: SeenTimes, cutoffs: Cutoffs): Status {
  if (pageViews < cutoffs.activePageViews) return 'infrequent'
  return lastSeenAt < cutoffs.inactiveBefore ? 'inactive' : 'active'
}

/** True for resources that are past retention but not swept yet. */
export function isForgotten(seen: SeenTimes, cutoffs: Cutoffs): boolean {
  const infrequent = seen.pageViews < cutoffs.activePageViews
  return seen.lastSeenAt < (infrequent ? cutoffs.infrequentForgottenBefore : cutoffs.forgottenBefore)
}

/** `2026-01-05T10:20:30Z`: the precision of times in reports. */
export const wholeSeconds = (millis: number): string => `${new Date(millis).toISOString().slice(0, 19)}Z`
