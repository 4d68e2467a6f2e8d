// HTTP routes for browser reports, outside the API: any page may send them; the only credential is the
// signature in the query.
import type { IncomingMessage } from 'node:http'
import { collector as operations } from '@zonereeve/contract'
import { REPORTING_PATHS } from '@zonereeve/csp'
import type { FastifyInstance } from 'fastify'
import { answerAhead, route, type Route, type RouteConfig } from '../../../http/index.ts'
import { createAnswer } from './answer.ts'
import type { Collector } from './collector.ts'
import type { Counts } from './counters.ts'

const METHODS = ['OPTIONS', 'POST'] as const

/** Handles reports before the framework; the route below handles paths that only the framework recognizes. */
export function addCollector(
  app: FastifyInstance,
  collector: Collector,
  addressOf: (request: IncomingMessage) => string,
): void {
  const isClosing = (): boolean => !app.server.listening
  const answer = createAnswer({ collector, addressOf, isClosing })
  answerAhead(app.server, REPORTING_PATHS, METHODS, answer)
  for (const url of REPORTING_PATHS) {
    app.route({
      url,
      method: [...METHODS],
      config: { anyHost: true } satisfies RouteConfig, // pages send reports to their own hosts
      onRequest: async (request, reply) => {
        reply.hijack()
        answer(request.raw, reply.raw)
      },
      handler: () => {}, // not reached: the request was already answered
    })
  }
}

/**
 * What of the API the collector answers itself.
 *
 * @param evictedOf resources of a zone that made room for new ones from any source.
 */
export function collectorRoutes(collector: Collector, evictedOf: (zoneId: string) => number): Route[] {
  return [
    route(operations.counts, async ({ params: { zone_id: zoneId } }) => ({
      result: toWireCounts(collector.countsOf(zoneId), evictedOf(zoneId)),
    })),
  ]
}

function toWireCounts({ recorded = 0, violation = 0, hash = 0, ...dropped }: Counts, evicted: number) {
  return { recorded, violations: violation, hashes: hash, evicted, dropped }
}
