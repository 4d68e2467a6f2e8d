// What decides about the requests to a zone, read and compiled once and kept until something of it changes.
import { compileExpression, type Condition } from '@zonereeve/expr'
import type { Storage } from '../../storage/index.ts'
import { lastNumbers, readSettled } from '../changes/index.ts'
import { REQUEST_SCHEME } from '../filters/index.ts'
import type { Firewall, Firewalls } from '../rulesets/index.ts'
import {
  previousFirewallOf,
  stateOf,
  type MigrationState,
  type PreviousFirewall,
} from '../waf-migration/index.ts'
import { demandZone } from '../zones/index.ts'

export interface Configuration {
  readonly firewall: Firewall
  /** With the zone itself. */
  readonly previous: PreviousFirewall
  readonly state: MigrationState
  /** Conditions of the previous firewall, compiled when they are first asked for. */
  readonly conditionOf: (expression: string) => Condition
  /** The last changes of the zone and of its account that are in it. */
  readonly numbers: readonly number[]
}

/** Zones whose configurations are kept; the one that was asked for longest ago goes first. */
export const MAX_CONFIGURATIONS = 200

export type Configurations = ReturnType<typeof createConfigurations>

export interface ConfigurationsDeps {
  readonly storage: Storage
  readonly firewalls: Firewalls
}

export function createConfigurations({ storage, firewalls }: ConfigurationsDeps) {
  const kept = new Map<string, Configuration>()
  const loading = new Map<string, Promise<Configuration>>()
  return { of }

  /** As it is when it is asked for, or later. @throws DomainError: zone.unknown. */
  async function of(zoneId: string): Promise<Configuration> {
    const known = kept.get(zoneId)
    if (known !== undefined && (await isPresent(known))) {
      kept.delete(zoneId)
      kept.set(zoneId, known)
      return known
    }
    // Somebody else's may have been read before the change that this one must see.
    const others = await loading.get(zoneId)
    if (others !== undefined && (await isPresent(others))) return others
    const loaded = load(zoneId)
    loading.set(zoneId, loaded)
    try {
      return keep(zoneId, await loaded)
    } finally {
      if (loading.get(zoneId) === loaded) loading.delete(zoneId)
    }
  }

  async function isPresent({ previous: { zone }, numbers }: Configuration): Promise<boolean> {
    const present = await lastNumbers(storage, [zone.id, zone.accountId])
    return present.every((number, index) => number === numbers[index])
  }

  async function load(zoneId: string): Promise<Configuration> {
    const { accountId } = await demandZone(storage, zoneId)
    const { value, numbers } = await readSettled(storage, [zoneId, accountId], async (db) => ({
      firewall: await firewalls.of(zoneId, db),
      previous: await previousFirewallOf(db, zoneId),
      state: await stateOf(db, zoneId),
    }))
    return { ...value, numbers, conditionOf: keepConditions() }
  }

  function keep(zoneId: string, loaded: Configuration): Configuration {
    kept.delete(zoneId)
    kept.set(zoneId, loaded)
    if (kept.size > MAX_CONFIGURATIONS) {
      const [oldest] = kept.keys()
      if (oldest !== undefined) kept.delete(oldest)
    }
    return loaded
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
