// Everything that decides about requests to a zone, read and compiled once and cached until part of it changes.
import { BoundedMap } from '@zonereeve/cooperate'
import { compileExpression, requestContext, type Condition } from '@zonereeve/expr'
import type { Storage } from '../../../storage/index.ts'
import { readConsistently } from '../../changes/index.ts'
import { REQUEST_SCHEME, type InspectedRequest } from '@zonereeve/firewall'
import type { Firewall, Firewalls } from '../rulesets/index.ts'
import {
  decideLegacyFirewall,
  legacyFirewallOf,
  stateOf,
  type MigrationState,
  type ZoneLegacyDecision,
  type LegacyFirewall,
} from '../waf-migration/index.ts'
import { requireZone } from '../../zones/index.ts'

export interface Configuration {
  readonly firewall: Firewall
  /** Includes the zone itself. */
  readonly legacy: LegacyFirewall
  readonly state: MigrationState
  /** Conditions of the legacy firewall, compiled on first use. */
  readonly conditionOf: (expression: string) => Condition
}

/** Maximum zones in the cache; the least recently used one is evicted first. */
export const MAX_CONFIGURATIONS = 200

export type Configurations = ReturnType<typeof createConfigurations>

export interface ConfigurationsDeps {
  readonly storage: Storage
  readonly firewalls: Firewalls
}

export function createConfigurations({ storage, firewalls }: ConfigurationsDeps) {
  const remaining = new BoundedMap<string, Configuration>(MAX_CONFIGURATIONS)
  const loading = new Map<string, Promise<Configuration>>()
  return { of, forget }

  /**
   * The configuration at the time of the call, or later.
   * @throws DomainError: zone.unknown.
   */
  async function of(zoneId: string): Promise<Configuration> {
    const known = remaining.touch(zoneId)
    if (known !== undefined) return known
    const others = loading.get(zoneId)
    if (others !== undefined) return others
    const loaded = load(zoneId)
    loading.set(zoneId, loaded)
    try {
      const configuration = await loaded
      // Part of it may have changed while it was read or compiled.
      if (loading.get(zoneId) === loaded) remaining.set(zoneId, configuration)
      return configuration
    } finally {
      if (loading.get(zoneId) === loaded) loading.delete(zoneId)
    }
  }

  /** Removes the cached configurations of a zone or account that changed. */
  function forget(scopeId: string): void {
    remaining.delete(scopeId)
    for (const [zoneId, { legacy }] of remaining)
      if (legacy.zone.accountId === scopeId) remaining.delete(zoneId)
    // The account of a zone that is still loading is unknown, so all of these are dropped.
    loading.clear()
  }

  async function load(zoneId: string): Promise<Configuration> {
    const { accountId } = await requireZone(storage, zoneId)
    const { value } = await readConsistently(storage, [zoneId, accountId], async (db) => ({
      firewall: await firewalls.of(zoneId, db),
      legacy: await legacyFirewallOf(db, zoneId),
      state: await stateOf(db, zoneId),
    }))
    return { ...value, conditionOf: keepConditions() }
  }
}

function keepConditions(): Configuration['conditionOf'] {
  const compiled = new Map<string, Condition>()
  return (expression) => {
    const condition = compiled.get(expression) ?? compileExpression(expression, REQUEST_SCHEME)
    compiled.set(expression, condition)
    return condition
  }
}

/** The decision of the legacy rules about a request, after the new rules. */
export function askLegacy(
  { legacy, conditionOf }: Configuration,
  request: InspectedRequest,
  skippedProducts: readonly string[],
): ZoneLegacyDecision {
  const context = requestContext(REQUEST_SCHEME, request.facts)
  const isMatching = (expression: string): boolean => conditionOf(expression)(context)
  return decideLegacyFirewall(legacy, request, isMatching, skippedProducts.includes('waf'))
}
