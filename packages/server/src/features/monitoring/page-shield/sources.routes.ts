// HTTP routes for sources of scripts.
import {
  pageShieldSources as operations,
  type FetchingPut,
  type WireFetching,
  type WireScriptDiff,
} from '@zonereeve/contract'
import { route, type Route } from '../../../http/index.ts'
import type { FetchingPatch } from './fetching.rules.ts'
import type { PageShieldSettings, ShownFetching } from './settings.service.ts'
import type { ComparedContents, Sources } from './sources.service.ts'

export interface SourceRoutesDeps {
  readonly settings: Pick<PageShieldSettings, 'getFetching' | 'editFetching'>
  readonly sources: Sources
}

/** Hostile content: browsers neither run it nor guess its type. */
const SOURCE_HEADERS = {
  'X-Content-Type-Options': 'nosniff',
  'Content-Security-Policy': "default-src 'none'; frame-ancestors 'none'; sandbox",
}

export function pageShieldSourceRoutes({ settings, sources }: SourceRoutesDeps): Route[] {
  return [
    route(operations.getFetching, async ({ params }) => ({
      result: toWireFetching(await settings.getFetching(params.zone_id)),
    })),
    route(operations.putFetching, async ({ params, body, actor }) => ({
      result: toWireFetching(await settings.editFetching(params.zone_id, toFetchingPatch(body), actor)),
    })),
    route(operations.get, async ({ params }) => {
      const { content_sha256: digest } = params
      const { bytes, charset } = await sources.get(params.zone_id, params.script_id, digest)
      const type = `text/plain; charset=${charset !== null && LABEL.test(charset) ? charset : 'utf-8'}`
      return { file: bytes, type, name: `${digest}.txt`, headers: SOURCE_HEADERS }
    }),
    route(operations.diff, async ({ params, query }) => ({
      result: toWireDiff(await sources.compare(params.zone_id, params.script_id, query.from, query.to)),
    })),
  ]
}

/** Names of encodings: what the server sent can be anything. */
const LABEL = /^[\w.:-]{1,40}$/

const toFetchingPatch = (body: FetchingPut): FetchingPatch => ({
  intervalMinutes: body.interval_minutes,
  storesSources: body.store_sources,
  scripts: body.scripts?.map(({ url, interval_minutes: minutes }) => ({ url, intervalMinutes: minutes })),
})

const toWireFetching = ({ fetching, storedBytes }: ShownFetching): WireFetching => ({
  interval_minutes: fetching.intervalMinutes,
  scripts: fetching.scripts.map(({ url, intervalMinutes }) => ({ url, interval_minutes: intervalMinutes })),
  store_sources: fetching.storesSources,
  stored_bytes: storedBytes,
})

const toWireDiff = ({ script, before, after, diff }: ComparedContents): WireScriptDiff => ({
  script_id: script.id,
  url: script.url,
  from: toWireContent(before),
  to: toWireContent(after),
  form: diff.form,
  added: diff.added,
  removed: diff.removed,
  moved: diff.moved,
  shortened: diff.isShortened,
  hunks: diff.hunks.map(({ beforeLine, afterLine, lines }) => ({
    from_line: beforeLine,
    to_line: afterLine,
    lines: [...lines],
  })),
})

const toWireContent = ({ contentSha256, firstFetchedAt, lastFetchedAt }: ComparedContents['before']) => ({
  content_sha256: contentSha256,
  first_fetched_at: firstFetchedAt,
  last_fetched_at: lastFetchedAt,
})
