// The previous product as one zone has it set up: what its decision needs, and nothing of how that is stored.

export type LegacySensitivity = 'high' | 'medium' | 'low' | 'off'
export type LegacyActionMode = 'simulate' | 'block' | 'challenge'
/** Of rules that refuse the first five, of all others `on` or `off`. */
export type LegacyRuleMode = 'default' | 'disable' | 'simulate' | 'block' | 'challenge' | 'on' | 'off'
export type LegacyOverrideAction = 'default' | 'disable' | 'simulate' | 'block' | 'challenge'

export interface LegacyConfiguration {
  /** The zone setting `waf`. A few rules stay on without it. */
  readonly wafOn: boolean
  /** The two attributes of the anomaly package. */
  readonly packages: {
    readonly sensitivity: LegacySensitivity
    readonly actionMode: LegacyActionMode
  }
  /** By id of the group; `on` where it is not there. */
  readonly groupModes: ReadonlyMap<string, 'on' | 'off'>
  /** By old id of the rule; the default where it is not there. */
  readonly ruleModes: ReadonlyMap<string, LegacyRuleMode>
  readonly overrides: readonly LegacyOverride[]
}

/** An exception for some URLs. */
export interface LegacyOverride {
  readonly id: string
  /** `example.com/admin/*`, with or without a scheme; `*` is any run of characters. */
  readonly urls: readonly string[]
  /** Lower is stronger. */
  readonly priority: number
  readonly isPaused: boolean
  readonly groups: ReadonlyMap<string, LegacyOverrideAction>
  readonly rules: ReadonlyMap<string, LegacyOverrideAction>
  /** What is done in the place of an action that a rule would take. */
  readonly rewriteAction: ReadonlyMap<LegacyOverrideAction, LegacyOverrideAction>
}

/** How a zone begins: everything at its default. */
export const DEFAULT_LEGACY_CONFIGURATION: LegacyConfiguration = {
  wafOn: true,
  packages: { sensitivity: 'high', actionMode: 'challenge' },
  groupModes: new Map(),
  ruleModes: new Map(),
  overrides: [],
}
