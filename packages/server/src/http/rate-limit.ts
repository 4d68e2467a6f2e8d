// Requests per credential and time, off unless configured. Headers as the live API sends them.
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import rateLimit from '@fastify/rate-limit'
import { DomainError } from '@zonereeve/platform'

export interface RateLimit {
  readonly requests: number
  readonly windowSeconds: number
}

/** Counts a request of its credential and sets the headers. @throws DomainError: rate.exceeded. */
export type CountRequest = (request: FastifyRequest, reply: FastifyReply, credential: string) => Promise<void>

export async function createRateLimit(app: FastifyInstance, limit: RateLimit): Promise<CountRequest> {
  const credentials = new WeakMap<FastifyRequest, string>()
  await app.register(rateLimit, { global: false })
  const count = app.createRateLimit({
    max: limit.requests,
    timeWindow: limit.windowSeconds * 1000,
    keyGenerator: (request) => credentials.get(request) ?? request.ip,
  })
  return async (request, reply, credential) => {
    credentials.set(request, credential)
    const state = await count(request)
    if (state.isAllowed) return
    const remaining = Math.max(0, state.remaining)
    reply.header('Ratelimit', `"default";r=${remaining};t=${state.ttlInSeconds}`)
    reply.header('Ratelimit-Policy', `"default";q=${limit.requests};w=${limit.windowSeconds}`)
    if (!state.isExceeded) return
    reply.header('Retry-After', String(state.ttlInSeconds))
    throw new DomainError({
      reason: 'rate.exceeded',
      values: { limit: limit.requests, seconds: limit.windowSeconds },
    })
  }
}
