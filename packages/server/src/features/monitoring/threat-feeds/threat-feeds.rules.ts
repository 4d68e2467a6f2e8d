// Rules of feeds: validation, fetch schedule, and which imports are held back.
import { backoffMillis } from '@zonereeve/cooperate'
import { type Issue, parseUrl } from '@zonereeve/platform'
import type { ThreatCategory } from '../page-shield/index.ts'
import { FORMATS, type FormatName } from './formats/registry.ts'

export const MAX_FEEDS = 50
/** Per feed; larger imports are rejected. */
export const MAX_ENTRIES = 1_000_000
export const DEFAULT_INTERVAL_MINUTES = 360

const MINUTE_MILLIS = 60_000
/** Delay after the first failure; each further failure doubles it, up to the feed's interval. */
const FIRST_BACKOFF_MILLIS = 5 * MINUTE_MILLIS
/**
 * Spreads feeds with the same interval: each is delayed by a fixed share of it, up to one part in this many.
 */
const JITTER_PARTS = 10
/** An import with fewer entries than this part of the current ones is held back. */
const BELIEVED_PART = 10

export interface FeedDraft {
  readonly name: string
  readonly format: FormatName
  readonly url: string | undefined
  readonly categories: readonly ThreatCategory[] | undefined
  readonly intervalMinutes: number | undefined
  readonly isEnabled: boolean
}

/** Keeps members that are undefined. */
export type FeedPatch = Partial<{
  readonly [Member in Exclude<keyof FeedDraft, 'format'>]: FeedDraft[Member] | undefined
}>

type JudgedFeed = Pick<FeedDraft, 'format' | 'url' | 'categories' | 'intervalMinutes'>

/** Every rule that a draft violates. */
export function feedIssues({ format, url, categories, intervalMinutes }: JudgedFeed): readonly Issue[] {
  const values = { format }
  const ofFeed = FORMATS[format].categories === 'of-feed'
  return [
    ...(url === undefined || isFetched(url) ? [] : [{ reason: 'threat_feed.url', pointer: '/url' } as const]),
    ...(ofFeed && categories === undefined
      ? [{ reason: 'threat_feed.categories_missing', pointer: '/categories', values } as const]
      : []),
    ...(!ofFeed && categories !== undefined
      ? [{ reason: 'threat_feed.categories_unused', pointer: '/categories', values } as const]
      : []),
    ...(url === undefined && intervalMinutes !== undefined
      ? [{ reason: 'threat_feed.interval_unused', pointer: '/interval_minutes' } as const]
      : []),
  ]
}

/** Every rule that a patch violates. */
export function patchIssues(before: PatchedFeed, patch: FeedPatch): readonly Issue[] {
  const judged = {
    format: before.format,
    url: patch.url ?? before.url ?? undefined,
    categories: patch.categories ?? before.categories ?? undefined,
    intervalMinutes: patch.intervalMinutes ?? before.intervalMinutes ?? undefined,
  }
  // A feed stays either uploaded or fetched: otherwise its entries would come from a source that its owner
  // did not choose.
  if (before.url === null && patch.url !== undefined)
    return [{ reason: 'threat_feed.uploaded', pointer: '/url' }, ...feedIssues({ ...judged, url: undefined })]
  return feedIssues(judged)
}

interface PatchedFeed {
  readonly format: FormatName
  readonly url: string | null
  readonly categories: readonly ThreatCategory[] | null
  readonly intervalMinutes: number | null
}

function isFetched(text: string): boolean {
  const url = parseUrl(text)
  return url !== undefined && /^https?:$/.test(url.protocol) && url.username === '' && url.password === ''
}

/** Milliseconds until the next fetch, after this many consecutive failures. */
export function pauseMillis(feedId: string, intervalMinutes: number, failures: number): number {
  const interval = intervalMinutes * MINUTE_MILLIS
  const fallback = failures === 0 ? interval : backoffMillis(failures, FIRST_BACKOFF_MILLIS, interval)
  // IDs are random, so that fetches of many servers are spread, too.
  const share = Number.parseInt(feedId.slice(0, 4), 16) / 0xffff
  return Math.round(fallback * (1 + (Number.isNaN(share) ? 0 : share) / JITTER_PARTS))
}

export interface Tally {
  /** Entries that flag something, including duplicates. */
  readonly entries: number
  readonly passedOver: number
  readonly unreadable: number
  /** The number of the first unreadable piece, counted from 1. */
  readonly firstUnreadable: number | undefined
}

/** Why an import is too large; undefined if it is not. */
export const sizeProblem = ({ entries }: Tally): string | undefined =>
  entries > MAX_ENTRIES ? `it has more than ${MAX_ENTRIES} entries` : undefined

/** Why an import does not look like the given format; undefined if it does. */
export function formatProblem(format: FormatName, tally: Tally): string | undefined {
  const { entries, passedOver, unreadable, firstUnreadable } = tally
  if (unreadable <= entries + passedOver) return undefined
  const whole = entries + passedOver + unreadable
  return `${unreadable} of ${whole} entries cannot be parsed as ${format}; the first is number ${firstUnreadable}`
}

/** True if an import lost more than nine tenths of its entries: most likely a broken download. */
export const isKeptBack = (entries: number, before: number): boolean => entries * BELIEVED_PART < before
