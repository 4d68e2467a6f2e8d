// Maps threat feeds between wire format and domain model.
import type { ThreatFeedPatch, ThreatFeedPost, WireThreatFeed, WireThreatMatch } from '@zonereeve/contract'
import type { ThreatMatch } from './judge.ts'
import type { FeedDraft, FeedPatch } from './threat-feeds.rules.ts'
import type { Feed } from './threat-feeds.store.ts'

export const toFeedDraft = (body: ThreatFeedPost): FeedDraft => ({
  name: body.name,
  format: body.format,
  url: body.url,
  categories: body.categories,
  intervalMinutes: body.interval_minutes,
  isEnabled: body.enabled ?? true,
})

export const toFeedPatch = (body: ThreatFeedPatch): FeedPatch => ({
  name: body.name,
  url: body.url,
  categories: body.categories,
  intervalMinutes: body.interval_minutes,
  isEnabled: body.enabled,
})

function tallyOf({ current }: Feed) {
  const { entries, passedOver, unreadable } = current ?? NO_IMPORT
  return { entries, passed_over: passedOver, unreadable }
}

const NO_IMPORT = { entries: 0, passedOver: 0, unreadable: 0 }

export const toWireFeed = (feed: Feed): WireThreatFeed => ({
  id: feed.id,
  name: feed.name,
  format: feed.format,
  url: feed.url,
  categories: feed.categories && [...feed.categories],
  interval_minutes: feed.intervalMinutes,
  enabled: feed.isEnabled,
  created_on: feed.createdOn,
  status: {
    state: feed.state,
    problem: feed.problem,
    ...tallyOf(feed),
    held_entries: feed.held?.entries ?? null,
    imported_at: feed.importedAt,
    attempted_at: feed.attemptedAt,
    next_attempt_at: feed.isEnabled ? feed.nextAttemptAt : null,
  },
})

export const toWireMatch = ({ feed, kind, entry, categories }: ThreatMatch): WireThreatMatch => ({
  threat_feed_id: feed.id,
  threat_feed_name: feed.name,
  kind,
  entry,
  categories: [...categories],
})
