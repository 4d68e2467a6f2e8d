// Decides about a described request.
import type { ResponseFacts } from '@zonereeve/expr'
import { throwIfIssues } from '@zonereeve/platform'
import {
  decideRequest,
  type DecidingZone,
  type DescribedRequest,
  type DescribedZone,
  readDescribedRequest,
  type Decision,
  inspect,
  type InspectedRequest,
  completeFacts,
  warmUp,
  warmUpDecisions,
} from '@zonereeve/firewall'

export interface FirewallAnswer extends Decision {
  readonly request: InspectedRequest
  /** As described; undefined if it was not. */
  readonly described: ResponseFacts | undefined
}

export interface AskOptions {
  readonly nowMillis: number
  /** True for every step, and for the legacy WAF even if a ruleset has ended the request. */
  readonly isTrace: boolean
  /** True to include rules that did not match. */
  readonly isTracing?: boolean
}

/** @throws DomainError: firewall.trace, with all issues of the description. */
export async function askFirewall(
  deciding: DecidingZone,
  described: DescribedRequest,
  zone: DescribedZone,
  { nowMillis, isTrace, isTracing = false }: AskOptions,
): Promise<FirewallAnswer> {
  const read = readDescribedRequest(described, zone, nowMillis)
  if (!('facts' in read)) return rejectAll(read)
  await warmUpDecisions()
  const request = inspect(completeFacts(read.facts, deciding), read.body)
  await warmUp(deciding.firewall, request)
  return {
    ...decideRequest(deciding, request, { isTracing, isComplete: isTrace }),
    request,
    described: read.response,
  }
}

function rejectAll(issues: Parameters<typeof throwIfIssues>[0]): never {
  throwIfIssues(issues)
  throw new Error('a request that cannot be read has issues')
}
