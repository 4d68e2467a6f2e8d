// Pages outside the API's paths: health, metrics, the API document and its HTML page.
import type { FastifyInstance } from 'fastify'
import { BASE_PATHS, readCredential, requireEveryZone, type Authenticate } from '../../http/index.ts'
import { WIRE_ERRORS } from '../../platform/wire-errors.ts'
import { apiPage } from './api-page.ts'
import { HOME_JSON, HOME_PAGE, wantsPage } from './home-page.ts'
import type { Metrics } from '../metrics/metrics.ts'

export interface PagesDeps {
  readonly document: (servers: readonly string[]) => object
  readonly isReady: () => Promise<boolean>
  /** Unreadable stored data, one per line; the server is ready regardless. */
  readonly problems: () => Promise<readonly string[]>
  readonly authenticate: Authenticate
  readonly publicUrl: string | undefined
  readonly metrics: Pick<Metrics, 'text' | 'contentType'>
}

/** Pages run no scripts and load no resources. */
const PAGE_POLICY =
  "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

/** Metrics contain names of zones. */
const METRICS_READERS = ['Zone Read', 'Zone Write']

export function addPages(
  app: FastifyInstance,
  { document, isReady, problems, authenticate, publicUrl, metrics }: PagesDeps,
): void {
  app.get('/', async (request, reply) => {
    reply.header('Vary', 'Accept').header('Content-Security-Policy', PAGE_POLICY)
    return wantsPage(request.headers.accept)
      ? reply.type('text/html; charset=utf-8').send(HOME_PAGE)
      : reply.type('application/json').send(HOME_JSON)
  })
  app.get('/livez', async (_request, reply) => reply.type('text/plain').send('ok\n'))
  app.get('/readyz', async (_request, reply) => {
    const ready = await isReady()
    return reply
      .code(ready ? 200 : 503)
      .type('text/plain')
      .send(ready ? ['ok', ...(await problems())].map((line) => `${line}\n`).join('') : 'not ready\n')
  })
  app.get('/metrics', async (request, reply) => {
    requireEveryZone(METRICS_READERS, await authenticate(readCredential(request, publicUrl), request.ip))
    return reply.type(metrics.contentType).send(await metrics.text())
  })
  // Both take tens of milliseconds to build, and need no authentication.
  const documentBytes = once(() => Buffer.from(JSON.stringify(document(BASE_PATHS))))
  const pageBytes = once(() => Buffer.from(apiPage(document(BASE_PATHS), Object.values(WIRE_ERRORS))))
  app.get('/openapi.json', async (_request, reply) => reply.type('application/json').send(documentBytes()))
  app.get('/docs', async (_request, reply) =>
    reply.header('Content-Security-Policy', PAGE_POLICY).type('text/html; charset=utf-8').send(pageBytes()),
  )
}

function once<T>(make: () => T): () => T {
  let made: { readonly value: T } | undefined
  return () => (made ??= { value: make() }).value
}
