// The legacy WAF configuration of one zone: what decisions need, independent of storage.

export type LegacySensitivity = 'high' | 'medium' | 'low' | 'off'
export type LegacyActionMode = 'simulate' | 'block' | 'challenge'
/** Blocking rules have one of the first five, all others `on` or `off`. */
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
  /** By ID of the group; default `on`. */
  readonly groupModes: ReadonlyMap<string, 'on' | 'off'>
  /** By legacy ID of the rule; default: the rule's default mode. */
  readonly ruleModes: ReadonlyMap<string, LegacyRuleMode>
  readonly overrides: readonly LegacyOverride[]
}

/** An exception for some URLs. */
export interface LegacyOverride {
  readonly id: string
  /** `example.com/admin/*`, with or without a scheme; `*` matches any characters. */
  readonly urls: readonly string[]
  /** The lower number wins. */
  readonly priority: number
  readonly isPaused: boolean
  readonly groups: ReadonlyMap<string, LegacyOverrideAction>
  readonly rules: ReadonlyMap<string, LegacyOverrideAction>
  /** Replacements for the actions that a rule would take. */
  readonly rewriteAction: ReadonlyMap<LegacyOverrideAction, LegacyOverrideAction>
}

/** The configuration of a new zone: all defaults. */
export const DEFAULT_LEGACY_CONFIGURATION: LegacyConfiguration = {
  wafOn: true,
  packages: { sensitivity: 'high', actionMode: 'challenge' },
  groupModes: new Map(),
  ruleModes: new Map(),
  overrides: [],
}
