// What the firewall would do with a described request. Nothing is sent, counted or changed.
import type { firewallTrace, StaticOf, WireFirewallTrace, WireVerdict } from '@zonereeve/contract'
import { call } from './call.ts'

export type { WireFirewallTrace } from '@zonereeve/contract'
export type TraceStep = WireVerdict['steps'][number]
export type TracedRequest = StaticOf<(typeof firewallTrace.trace)['body']>

export async function traceRequest(zoneId: string, request: TracedRequest): Promise<WireFirewallTrace> {
  const route = { method: 'POST', path: '/zonereeve/zones/{zone_id}/firewall/trace' } as const
  return (await call<typeof firewallTrace.trace>(route, { params: { zone_id: zoneId }, body: request }))
    .result
}
