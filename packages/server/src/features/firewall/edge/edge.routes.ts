// HTTP routes for edges.
import { edge as operations } from '@zonereeve/contract'
import { route, type Route } from '../../../http/index.ts'
import type { EdgeConfigurations } from './edge.service.ts'
import { toActivityEvent, toCountedAmount, toSeenCookie, toWireCount } from './edge.wire.ts'
import type { SharedCounts } from './shared-counts.service.ts'

export const edgeRoutes = (
  { zones, coreRules, configuration, record }: EdgeConfigurations,
  { exchange }: SharedCounts,
): Route[] => [
  route(operations.zones, async ({ caller, query, signalOnce }) => ({
    // Without a wait, the reply is immediate.
    result: await zones(caller, query.cursor, query.wait ?? 0, signalOnce()),
  })),
  route(operations.coreRuleSet, async ({ caller }) => ({ result: await coreRules(caller) })),
  route(operations.configuration, async ({ params }) => ({ result: await configuration(params.zone_id) })),
  route(operations.exchangeCounts, async ({ caller, body }) => {
    const sent = body.counts.map(toCountedAmount)
    const { cursor, counts } = await exchange(caller, body.edge, body.after, sent)
    return { result: { cursor, counts: counts.map(toWireCount) } }
  }),
  route(operations.activity, async ({ params, body }) => ({
    // An edge that dropped nothing need not say so.
    result: {
      recorded: await record(params.zone_id, {
        sent: body.events.map(toActivityEvent),
        dropped: body.dropped ?? 0, // an edge that dropped nothing
        scores: body.scores ?? [], // edges of versions without scores
        cookies: (body.cookies ?? []).map(toSeenCookie), // edges of versions without cookies
        seenPages: body.pages ?? [], // edges of versions without watched pages
      }),
    },
  })),
]
