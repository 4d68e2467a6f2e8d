// The HTTP interface by which a test suite controls the server beside it. On loopback, with a token of its own.
import { createHash, timingSafeEqual } from 'node:crypto'
import type { Server } from 'node:http'
import { fastify, type FastifyInstance } from 'fastify'
import type { Log } from '@zonereeve/platform'
import { createFaults, type FaultOrder } from './faults.ts'
import { matchesPath } from './path-pattern.ts'
import { createRequestWatch, type RecordedRequest } from './request-watch.ts'
import type { TestClock } from './test-clock.ts'

export interface SeedZone {
  readonly name: string
  /** Records as the API takes them. */
  readonly records?: readonly object[]
  /** Records as a zone file. */
  readonly zone_file?: string
}

/** The server that is controlled. */
export interface ControlledServer {
  /** Keeps the state of the server under this name. */
  save(name: string): Promise<void>
  /** @returns false: no state has this name. */
  restore(name: string): Promise<boolean>
  /** Names of kept states. */
  saved(): readonly string[]
  /** @throws SeedError */
  seed(zones: readonly SeedZone[]): Promise<readonly { readonly id: string; readonly name: string }[]>
}

/** Data that the API refused, with its answer. */
export class SeedError extends Error {
  readonly status: number
  readonly reply: unknown

  constructor(message: string, status: number, reply: unknown) {
    super(message)
    this.name = 'SeedError'
    this.status = status
    this.reply = reply
  }
}

export interface ControlOptions {
  readonly host: string
  readonly port: number
  readonly token: string
  readonly clock: TestClock
  readonly controlled: ControlledServer
  readonly log: Log
}

export interface Control {
  readonly host: string
  readonly port: number
  /** Watches the requests of the server, and of each that replaces it. */
  watch(server: Server): void
  close(): Promise<void>
}

/** The state at the start, to which a reset returns. */
export const START = 'start'
const MAX_MILLIS = 8.64e15
const MAX_DELAY_MS = 600_000
const NAME = { type: 'string', pattern: '^[a-z0-9][a-z0-9._-]{0,63}$' }
const objectSchema = (properties: object, required: readonly string[] = []) => ({
  type: 'object',
  additionalProperties: false,
  properties,
  required,
})
const BODIES = {
  snapshot: objectSchema({ name: NAME }, ['name']),
  clock: objectSchema(
    {
      now: { type: 'string', format: 'date-time' },
      advance_seconds: { type: 'number', minimum: 0, maximum: MAX_MILLIS / 1000 },
      stopped: { type: 'boolean' },
    },
    [],
  ),
  fault: objectSchema(
    {
      method: { type: 'string', pattern: '^[A-Z]+$' },
      path: { type: 'string', pattern: '^/' },
      status: { type: 'integer', minimum: 200, maximum: 599 },
      body: {},
      headers: {
        type: 'object',
        propertyNames: { pattern: "^[A-Za-z0-9!#$%&'*+.^_`|~-]+$" },
        additionalProperties: { type: 'string', pattern: '^[\\t -~]*$' },
      },
      delay_ms: { type: 'integer', minimum: 0, maximum: MAX_DELAY_MS },
      disconnect: { type: 'boolean' },
      times: { type: 'integer', minimum: 1 },
    },
    ['path'],
  ),
  seed: objectSchema(
    {
      zones: {
        type: 'array',
        items: objectSchema(
          {
            name: { type: 'string' },
            zone_file: { type: 'string' },
            records: { type: 'array', items: { type: 'object' } },
          },
          ['name'],
        ),
      },
    },
    ['zones'],
  ),
}

interface ClockBody {
  readonly now?: string
  readonly advance_seconds?: number
  readonly stopped?: boolean
}

interface RequestQuery {
  readonly method?: string
  readonly path?: string
}

/** Listens. @throws the system's error. */
export async function createControl(options: ControlOptions): Promise<Control> {
  const { clock, token, log, controlled } = options
  const faults = createFaults()
  const requests = createRequestWatch({ faults, timestamp: clock.timestamp })
  const app = fastify({
    logger: false,
    ajv: { customOptions: { coerceTypes: false, removeAdditional: false } },
  })
  app.addHook('onRequest', async (request, reply) => {
    if (isToken(request.headers.authorization, token)) return
    await reply.code(401).send({ errors: [{ message: 'Authorization must be Bearer and the test token' }] })
  })
  app.setErrorHandler((error: Error & Validated, request, reply) => {
    if (error instanceof SeedError)
      return reply.code(error.status).send({ errors: [{ message: error.message }], reply: error.reply })
    const status = error.statusCode ?? 500
    if (status >= 500) log.error({ err: error, path: request.url }, 'test control failed')
    const errors = error.validation?.map(({ instancePath, message, params }) => ({
      pointer: instancePath,
      message: `${message ?? 'is invalid'} ${JSON.stringify(params)}`,
    }))
    return reply.code(status).send({ errors: errors ?? [{ message: error.message }] })
  })
  app.setNotFoundHandler((request, reply) =>
    reply.code(404).send({ errors: [{ message: `there is no ${request.method} ${request.url}` }] }),
  )
  addStates(app, controlled, () => {
    faults.clear()
    requests.clear()
    clock.reset()
  })
  addClock(app, clock)
  addFaults(app, faults)
  app.get<{ Querystring: RequestQuery }>('/requests', async ({ query }) => ({
    requests: requests.list().filter((request) => isAsked(request, query)),
  }))
  app.delete('/requests', async () => {
    requests.clear()
    return {}
  })
  await app.listen({ host: options.host, port: options.port })
  const [address] = app.addresses()
  if (address === undefined || typeof address === 'string') throw new Error('the test control has no address')
  return {
    host: address.address,
    port: address.port,
    watch: requests.watch,
    close: () => app.close(),
  }
}

interface Validated {
  readonly statusCode?: number
  readonly validation?: readonly {
    readonly instancePath: string
    readonly message?: string
    readonly params: unknown
  }[]
}

const isAsked = ({ method, path }: RecordedRequest, query: RequestQuery): boolean =>
  (query.method ?? method) === method && (query.path === undefined || matchesPath(query.path, path))

function addStates(app: FastifyInstance, controlled: ControlledServer, resetTestState: () => void): void {
  app.post('/reset', async () => {
    resetTestState()
    await controlled.restore(START)
    return {}
  })
  app.get('/snapshots', async () => ({ snapshots: controlled.saved() }))
  app.post<{ Body: { readonly name: string } }>(
    '/snapshots',
    { schema: { body: BODIES.snapshot } },
    async ({ body: { name } }, reply) => {
      if (name === START)
        return reply.code(400).send({
          errors: [
            { pointer: '/name', message: `${START} is the state at the start, and cannot be replaced` },
          ],
        })
      await controlled.save(name)
      return { name }
    },
  )
  const named = { schema: { params: objectSchema({ name: NAME }, ['name']) } }
  app.post<{ Params: { readonly name: string } }>(
    '/snapshots/:name/restore',
    named,
    async ({ params }, reply) => {
      const { name } = params
      if (await controlled.restore(name)) return { name }
      const known = controlled.saved().join(', ')
      return reply
        .code(404)
        .send({ errors: [{ message: `there is no snapshot ${name}; there are ${known}` }] })
    },
  )
  app.post<{ Body: { readonly zones: readonly SeedZone[] } }>(
    '/seed',
    { schema: { body: BODIES.seed }, bodyLimit: 100_000_000 },
    async ({ body }) => ({ zones: await controlled.seed(body.zones) }),
  )
}

function addClock(app: FastifyInstance, clock: TestClock): void {
  const describeClock = () => ({ now: new Date(clock.now()).toISOString(), stopped: clock.isStopped })
  app.get('/clock', async () => describeClock())
  app.put<{ Body: ClockBody }>('/clock', { schema: { body: BODIES.clock } }, async ({ body }, reply) => {
    const { now, advance_seconds: advance = 0, stopped } = body
    const from = now === undefined ? clock.now() : Date.parse(now)
    const millis = from + advance * 1000
    if (!(Math.abs(millis) <= MAX_MILLIS))
      return reply.code(400).send({
        errors: [{ pointer: '/now', message: 'must be a time that exists, like 2030-01-31T12:00:00Z' }],
      })
    if (stopped === true) clock.stop()
    if (now !== undefined || advance > 0) clock.set(millis)
    if (stopped === false) clock.start()
    return describeClock()
  })
  app.delete('/clock', async () => {
    clock.reset()
    return describeClock()
  })
}

function addFaults(app: FastifyInstance, faults: ReturnType<typeof createFaults>): void {
  app.get('/faults', async () => ({ faults: faults.list() }))
  app.post<{ Body: FaultOrder }>('/faults', { schema: { body: BODIES.fault } }, async ({ body }, reply) => {
    const problem = contradiction(body)
    if (problem !== undefined) return reply.code(400).send({ errors: [problem] })
    return faults.add(body)
  })
  app.delete('/faults', async () => {
    faults.clear()
    return {}
  })
  app.delete<{ Params: { readonly id: string } }>('/faults/:id', async ({ params: { id } }, reply) =>
    faults.remove(Number(id))
      ? {}
      : reply.code(404).send({ errors: [{ message: `there is no fault ${id}` }] }),
  )
}

/** A fault that would do nothing, or two things at once. */
function contradiction({ status, body, headers, delay_ms, disconnect }: FaultOrder) {
  if (status === undefined && disconnect !== true && delay_ms === undefined)
    return { pointer: '', message: 'needs status, disconnect or delay_ms' }
  if (status !== undefined && disconnect === true)
    return { pointer: '/disconnect', message: 'cannot be together with status' }
  if (status === undefined && (body !== undefined || headers !== undefined))
    return { pointer: body === undefined ? '/headers' : '/body', message: 'needs status' }
  return undefined
}

/** Compares hashes, so that the time does not depend on where the two differ. */
function isToken(header: string | undefined, token: string): boolean {
  const hash = (text: string) => createHash('sha256').update(text).digest()
  return timingSafeEqual(hash(header ?? 'none'), hash(`Bearer ${token}`))
}
