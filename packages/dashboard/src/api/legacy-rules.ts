// The legacy firewall of a zone: packages of managed rules with their groups and rules, firewall rules, page rules.
import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import type {
  firewallRules,
  pageRules,
  wafGroups,
  wafPackages,
  wafRules,
  WireWafPackage,
  WireWafRule,
} from '@zonereeve/contract'
import { call } from './call.ts'
import { zoneKeys } from './zones.ts'

export type {
  WireFirewallRule,
  WirePageRule,
  WireWafGroup,
  WireWafPackage,
  WireWafRule,
} from '@zonereeve/contract'

const base = (zoneId: string) => [...zoneKeys.of(zoneId), 'legacy'] as const
const PACKAGES = '/zones/{zone_id}/firewall/waf/packages'
const MAX_ROWS = 1_000

export const legacyPackages = (zoneId: string) =>
  queryOptions({
    queryKey: [...base(zoneId), 'packages'],
    queryFn: async ({ signal }) => {
      const input = { params: { zone_id: zoneId } }
      return (await call<typeof wafPackages.list>({ method: 'GET', path: PACKAGES }, input, { signal }))
        .result
    },
  })

export const legacyGroups = (zoneId: string, packageId: string) =>
  queryOptions({
    queryKey: [...base(zoneId), 'groups', packageId],
    queryFn: async ({ signal }) => {
      const route = { method: 'GET', path: `${PACKAGES}/{package_id}/groups` } as const
      const input = { params: { zone_id: zoneId, package_id: packageId }, query: { per_page: MAX_ROWS } }
      return (await call<typeof wafGroups.list>(route, input, { signal })).result
    },
  })

/** Rules of one group, with these words in their description. */
export const legacyRules = (zoneId: string, packageId: string, groupId: string, words: string) =>
  queryOptions({
    queryKey: [...base(zoneId), 'rules', packageId, groupId, words],
    placeholderData: keepPreviousData,
    queryFn: async ({ signal }) => {
      const route = { method: 'GET', path: `${PACKAGES}/{package_id}/rules` } as const
      const query = {
        group_id: groupId,
        per_page: MAX_ROWS,
        ...(words === '' ? {} : { description: words }),
      }
      const input = { params: { zone_id: zoneId, package_id: packageId }, query }
      return call<typeof wafRules.list>(route, input, { signal })
    },
  })

export type PackageChange = Partial<Pick<WireWafPackage, 'sensitivity' | 'action_mode'>>

export function changePackage(zoneId: string, packageId: string, body: PackageChange) {
  const route = { method: 'PATCH', path: `${PACKAGES}/{package_id}` } as const
  return call<typeof wafPackages.edit>(route, { params: { zone_id: zoneId, package_id: packageId }, body })
}

export function switchGroup(zoneId: string, packageId: string, groupId: string, mode: 'on' | 'off') {
  const route = { method: 'PATCH', path: `${PACKAGES}/{package_id}/groups/{group_id}` } as const
  const params = { zone_id: zoneId, package_id: packageId, group_id: groupId }
  return call<typeof wafGroups.edit>(route, { params, body: { mode } })
}

export function changeLegacyRule(
  zoneId: string,
  { id, package_id: packageId }: WireWafRule,
  mode: WireWafRule['mode'],
) {
  const route = { method: 'PATCH', path: `${PACKAGES}/{package_id}/rules/{rule_id}` } as const
  const params = { zone_id: zoneId, package_id: packageId, rule_id: id }
  return call<typeof wafRules.edit>(route, { params, body: { mode } })
}

const FIREWALL_RULES = '/zones/{zone_id}/firewall/rules'

export const firewallRulesOf = (zoneId: string) =>
  queryOptions({
    queryKey: [...base(zoneId), 'firewall rules'],
    queryFn: async ({ signal }) => {
      const route = { method: 'GET', path: FIREWALL_RULES } as const
      const input = { params: { zone_id: zoneId }, query: { per_page: MAX_ROWS } }
      return (await call<typeof firewallRules.list>(route, input, { signal })).result
    },
  })

export function pauseFirewallRule(zoneId: string, ruleId: string, paused: boolean) {
  const route = { method: 'PATCH', path: `${FIREWALL_RULES}/{rule_id}` } as const
  return call<typeof firewallRules.edit>(route, {
    params: { zone_id: zoneId, rule_id: ruleId },
    body: { paused },
  })
}

const PAGE_RULES = '/zones/{zone_id}/pagerules'

export const pageRulesOf = (zoneId: string) =>
  queryOptions({
    queryKey: [...base(zoneId), 'page rules'],
    queryFn: async ({ signal }) => {
      const route = { method: 'GET', path: PAGE_RULES } as const
      return (await call<typeof pageRules.list>(route, { params: { zone_id: zoneId } }, { signal })).result
    },
  })

export function switchPageRule(zoneId: string, ruleId: string, status: 'active' | 'disabled') {
  const route = { method: 'PATCH', path: `${PAGE_RULES}/{pagerule_id}` } as const
  const params = { zone_id: zoneId, pagerule_id: ruleId }
  return call<typeof pageRules.edit>(route, { params, body: { status } })
}
