// The migration of a zone from the legacy managed rules to rulesets: its state, what each step would do, and the steps.
import { queryOptions } from '@tanstack/react-query'
import type {
  changes,
  firewallTrace,
  securityEvents,
  wafMigration,
  wafMigrationSteps,
  wafPackages,
  WireFirewallComparison,
  WireSecurityEvent,
  WireWafMigrationConfig,
  zoneRulesets,
} from '@zonereeve/contract'
import type { RecordedRequest } from '@zonereeve/firewall/recorded-requests.ts'
import { ApiError, call } from './call.ts'
import { zoneKeys } from './zones.ts'

export type { WireFirewallComparison, WireSecurityEvent } from '@zonereeve/contract'
export type MigrationState = 'start' | 'validation' | 'done'
export type ConfigRule = WireWafMigrationConfig['rules'][number]

const PHASE = 'http_request_firewall_managed'
const PHASE_TWO = { phase_two: '1' } as const

const keysOf = (zoneId: string) => [...zoneKeys.of(zoneId), 'migration'] as const

export const migrationStatus = (zoneId: string) =>
  queryOptions({
    queryKey: [...keysOf(zoneId), 'status'],
    queryFn: async ({ signal }) => {
      const route = { method: 'GET', path: '/zones/{zone_id}/waf_migration/status' } as const
      const params = { zone_id: zoneId }
      return (await call<typeof wafMigration.status>(route, { params }, { signal })).result
    },
  })

/** Whether a step would succeed; obstacles are in `messages`. */
export const migrationCheck = (zoneId: string) =>
  queryOptions({
    queryKey: [...keysOf(zoneId), 'check'],
    queryFn: ({ signal }) => {
      const route = { method: 'GET', path: '/zones/{zone_id}/waf_migration/check' } as const
      return call<typeof wafMigration.check>(
        route,
        { params: { zone_id: zoneId }, query: PHASE_TWO },
        { signal },
      )
    },
  })

/** The rules that would be deployed; what is left out is in `messages`. */
export const migrationConfig = (zoneId: string) =>
  queryOptions({
    queryKey: [...keysOf(zoneId), 'config'],
    queryFn: ({ signal }) => {
      const route = { method: 'GET', path: '/zones/{zone_id}/waf_migration/config' } as const
      return call<typeof wafMigration.config>(
        route,
        { params: { zone_id: zoneId }, query: PHASE_TWO },
        { signal },
      )
    },
  })

const CONFIG_PATH = (zoneId: string): string => `/client/v4/zones/${zoneId}/waf_migration/config?phase_two=1`
export const configPath = CONFIG_PATH
export const snapshotPath = (zoneId: string): string =>
  `/client/v4/zonereeve/zones/${zoneId}/waf_migration/snapshot`

/** The sensitivity and action of the OWASP package; undefined if it cannot be read. */
export const owaspPackage = (zoneId: string) =>
  queryOptions({
    queryKey: [...keysOf(zoneId), 'packages'],
    queryFn: async ({ signal }) => {
      const route = { method: 'GET', path: '/zones/{zone_id}/firewall/waf/packages' } as const
      const { result } = await call<typeof wafPackages.list>(
        route,
        { params: { zone_id: zoneId } },
        { signal },
      )
      return result.find(({ sensitivity }) => sensitivity !== undefined) ?? null
    },
  })

/** The current rules of the managed phase; null if the zone never had any. */
export const entryPoint = (zoneId: string) =>
  queryOptions({
    queryKey: [...keysOf(zoneId), 'entry point'],
    queryFn: async ({ signal }) => {
      const route = {
        method: 'GET',
        path: '/zones/{zone_id}/rulesets/phases/{ruleset_phase}/entrypoint',
      } as const
      const params = { zone_id: zoneId, ruleset_phase: PHASE } as const
      try {
        return (await call<typeof zoneRulesets.entryPoint>(route, { params }, { signal })).result
      } catch (error) {
        if (error instanceof ApiError && error.status === 404) return null
        throw error
      }
    },
  })

/** The change sets of the migration, newest first: when, and by whom. */
export const migrationChanges = (zoneId: string) =>
  queryOptions({
    queryKey: [...keysOf(zoneId), 'changes'],
    queryFn: async ({ signal }) => {
      const route = { method: 'GET', path: '/zonereeve/zones/{zone_id}/changes' } as const
      const query = { kind: 'waf_migration', per_page: 10 }
      const input = { params: { zone_id: zoneId }, query }
      return (await call<typeof changes.list>(route, input, { signal })).result
    },
  })

export const snapshotOf = (zoneId: string) =>
  queryOptions({
    queryKey: [...keysOf(zoneId), 'snapshot'],
    queryFn: async ({ signal }) => {
      const route = {
        method: 'GET',
        path: '/zonereeve/zones/{zone_id}/waf_migration/snapshot',
      } as const
      const params = { zone_id: zoneId }
      return (await call<typeof wafMigrationSteps.snapshot>(route, { params }, { signal })).result
    },
  })

export const EVENTS_READ = 1_000

export interface ProductEvents {
  readonly events: readonly WireSecurityEvent[]
  /** Whether there are older ones, which were not read. */
  readonly isCut: boolean
}

/** The newest events of one product since a time. */
export const productEvents = (zoneId: string, source: 'firewallManaged' | 'waf', since: string) =>
  queryOptions({
    queryKey: [...keysOf(zoneId), 'events', source, since],
    refetchInterval: 15_000,
    queryFn: async ({ signal }): Promise<ProductEvents> => {
      const route = { method: 'GET', path: '/zonereeve/zones/{zone_id}/security/events' } as const
      const query = { source, since, per_page: EVENTS_READ }
      const { result } = await call<typeof securityEvents.list>(
        route,
        { params: { zone_id: zoneId }, query },
        { signal },
      )
      return { events: result, isCut: result.length === EVENTS_READ }
    },
  })

/** @param expected Where the step leads as the reader was shown; the server refuses any other. */
export function deploy(zoneId: string, expected: 'validation' | 'done') {
  const route = { method: 'POST', path: '/zonereeve/zones/{zone_id}/waf_migration/deploy' } as const
  const input = { params: { zone_id: zoneId }, query: { expected_state: expected }, body: {} }
  return call<typeof wafMigrationSteps.deploy>(route, input)
}

/** Replaces the new rules during the validation by those that the legacy settings lead to now. */
export function deployAgain(zoneId: string, rules: readonly ConfigRule[]) {
  const route = {
    method: 'PUT',
    path: '/zones/{zone_id}/rulesets/phases/{ruleset_phase}/entrypoint',
  } as const
  return call<typeof zoneRulesets.updateEntryPoint>(route, {
    params: { zone_id: zoneId, ruleset_phase: PHASE },
    query: { waf_migration: 'validation', ...PHASE_TWO },
    // As `config` returns it: the server reads the empty ids of rules to be created as none.
    body: { name: 'default', rules: [...rules] },
  })
}

export function turnOffPrevious(zoneId: string) {
  const route = {
    method: 'POST',
    path: '/zonereeve/zones/{zone_id}/waf_migration/turn_off_previous',
  } as const
  return call<typeof wafMigrationSteps.turnOffLegacy>(route, { params: { zone_id: zoneId }, body: {} })
}

/** What both versions decide about these requests. */
export async function compareRequests(
  zoneId: string,
  requests: readonly RecordedRequest[],
  isPlanned: boolean,
): Promise<WireFirewallComparison> {
  const route = { method: 'POST', path: '/zonereeve/zones/{zone_id}/firewall/compare' } as const
  const described = requests.map(({ place: _place, headers, ...request }) => ({
    ...request,
    headers: Object.fromEntries(Object.entries(headers).map(([name, values]) => [name, [...values]])),
  }))
  const body = { requests: described, planned: isPlanned }
  return (await call<typeof firewallTrace.compare>(route, { params: { zone_id: zoneId }, body })).result
}
