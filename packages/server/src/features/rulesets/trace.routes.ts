// HTTP for asking what the firewall would do.
import { firewallTrace } from '@zonereeve/contract'
import { route, type Route } from '../../http/index.ts'
import type { FirewallTrace } from './trace.service.ts'
import { toDescribedRequest, toWireVerdict } from './trace.wire.ts'

export const firewallTraceRoutes = ({ trace }: FirewallTrace): Route[] => [
  route(firewallTrace.trace, async ({ params, body }) => ({
    result: {
      new: toWireVerdict(await trace(params.zone_id, toDescribedRequest(body), body.steps !== 'matched')),
    },
  })),
]
