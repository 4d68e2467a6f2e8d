// Everything that decides about requests to a zone, read and compiled once and cached until part of it changes.
import { BoundedMap } from '@zonereeve/cooperate'
import type { Storage } from '@zonereeve/storage'
import { readConsistently } from '../../changes/index.ts'
import {
  compileCredentials,
  compileLists,
  createConditions,
  type DecidingZone,
  withProducts,
} from '@zonereeve/firewall'
import { ALL_ZONES_SCOPE } from '../access-rules/index.ts'
import { productRulesFor } from '../product-rules/index.ts'
import { credentialSettingsOf } from '../leaked-credentials/index.ts'
import { listsForZone } from '../list-references/index.ts'
import { urlNormalizationOf } from '../url-normalization/index.ts'
import type { Firewalls } from '../rulesets/index.ts'
import {
  legacyFirewallOf,
  legacyZoneOf,
  stateOf,
  type MigrationState,
  type LegacyFirewall,
} from '../waf-migration/index.ts'
import { requireZone } from '../../zones/index.ts'

export interface Configuration {
  readonly deciding: DecidingZone
  /** Includes the zone itself. */
  readonly legacy: LegacyFirewall
  readonly state: MigrationState
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
  return { of, forget, forgetAll }

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

  /** Removes the cached configurations of a zone or account that changed, or all of them if rules for all zones did. */
  function forget(scopeId: string): void {
    if (scopeId === ALL_ZONES_SCOPE) return forgetAll()
    remaining.delete(scopeId)
    for (const [zoneId, { legacy }] of remaining)
      if (legacy.zone.accountId === scopeId) remaining.delete(zoneId)
    // The account of a zone that is still loading is unknown, so all of these are dropped.
    loading.clear()
  }

  /** Removes all of them, also those that are still loading. */
  function forgetAll(): void {
    remaining.clear()
    loading.clear()
  }

  async function load(zoneId: string): Promise<Configuration> {
    const { accountId } = await requireZone(storage, zoneId)
    const { value } = await readConsistently(storage, [zoneId, accountId, ALL_ZONES_SCOPE], async (db) => ({
      firewall: withProducts(
        await firewalls.of(zoneId, db),
        await productRulesFor(db, { id: zoneId, accountId }),
      ),
      legacy: await legacyFirewallOf(db, zoneId),
      state: await stateOf(db, zoneId),
      credentials: compileCredentials(await credentialSettingsOf(db, zoneId)),
      normalization: await urlNormalizationOf(db, zoneId),
      lists: compileLists(await listsForZone(db, { id: zoneId, accountId })),
    }))
    const { legacy, state, ...rest } = value
    const deciding = { ...rest, legacy: legacyZoneOf(legacy), conditionOf: createConditions() }
    return { deciding, legacy, state }
  }
}
