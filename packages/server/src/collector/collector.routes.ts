// HTTP for browser reports, outside the API: any page may send them, no credential but the signature in the query.
import type { IncomingMessage } from 'node:http'
import { collector as operations } from '@zonereeve/contract'
import type { FastifyInstance } from 'fastify'
import { REPORTING_PATHS } from '../features/page-shield/index.ts'
import { answerAhead, route, type Route } from '../http/index.ts'
import { createAnswer } from './answer.ts'
import type { Collector } from './collector.ts'
import type { Counts } from './counters.ts'

const METHODS = ['OPTIONS', 'POST'] as const

/** Takes reports ahead of the framework, and from it where it alone knows that a path is one of these. */
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
      onRequest: async (request, reply) => {
        reply.hijack()
        answer(request.raw, reply.raw)
      },
      handler: () => {}, // not reached: the request has been answered
    })
  }
}

/** What of the API the collector answers itself. */
export function collectorRoutes(collector: Collector): Route[] {
  return [
    route(operations.counts, async ({ params }) => ({
      result: toWireCounts(collector.countsOf(params.zone_id)),
    })),
  ]
}

function toWireCounts({ recorded = 0, violation = 0, hash = 0, displaced = 0, ...dropped }: Counts) {
  return { recorded, violations: violation, hashes: hash, displaced, dropped }
}
