// Helpers to define rules: members shared by a group are given once.
import type { Detection, ManagedRule, PatternCheck } from '../managed-rule.ts'
import { PACKAGE_IDS } from '../../legacy/legacy-packages.ts'
import type { RequestPart } from '../request-parts.ts'
import type { Transform } from '../transforms.ts'

/** The points of CRITICAL, ERROR, WARNING and NOTICE. */
export type Score = 5 | 4 | 3 | 2
export type ParanoiaLevel = 1 | 2 | 3 | 4

/** The paranoia level that a zone with the default sensitivity migrates to. */
const MIGRATED_LEVEL = 2

interface RuleText {
  /** ID and ref of the new rule. They never change after release. */
  readonly ids: readonly [id: string, ref: string]
  readonly description: string
  readonly detection: Detection
}

/** A rule of the anomaly package and of the new OWASP ruleset. */
export interface OwaspDraft extends RuleText {
  readonly legacyId: string
  readonly level: ParanoiaLevel
  readonly score: Score
  /** New tags in addition to the paranoia level. */
  readonly tags: readonly string[]
}

/** A rule of the traditional package and of the new managed ruleset. */
export interface TraditionalDraft extends RuleText {
  readonly legacyId: string
  readonly tags: readonly string[]
  /** The default in both products; `disable` is a rule that exists but is off. */
  readonly mode: 'block' | 'challenge' | 'simulate' | 'disable'
}

/** A rule of the traditional package that skips the rest of the package. It has no counterpart in the new ruleset. */
export interface AllowDraft extends RuleText {
  readonly legacyId: string
  readonly tags: readonly string[]
  readonly mode: 'on' | 'off'
}

/** A rule of the new managed ruleset without a legacy counterpart. */
export interface NewDraft extends RuleText {
  readonly tags: readonly string[]
  readonly mode: 'block' | 'challenge' | 'simulate' | 'disable'
}

export const owaspGroup = (groupId: string, drafts: readonly OwaspDraft[]): readonly ManagedRule[] =>
  drafts.map((draft, i) => ({
    ...textOf(draft),
    ruleset: 'owasp',
    categories: [...draft.tags, `paranoia-level-${draft.level}`],
    action: 'score',
    enabled: true,
    score: draft.score,
    legacy: {
      id: draft.legacyId,
      packageId: PACKAGE_IDS.owasp,
      groupId,
      kind: 'anomaly',
      // The legacy WAF has no paranoia levels: rules stricter than the level of the migration are off.
      defaultMode: draft.level > MIGRATED_LEVEL ? 'off' : 'on',
      priority: String(i + 1),
    },
  }))

export const traditionalGroup = (
  groupId: string,
  drafts: readonly (TraditionalDraft | AllowDraft)[],
): readonly ManagedRule[] =>
  drafts.map((draft, i) => ({
    ...textOf(draft),
    ...newDefault(draft.mode),
    ruleset: 'managed',
    categories: draft.tags,
    score: null,
    legacy: {
      id: draft.legacyId,
      packageId: PACKAGE_IDS.cloudflare,
      groupId,
      kind: draft.mode === 'on' || draft.mode === 'off' ? 'allow' : 'deny',
      defaultMode: draft.mode,
      priority: String(i + 1),
    },
  }))

export const newRules = (drafts: readonly NewDraft[]): readonly ManagedRule[] =>
  drafts.map((draft) => ({
    ...textOf(draft),
    ...newDefault(draft.mode),
    ruleset: 'managed',
    categories: draft.tags,
    score: null,
    legacy: null,
  }))

const textOf = ({ ids: [id, ref], description, detection }: RuleText) => ({ id, ref, description, detection })

function newDefault(mode: (TraditionalDraft | AllowDraft)['mode']): Pick<ManagedRule, 'action' | 'enabled'> {
  switch (mode) {
    case 'challenge':
      return { action: 'managed_challenge', enabled: true }
    case 'simulate':
    case 'on':
      return { action: 'log', enabled: true }
    case 'disable':
    case 'off':
      return { action: mode === 'off' ? 'log' : 'block', enabled: false }
    case 'block':
      return { action: 'block', enabled: true }
  }
}

/** Matches if one of the patterns occurs in one of the parts. */
export const pattern = (
  parts: readonly RequestPart[],
  transforms: readonly Transform[],
  ...patterns: readonly string[]
): Detection => ({ kind: 'patterns', all: [check(parts, transforms, ...patterns)] })

/** Matches if each check matches. */
export const every = (...all: readonly PatternCheck[]): Detection => ({ kind: 'patterns', all })

export const check = (
  parts: readonly RequestPart[],
  transforms: readonly Transform[],
  ...patterns: readonly string[]
): PatternCheck => ({ parts, transforms, patterns })

export const expression = (text: string): Detection => ({ kind: 'expression', expression: text })
