// Pages outside the API's paths: health, metrics, the API document and its HTML page.
import { DASHBOARD_PATHS, type DashboardFiles, type ServedFile } from '@zonereeve/dashboard'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { BASE_PATHS, readCredential, requireEveryZone, type Authenticate } from '../../http/index.ts'
import { WIRE_ERRORS } from '@zonereeve/platform'
import { API_PAGE_SCRIPT } from './api-page-style.ts'
import { apiPage, FILTER_PATH } from './api-page.ts'
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
  /** The dashboard, if it was built. */
  readonly dashboard: DashboardFiles | undefined
}

/** The API page loads its filter; the others load nothing and run no scripts. */
const PAGE_POLICY =
  "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

const API_PAGE_POLICY = PAGE_POLICY.replace(';', "; script-src 'self';")

/** Metrics contain names of zones. */
const METRICS_READERS = ['Zone Read', 'Zone Write']

export function addPages(
  app: FastifyInstance,
  { document, isReady, problems, authenticate, publicUrl, metrics, dashboard }: PagesDeps,
): void {
  if (dashboard !== undefined) addDashboard(app, dashboard)
  app.get('/', async (request, reply) => {
    if (dashboard !== undefined && wantsPage(request.headers.accept))
      return sendServed(reply, dashboard.page(wishesOf(request)))
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
    reply
      .header('Content-Security-Policy', API_PAGE_POLICY)
      .type('text/html; charset=utf-8')
      .send(pageBytes()),
  )
  app.get(FILTER_PATH, async (_request, reply) =>
    reply.type('text/javascript; charset=utf-8').send(API_PAGE_SCRIPT),
  )
}

function once<T>(make: () => T): () => T {
  let made: { readonly value: T } | undefined
  return () => (made ??= { value: make() }).value
}

/** Paths of the dashboard are answered with its page only for browsers: for all other clients they do not exist. */
function addDashboard(app: FastifyInstance, dashboard: DashboardFiles): void {
  const paths = DASHBOARD_PATHS.flatMap((path) => [`/${path}`, `/${path}/*`])
  for (const path of paths)
    app.get(path, async (request, reply) =>
      wantsPage(request.headers.accept)
        ? sendServed(reply, dashboard.page(wishesOf(request)))
        : reply.callNotFound(),
    )
  app.get<{ Params: { '*': string } }>('/assets/*', async (request, reply) => {
    const file = dashboard.asset(request.params['*'], wishesOf(request))
    return file === undefined ? reply.callNotFound() : sendServed(reply, file)
  })
}

const wishesOf = ({ headers }: FastifyRequest) => ({
  acceptEncoding: headers['accept-encoding'],
  ifNoneMatch: headers['if-none-match'],
})

const sendServed = (reply: FastifyReply, { headers, bytes }: ServedFile): FastifyReply =>
  reply
    .headers(headers)
    .code(bytes === undefined ? 304 : 200)
    .send(bytes)
