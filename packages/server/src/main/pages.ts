// Ours alone, outside the API's paths: health, metrics, the API document and its page for people.
import type { FastifyInstance } from 'fastify'
import { BASE_PATHS, WIRE_ERRORS } from '../http/index.ts'
import { apiPage } from './api-page.ts'
import type { Metrics } from './metrics.ts'

export interface PagesDeps {
  readonly document: (servers: readonly string[]) => object
  readonly isReady: () => Promise<boolean>
  readonly metrics: Metrics
}

/** Pages run no script and load nothing. */
const PAGE_POLICY =
  "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

export function addPages(app: FastifyInstance, { document, isReady, metrics }: PagesDeps): void {
  app.get('/livez', async (_request, reply) => reply.type('text/plain').send('ok\n'))
  app.get('/readyz', async (_request, reply) => {
    const ready = await isReady()
    return reply
      .code(ready ? 200 : 503)
      .type('text/plain')
      .send(ready ? 'ok\n' : 'not ready\n')
  })
  app.get('/metrics', async (_request, reply) => reply.type(metrics.contentType).send(await metrics.text()))
  app.get('/openapi.json', async (_request, reply) =>
    reply.type('application/json').send(JSON.stringify(document(BASE_PATHS))),
  )
  const page = once(() => apiPage(document(BASE_PATHS), Object.values(WIRE_ERRORS)))
  app.get('/docs', async (_request, reply) =>
    reply.header('Content-Security-Policy', PAGE_POLICY).type('text/html; charset=utf-8').send(page()),
  )
}

function once<T>(make: () => T): () => T {
  let made: { readonly value: T } | undefined
  return () => (made ??= { value: make() }).value
}
