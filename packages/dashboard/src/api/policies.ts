// Content security policies of a zone, what they would block, and what they did block.
import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import type {
  pageShieldPolicies,
  pageShieldPolicyTools,
  WirePolicy,
  WireSimulation,
  WireSuggestion,
  WireViolation,
} from '@zonereeve/contract'
import { call } from './call.ts'
import { listPage } from './monitoring.ts'
import { zoneKeys } from './zones.ts'

export type { WirePolicy, WireSimulation, WireSuggestion, WireViolation } from '@zonereeve/contract'

/** What the form has of a policy. */
export interface PolicyDraft {
  readonly description: string
  readonly action: WirePolicy['action']
  readonly expression: string
  readonly enabled: boolean
  readonly value: string
}

const base = (zoneId: string) => [...zoneKeys.of(zoneId), 'policies'] as const
const ROOT = '/zones/{zone_id}/page_shield/policies'
const ONE = `${ROOT}/{policy_id}` as const
const MAX_POLICIES = 1000

export const policiesOf = (zoneId: string) =>
  queryOptions({
    queryKey: [...base(zoneId), 'list'],
    queryFn: async ({ signal }): Promise<readonly WirePolicy[]> => {
      const route = { method: 'GET', path: ROOT } as const
      const input = { params: { zone_id: zoneId }, query: { per_page: MAX_POLICIES } }
      return (await call<typeof pageShieldPolicies.list>(route, input, { signal })).result
    },
  })

export async function savePolicy(zoneId: string, id: string | undefined, body: PolicyDraft): Promise<void> {
  if (id === undefined) {
    const route = { method: 'POST', path: ROOT } as const
    await call<typeof pageShieldPolicies.create>(route, { params: { zone_id: zoneId }, body })
    return
  }
  const route = { method: 'PUT', path: ONE } as const
  await call<typeof pageShieldPolicies.update>(route, { params: { zone_id: zoneId, policy_id: id }, body })
}

export async function deletePolicy(zoneId: string, id: string): Promise<void> {
  const route = { method: 'DELETE', path: ONE } as const
  await call<typeof pageShieldPolicies.remove>(route, { params: { zone_id: zoneId, policy_id: id } })
}

/** What a policy would block of what was detected on the pages that match its expression. */
export const simulationOf = (zoneId: string, policy: Pick<PolicyDraft, 'value' | 'expression'>) =>
  queryOptions({
    queryKey: [...base(zoneId), 'simulation', policy.value, policy.expression],
    placeholderData: keepPreviousData,
    queryFn: async ({ signal }): Promise<WireSimulation> => {
      const route = {
        method: 'POST',
        path: '/zonereeve/zones/{zone_id}/page_shield/policies/simulate',
      } as const
      const body = { value: policy.value, expression: policy.expression }
      const input = { params: { zone_id: zoneId }, body }
      return (await call<typeof pageShieldPolicyTools.simulate>(route, input, { signal })).result
    },
  })

export const suggestionOf = (zoneId: string) =>
  queryOptions({
    queryKey: [...base(zoneId), 'suggestion'],
    // The form starts with it.
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
    queryFn: async ({ signal }): Promise<WireSuggestion> => {
      const route = {
        method: 'GET',
        path: '/zonereeve/zones/{zone_id}/page_shield/policies/suggestion',
      } as const
      const input = { params: { zone_id: zoneId } }
      return (await call<typeof pageShieldPolicyTools.suggestion>(route, input, { signal })).result
    },
  })

export interface ViolationFilter {
  readonly policy_id?: string
  readonly directive?: string
}

export const violationsPage = (zoneId: string, filter: ViolationFilter, page: number) =>
  listPage<WireViolation>([...base(zoneId), 'violations', filter], page, ({ per_page: perPage }, signal) => {
    const route = { method: 'GET', path: '/zonereeve/zones/{zone_id}/page_shield/violations' } as const
    const input = { params: { zone_id: zoneId }, query: { ...filter, page, per_page: perPage } }
    return call<typeof pageShieldPolicyTools.violations>(route, input, { signal })
  })
