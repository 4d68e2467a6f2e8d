// Queries recursive servers in turn until one answers (RFC 1034 §5.3.1).
import type { Name } from '@zonereeve/dns'
import { readAnswer, type Answer } from './answer.ts'
import { createAskServer } from './ask-server.ts'
import { NoAnswer, type Server } from './query.ts'
import type { ResolverLimits } from './limits.ts'
import type { Random } from './question.ts'

/** @throws NoAnswer if no server answers. */
export type Ask = (name: Name, type: number, signal: AbortSignal) => Promise<Answer>

export interface StubOptions {
  /** At least one. */
  readonly servers: readonly Server[]
  readonly random: Random
  readonly limits: ResolverLimits
}

export function createStub({ servers, random, limits }: StubOptions): Ask {
  const askServer = createAskServer({ random, limits, recursion: true })
  /** The server that answered last. */
  let preferred = 0

  return async (name, type, signal) => {
    let problem = 'no server'
    let heard = false
    const first = preferred
    for (let attempt = 0; attempt < limits.attempts && !signal.aborted; attempt += 1) {
      const at = (first + attempt) % servers.length
      const server = servers[at]
      if (server === undefined) break
      try {
        const message = await askServer(server, name, type, signal)
        const answer = readAnswer(message, name, type)
        if (answer !== undefined) {
          preferred = at
          return answer
        }
        problem = `response code ${message.rcode}`
        heard = true
      } catch (error) {
        if (!(error instanceof NoAnswer)) throw error
        problem = error.message
      }
    }
    throw new NoAnswer(problem, heard)
  }
}
