// Requests per credential and time, off unless configured. Headers as the live API sends them.
import type { FastifyReply } from 'fastify'
import { createRequestCounts, DomainError } from '@zonereeve/platform'
import type { NodeAccess } from './nodes.ts'

export interface RateLimit {
  readonly requests: number
  readonly windowSeconds: number
}

/** Counts a request of its credential and sets the headers. @throws DomainError: rate.exceeded. */
export type CountRequest = (reply: FastifyReply, credential: string) => void

/** Credentials that have used this part of the limit are reported to the other nodes. */
const REPORTED = 0.1

/** @param nodes count with this one: together, they answer as many requests as one server would. */
export function createRateLimit(
  { requests, windowSeconds: seconds }: RateLimit,
  nodes: Pick<NodeAccess, 'shareCounts'> | undefined,
): CountRequest {
  const counts = createRequestCounts({ windowMillis: seconds * 1000, reportedFrom: requests * REPORTED })
  nodes?.shareCounts('requests', counts)
  return (reply, credential) => {
    const { count, millis } = counts.add(credential)
    const wait = Math.ceil(millis / 1000)
    reply.header('Ratelimit', `"default";r=${Math.max(0, requests - count)};t=${wait}`)
    reply.header('Ratelimit-Policy', `"default";q=${requests};w=${seconds}`)
    if (count <= requests) return
    reply.header('Retry-After', String(wait))
    throw new DomainError({ reason: 'rate.exceeded', values: { limit: requests, seconds } })
  }
}
