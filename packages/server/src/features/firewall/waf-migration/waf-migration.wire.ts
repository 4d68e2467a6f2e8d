// Conversion of the migration between the wire format and the domain types.
import type {
  WireWafCompatibility,
  WireWafMigrationConfig,
  WireWafMigrationSnapshot,
  WireWafMigrationStatus,
} from '@zonereeve/contract'
import type { MigrationPhase } from './eligibility.rules.ts'
import type { MigratedRule } from './migrated-config.rules.ts'
import type { Snapshot } from './snapshot.rules.ts'
import type { Compatibility, MigrationStatus } from './waf-migration.service.ts'

/** Reads the query parameter; phase one if it is not sent. */
export const readPhase = (phaseTwo: string | undefined): MigrationPhase =>
  phaseTwo === '1' || phaseTwo === 'true' ? 'two' : 'one'

export const toWireCompatibility = ({ isCompatible, state }: Compatibility): WireWafCompatibility => ({
  compatible: isCompatible,
  migration_state: state,
})

const onOff = (isOn: boolean) => (isOn ? 'enabled' : 'disabled')

export const toWireStatus = ({ state, isLegacyOn, isNewOn }: MigrationStatus): WireWafMigrationStatus => ({
  migration_state: state,
  old_waf: onOff(isLegacyOn),
  new_waf: onOff(isNewOn),
})

/** As the live API returns it: IDs that do not exist yet are empty strings. */
export const toWireConfig = (rules: readonly MigratedRule[]): WireWafMigrationConfig => ({
  name: 'default',
  rules: rules.map(({ action, parameters, expression, description, enabled, logging }) => ({
    id: '',
    version: '',
    action,
    expression,
    description,
    ref: '',
    enabled,
    action_parameters: parameters,
    ...(logging === undefined ? {} : { logging }),
  })),
})

export function toWireSnapshot(snapshot: Snapshot): WireWafMigrationSnapshot {
  return {
    zone_id: snapshot.zoneId,
    taken_on: snapshot.takenOn,
    waf: snapshot.wafOn ? 'on' : 'off',
    packages: snapshot.packages.map(({ id, name, score, groups }) => ({
      id,
      name,
      ...(score === null ? {} : { sensitivity: score.sensitivity, action_mode: score.actionMode }),
      groups: groups.map((group) => ({ ...group, rules: [...group.rules] })),
    })),
    firewall_rules: snapshot.firewallRules.map((rule) => ({ ...rule, products: [...rule.products] })),
    page_rules: snapshot.pageRules.map((rule) => ({
      ...rule,
      targets: [...rule.targets],
      actions: [...rule.actions],
    })),
  }
}
