// HTTP routes for firewall traces.
import { firewallTrace as operations } from '@zonereeve/contract'
import { route, type Route } from '../../../http/index.ts'
import { toDescribedRequest } from '../rulesets/index.ts'
import type { BothTraces } from './firewall-trace.service.ts'
import { toWireComparison, toWireFirewallTrace } from './firewall-trace.wire.ts'

export const firewallTraceRoutes = ({ trace, compare }: BothTraces): Route[] => [
  route(operations.trace, async ({ params, body }) => {
    const { steps, planned = false } = body
    const found = await trace(params.zone_id, toDescribedRequest(body), steps !== 'matched', planned)
    return { result: toWireFirewallTrace(found) }
  }),
  route(operations.compare, async ({ params, body: { requests, planned = false } }) => {
    const found = await compare(params.zone_id, requests.map(toDescribedRequest), planned)
    return { result: toWireComparison(found) }
  }),
]
