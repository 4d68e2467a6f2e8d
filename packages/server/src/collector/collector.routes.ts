// HTTP for browser reports, outside the API: any page may send them, no credential but the signature in the query.
import { collector as operations } from '@zonereeve/contract'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { REPORTING_PATHS } from '../features/page-shield/index.ts'
import { route, type Route } from '../http/index.ts'
import type { Collector } from './collector.ts'
import type { Counts } from './counters.ts'

/** Bytes of a request with reports, at most. */
export const MAX_REPORT_BYTES = 65_536

/** Every origin may report, without credentials (Reporting API §3.5.2 sends with CORS). */
const CORS = { 'access-control-allow-origin': '*' }
const PREFLIGHT = {
  ...CORS,
  'access-control-allow-methods': 'POST',
  'access-control-allow-headers': 'content-type',
  'access-control-max-age': '86400',
}

export async function addCollector(app: FastifyInstance, collector: Collector): Promise<void> {
  await app.register(async (scope) => {
    // Browsers send reports under several types, and some under none of them: the body tells what it is.
    scope.removeAllContentTypeParsers()
    scope.addContentTypeParser(
      '*',
      { parseAs: 'string', bodyLimit: MAX_REPORT_BYTES },
      (_request, body, done) => done(null, body),
    )
    scope.setErrorHandler((error: Error & { code?: string }, _request, reply) =>
      refuse(error, reply, collector),
    )
    for (const url of REPORTING_PATHS) {
      scope.options(url, async (_request, reply) => reply.code(204).headers(PREFLIGHT).send())
      scope.post(url, {
        bodyLimit: MAX_REPORT_BYTES,
        onRequest: async (request, reply) => {
          if (!collector.admit(request.ip))
            return reply
              .code(429)
              .headers({ ...CORS, 'retry-after': '60' })
              .send()
        },
        handler: (request, reply) => answer(request, reply, collector),
      })
    }
  })
}

/** Always 204: whoever sends reports learns nothing from what becomes of them. */
async function answer(
  request: FastifyRequest,
  reply: FastifyReply,
  collector: Collector,
): Promise<FastifyReply> {
  const { body } = request
  await collector.take({
    query: queryOf(request.originalUrl),
    body: typeof body === 'string' ? body : '',
    address: request.ip,
    userAgent: request.headers['user-agent'] ?? '',
  })
  return reply.code(204).headers(CORS).send()
}

function refuse(error: Error & { code?: string }, reply: FastifyReply, collector: Collector): FastifyReply {
  const isTooLarge = error.code === 'FST_ERR_CTP_BODY_TOO_LARGE'
  collector.dropped(isTooLarge ? 'too_large' : 'malformed')
  return reply
    .code(isTooLarge ? 413 : 400)
    .headers(CORS)
    .send()
}

const queryOf = (url: string): string => {
  const at = url.indexOf('?')
  return at < 0 ? '' : url.slice(at + 1)
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
