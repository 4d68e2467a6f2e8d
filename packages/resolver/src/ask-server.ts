// Sends one query to one server: UDP first, TCP if needed, without EDNS if the server does not support it.
import { type Message, type Name, RCODE } from '@zonereeve/dns'
import { queryTcp, queryUdp, type Server } from './query.ts'
import type { ResolverLimits } from './limits.ts'
import { createQuestion, type Random } from './question.ts'

/** @throws NoAnswer if no reply answers the query. */
export type AskServer = (server: Server, name: Name, type: number, signal: AbortSignal) => Promise<Message>

export interface AskServerOptions {
  readonly random: Random
  readonly limits: Pick<ResolverLimits, 'attemptMs' | 'wrongReplies'>
  readonly recursion: boolean
}

export function createAskServer({ random, limits, recursion }: AskServerOptions): AskServer {
  return async (server, name, type, signal) => {
    const message = await queryServer(server, name, type, true, signal)
    // A server from before EDNS (RFC 6891 §7).
    const rejectsEdns = message.rcode === RCODE.FORMERR || message.rcode === RCODE.NOTIMP
    return rejectsEdns ? queryServer(server, name, type, false, signal) : message
  }

  async function queryServer(
    server: Server,
    name: Name,
    type: number,
    edns: boolean,
    signal: AbortSignal,
  ): Promise<Message> {
    const patience = { timeoutMs: limits.attemptMs, wrongReplies: limits.wrongReplies, signal }
    const options = { name, type, edns, recursion }
    const overUdp = await queryUdp(server, createQuestion(options, random), patience)
    return overUdp === 'tcp' ? queryTcp(server, createQuestion(options, random), patience) : overUdp
  }
}
