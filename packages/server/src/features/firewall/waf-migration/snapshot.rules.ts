// The legacy firewall at the time of the migration, to look up later what was configured.
import type { LegacyFirewall } from './legacy-firewall.ts'

export interface SnapshotContent {
  readonly wafOn: boolean
  readonly packages: readonly {
    readonly id: string
    readonly name: string
    /** null for packages without scores. */
    readonly score: { readonly sensitivity: string; readonly actionMode: string } | null
    readonly groups: readonly {
      readonly id: string
      readonly name: string
      readonly mode: string
      readonly rules: readonly { readonly id: string; readonly mode: string }[]
    }[]
  }[]
  readonly firewallRules: readonly {
    readonly id: string
    readonly action: string
    readonly products: readonly string[]
    readonly priority: number | null
    readonly paused: boolean
    readonly description: string | null
    readonly filter: { readonly id: string; readonly expression: string; readonly paused: boolean }
  }[]
  readonly pageRules: readonly {
    readonly id: string
    readonly targets: readonly unknown[]
    readonly actions: readonly unknown[]
    readonly priority: number
    readonly status: string
  }[]
}

export interface Snapshot extends SnapshotContent {
  readonly zoneId: string
  readonly takenOn: string
}

/** The whole configuration except overrides: a zone can migrate only without any. */
export function snapshotOf(previous: LegacyFirewall, takenOn: string): Snapshot {
  return {
    zoneId: previous.zone.id,
    takenOn,
    wafOn: previous.wafOn,
    packages: previous.packages.map(({ id, name, score, groups }) => ({
      id,
      name,
      score,
      groups: groups.map((group) => ({
        id: group.id,
        name: group.name,
        mode: group.mode,
        rules: group.rules.map((rule) => ({ id: rule.id, mode: rule.mode })),
      })),
    })),
    firewallRules: previous.firewallRules.map(({ rule, filter }) => ({
      id: rule.id,
      action: rule.action,
      products: rule.products,
      priority: rule.priority,
      paused: rule.paused,
      description: rule.description,
      filter: { id: filter.id, expression: filter.expression, paused: filter.paused },
    })),
    pageRules: previous.pageRules.map(({ id, targets, actions, priority, status }) => ({
      id,
      targets,
      actions,
      priority,
      status,
    })),
  }
}
