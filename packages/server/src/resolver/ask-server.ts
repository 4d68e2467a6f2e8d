// Asks one server one question: UDP first, TCP where that is not enough, without EDNS where the server knows none.
import { RCODE } from '@zonereeve/dns'
import type { Message, Name } from '@zonereeve/dns'
import { exchangeTcp, exchangeUdp, type Server } from './exchange.ts'
import type { ResolverLimits } from './limits.ts'
import { createQuestion, type Random } from './question.ts'

/** @throws NoAnswer when nothing comes that answers the question. */
export type AskServer = (server: Server, name: Name, type: number, signal: AbortSignal) => Promise<Message>

export interface AskServerOptions {
  readonly random: Random
  readonly limits: Pick<ResolverLimits, 'attemptMs' | 'wrongReplies'>
  readonly recursion: boolean
}

export function createAskServer({ random, limits, recursion }: AskServerOptions): AskServer {
  return async (server, name, type, signal) => {
    const message = await exchange(server, name, type, true, signal)
    // A server from before EDNS (RFC 6891 §7).
    const refusesEdns = message.rcode === RCODE.FORMERR || message.rcode === RCODE.NOTIMP
    return refusesEdns ? exchange(server, name, type, false, signal) : message
  }

  async function exchange(
    server: Server,
    name: Name,
    type: number,
    edns: boolean,
    signal: AbortSignal,
  ): Promise<Message> {
    const patience = { timeoutMs: limits.attemptMs, wrongReplies: limits.wrongReplies, signal }
    const asked = { name, type, edns, recursion }
    const overUdp = await exchangeUdp(server, createQuestion(asked, random), patience)
    return overUdp === 'tcp' ? exchangeTcp(server, createQuestion(asked, random), patience) : overUdp
  }
}
