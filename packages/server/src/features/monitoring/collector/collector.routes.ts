// HTTP routes for browser reports, outside the API: any page may send them; the only credential is the
// signature in the query. And the monitoring script of zones that have switched it on.
import type { IncomingMessage } from 'node:http'
import { collector as operations } from '@zonereeve/contract'
import { monitorScript } from '@zonereeve/browser-reports'
import { MONITOR_PATH, REPORTING_PATHS } from '@zonereeve/csp'
import type { FastifyInstance } from 'fastify'
import { answerAhead, failureOf, route, type Route, type RouteConfig } from '../../../http/index.ts'
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
  const answer = createAnswer({ collector, failureOf, addressOf, isClosing })
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
  serveMonitorScript(app, collector, addressOf)
}

/** Its version is in its path, and its reporting address in the page: it never changes. Any page may check its hash. */
const SCRIPT_HEADERS = {
  'content-type': 'text/javascript; charset=utf-8',
  'cache-control': 'public, max-age=31536000, immutable',
  'access-control-allow-origin': '*',
  'cross-origin-resource-policy': 'cross-origin',
}

function serveMonitorScript(
  app: FastifyInstance,
  collector: Collector,
  addressOf: (request: IncomingMessage) => string,
): void {
  const { text, version } = monitorScript()
  app.get(
    `${MONITOR_PATH}/:zoneId/${version}/monitor.js`,
    { config: { anyHost: true } satisfies RouteConfig }, // pages load it from their own hosts
    async (request, reply) => {
      const { zoneId } = request.params as { readonly zoneId: string } // the router yields strings
      if (!collector.admit(addressOf(request.raw))) return reply.code(429).header('retry-after', '60').send()
      if (!ZONE_ID.test(zoneId) || !(await collector.hasBeacon(zoneId))) return reply.callNotFound()
      return reply.headers(SCRIPT_HEADERS).send(text)
    },
  )
}

const ZONE_ID = /^[0-9a-f]{32}$/

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
