// Queries the nameservers of one zone, one after another until one answers authoritatively, within the limits of the
// scan. A server that keeps failing is dropped.
import type { Name } from '@zonereeve/dns'
import { NoAnswer, type AskServer, type Server } from '@zonereeve/resolver'
import type { DnsScanLimits } from './limits.ts'
import { readZoneAnswer, type ZoneAnswer } from './zone-answer.ts'

export interface NameserverClient {
  /** @returns undefined if no server answers: then the scan is incomplete. Never rejects. */
  ask(name: Name, type: number): Promise<ZoneAnswer | undefined>
  /** Whether every query was answered. */
  readonly isComplete: boolean
  /** Whether any server ever answered authoritatively. */
  readonly wasHeard: boolean
}

export interface NameserverClientDeps {
  readonly apex: Name
  readonly servers: readonly Server[]
  readonly askServer: AskServer
  readonly limits: DnsScanLimits
  readonly signal: AbortSignal
}

export function createNameserverClient(deps: NameserverClientDeps): NameserverClient {
  const { apex, askServer, limits, signal } = deps
  const live = deps.servers.map((server) => ({ server, failures: 0 }))
  let questions = 0
  let isComplete = true
  let wasHeard = false

  return {
    async ask(name, type) {
      const answer = await firstAnswer(name, type)
      if (answer === undefined) isComplete = false
      else wasHeard = true
      return answer
    },
    get isComplete() {
      return isComplete
    },
    get wasHeard() {
      return wasHeard
    },
  }

  async function firstAnswer(name: Name, type: number): Promise<ZoneAnswer | undefined> {
    for (let attempt = 0; attempt < limits.attempts; attempt += 1) {
      const place = live[attempt % Math.max(1, live.length)]
      if (place === undefined || signal.aborted || questions >= limits.questions) return undefined
      questions += 1
      const answer = await oneAnswer(place.server, name, type)
      if (answer !== undefined) {
        place.failures = 0
        return answer
      }
      place.failures += 1
      const at = live.indexOf(place)
      if (place.failures >= limits.failuresUntilDropped && at !== -1) live.splice(at, 1)
    }
    return undefined
  }

  async function oneAnswer(server: Server, name: Name, type: number): Promise<ZoneAnswer | undefined> {
    try {
      return readZoneAnswer(await askServer(server, name, type, signal), name, type, apex)
    } catch (error) {
      if (error instanceof NoAnswer) return undefined
      throw error
    }
  }
}
