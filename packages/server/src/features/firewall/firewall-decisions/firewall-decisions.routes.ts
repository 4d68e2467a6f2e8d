// HTTP routes for decisions about requests.
import { firewallDecisions as operations } from '@zonereeve/contract'
import { route, type Route } from '../../../http/index.ts'
import { toDescribedRequest } from '../rulesets/index.ts'
import type { FirewallDecisions } from './firewall-decisions.service.ts'
import { toWireDecision } from './firewall-decisions.wire.ts'

export const firewallDecisionRoutes = ({ decide }: FirewallDecisions): Route[] => [
  route(operations.decide, async ({ params, body }) => {
    const decision = await decide(params.zone_id, toDescribedRequest(body))
    return { result: toWireDecision(decision), notices: decision.notices }
  }),
]
