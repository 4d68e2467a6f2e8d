// How rules are written down: what a group has in common is said once.
import type { Detection, ManagedRule, PatternCheck } from '../managed-rule.ts'
import { PACKAGE_IDS } from '../legacy-packages.ts'
import type { RequestPart } from '../request-parts.ts'
import type { RequestSample } from '../request-sample.ts'
import type { Transform } from '../transforms.ts'

/** The points of CRITICAL, ERROR, WARNING and NOTICE. */
export type Score = 5 | 4 | 3 | 2
export type ParanoiaLevel = 1 | 2 | 3 | 4

/** The level that a zone with the default sensitivity migrates to. */
const MIGRATED_LEVEL = 2

interface RuleText {
  /** Id and ref of the new rule. Once released, they never change. */
  readonly ids: readonly [id: string, ref: string]
  readonly description: string
  readonly detection: Detection
  readonly matching: RequestSample
  readonly passing: RequestSample
}

/** A rule of the anomaly package and of the new OWASP ruleset. */
export interface OwaspDraft extends RuleText {
  readonly legacyId: string
  readonly level: ParanoiaLevel
  readonly score: Score
  /** New tags beside the paranoia level. */
  readonly tags: readonly string[]
}

/** A rule of the traditional package and of the new managed ruleset. */
export interface TraditionalDraft extends RuleText {
  readonly legacyId: string
  readonly tags: readonly string[]
  /** The default of both products; `disable` stands for a rule that is there but off. */
  readonly mode: 'block' | 'challenge' | 'simulate' | 'disable'
}

/** A rule of the traditional package that lets a request pass the rest of the package. It has no new counterpart. */
export interface AllowDraft extends RuleText {
  readonly legacyId: string
  readonly tags: readonly string[]
  readonly mode: 'on' | 'off'
}

/** A rule of the new managed ruleset that the previous product never had. */
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
      // The previous product knew no paranoia levels: what is stricter than its migration chooses is off.
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

const textOf = ({ ids: [id, ref], description, detection, matching, passing }: RuleText) => ({
  id,
  ref,
  description,
  detection,
  samples: { matching, passing },
})

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

/** Holds where one of the patterns is found in one of the parts. */
export const pattern = (
  parts: readonly RequestPart[],
  transforms: readonly Transform[],
  ...patterns: readonly string[]
): Detection => ({ kind: 'patterns', all: [check(parts, transforms, ...patterns)] })

/** Holds where each check does. */
export const every = (...all: readonly PatternCheck[]): Detection => ({ kind: 'patterns', all })

export const check = (
  parts: readonly RequestPart[],
  transforms: readonly Transform[],
  ...patterns: readonly string[]
): PatternCheck => ({ parts, transforms, patterns })

export const expression = (text: string): Detection => ({ kind: 'expression', expression: text })
