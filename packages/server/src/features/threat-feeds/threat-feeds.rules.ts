// What a feed may be, when it is fetched next, and which imports are not believed.
import type { Issue } from '../../platform/domain-error.ts'
import type { ThreatCategory } from '../page-shield/index.ts'
import { parseUrl } from '../../platform/parse-url.ts'
import { FORMATS, type FormatName } from './formats/registry.ts'

export const MAX_FEEDS = 50
/** Of one feed; more are no import. */
export const MAX_ENTRIES = 1_000_000
export const USUAL_INTERVAL_MINUTES = 360

const MINUTE_MILLIS = 60_000
/** After the first failure; each further one doubles it, up to the feed's interval. */
const FIRST_BACKOFF_MILLIS = 5 * MINUTE_MILLIS
/** Feeds with the same interval are fetched at different times: each somewhat later, always by the same part. */
const JITTER_PARTS = 10
/** An import with less than this part of the entries that there are is kept back. */
const BELIEVED_PART = 10

export interface FeedDraft {
  readonly name: string
  readonly format: FormatName
  readonly url: string | undefined
  readonly categories: readonly ThreatCategory[] | undefined
  readonly intervalMinutes: number | undefined
  readonly isEnabled: boolean
}

/** Members that are undefined stay. */
export type FeedPatch = Partial<{
  readonly [Member in Exclude<keyof FeedDraft, 'format'>]: FeedDraft[Member] | undefined
}>

type JudgedFeed = Pick<FeedDraft, 'format' | 'url' | 'categories' | 'intervalMinutes'>

/** Every rule that a draft breaks. */
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

/** Every rule that a patch of a feed breaks. */
export function patchIssues(before: PatchedFeed, patch: FeedPatch): readonly Issue[] {
  const judged = {
    format: before.format,
    url: patch.url ?? before.url ?? undefined,
    categories: patch.categories ?? before.categories ?? undefined,
    intervalMinutes: patch.intervalMinutes ?? before.intervalMinutes ?? undefined,
  }
  // A feed is uploaded or fetched for good: its entries would come from somewhere else than whoever made it says.
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

/** Milliseconds until the next fetch, after that many failures in a row. */
export function pauseMillis(feedId: string, intervalMinutes: number, failures: number): number {
  const interval = intervalMinutes * MINUTE_MILLIS
  const usual = failures === 0 ? interval : Math.min(FIRST_BACKOFF_MILLIS * 2 ** (failures - 1), interval)
  // Identifiers are random, so that many servers do not come at the same time either.
  const share = Number.parseInt(feedId.slice(0, 4), 16) / 0xffff
  return Math.round(usual * (1 + (Number.isNaN(share) ? 0 : share) / JITTER_PARTS))
}

export interface Tally {
  /** Entries that flag something, each time that they stand in the feed. */
  readonly entries: number
  readonly passedOver: number
  readonly unreadable: number
  /** The first piece that was not readable, counted from 1. */
  readonly firstUnreadable: number | undefined
}

/** Why an import is too large; undefined where it is not. */
export const sizeProblem = ({ entries }: Tally): string | undefined =>
  entries > MAX_ENTRIES ? `it has more than ${MAX_ENTRIES} entries` : undefined

/** Why an import cannot be of the format that it should be; undefined where it can. */
export function formatProblem(format: FormatName, tally: Tally): string | undefined {
  const { entries, passedOver, unreadable, firstUnreadable } = tally
  if (unreadable <= entries + passedOver) return undefined
  const whole = entries + passedOver + unreadable
  return `${unreadable} of ${whole} entries cannot be read as ${format}, first of all number ${firstUnreadable}`
}

/** True for an import that has lost more than nine tenths: rather a broken download than a better world. */
export const isKeptBack = (entries: number, before: number): boolean => entries * BELIEVED_PART < before
