// HTTP routes of threat feeds.
import { THREAT_FEEDS_PER_PAGE, threatFeeds as operations } from '@zonereeve/contract'
import { pageOf, replyRemoved, route, type Route } from '../../../http/index.ts'
import type { Imports } from './imports.service.ts'
import type { ThreatFeeds } from './threat-feeds.service.ts'
import { toFeedDraft, toFeedPatch, toWireFeed, toWireMatch } from './threat-feeds.wire.ts'

export interface ThreatFeedRoutesDeps {
  readonly feeds: ThreatFeeds
  readonly imports: Imports
}

export function threatFeedRoutes({ feeds, imports }: ThreatFeedRoutesDeps): Route[] {
  return [
    route(operations.list, async ({ query }) =>
      pageOf((await feeds.list()).map(toWireFeed), query, THREAT_FEEDS_PER_PAGE),
    ),
    route(operations.create, async ({ body, actor }) => ({
      result: toWireFeed(await feeds.create(toFeedDraft(body), actor)),
    })),
    route(operations.matches, async ({ query }) => ({
      result: (await feeds.matches(query.url)).map(toWireMatch),
    })),
    route(operations.get, async ({ params }) => ({
      result: toWireFeed(await feeds.get(params.threat_feed_id)),
    })),
    route(operations.edit, async ({ params, body, actor }) => ({
      result: toWireFeed(await feeds.edit(params.threat_feed_id, toFeedPatch(body), actor)),
    })),
    route(operations.delete, ({ params, actor }) =>
      replyRemoved(params.threat_feed_id, feeds.remove(params.threat_feed_id, actor)),
    ),
    route(operations.refresh, async ({ params }) => ({
      result: toWireFeed(await feeds.refresh(params.threat_feed_id)),
    })),
    route(operations.accept, async ({ params, actor }) => ({
      result: toWireFeed(await feeds.accept(params.threat_feed_id, actor)),
    })),
    route(operations.upload, async ({ params, body, actor, signalOnce }) => ({
      result: toWireFeed(await imports.upload(params.threat_feed_id, body.file, actor, signalOnce())),
    })),
  ]
}
