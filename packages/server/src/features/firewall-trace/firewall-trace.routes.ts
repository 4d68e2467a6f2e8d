// HTTP for traces.
import { firewallTrace as operations } from '@zonereeve/contract'
import { route, type Route } from '../../http/index.ts'
import type { FirewallTrace } from './firewall-trace.service.ts'
import { readTracedRequest, toWireTrace } from './firewall-trace.wire.ts'

export const firewallTraceRoutes = ({ trace }: FirewallTrace): Route[] => [
  route(operations.trace, async ({ params, body }) => ({
    result: toWireTrace(await trace(params.zone_id, readTracedRequest(body), body.planned ?? false)),
  })),
]
