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

/** IDs of the legacy rule, and ID and ref of the new one. They never change after release. */
type Ids = readonly [legacy: string, id: string, ref: string]

interface RuleText {
  readonly description: string
  readonly detection: Detection
}

/** A rule of the anomaly package and of the new OWASP ruleset. */
export interface OwaspDraft extends RuleText {
  readonly ids: Ids
  readonly weight: { readonly level: ParanoiaLevel; readonly score: Score }
  /** New tags instead of those of the group. */
  readonly tags?: readonly string[]
}

/** A rule of the traditional package and of the new managed ruleset. */
export interface TraditionalDraft extends RuleText {
  readonly ids: Ids
  readonly tags: readonly string[]
  /** The default in both products; `disable` is a rule that exists but is off. */
  readonly mode: 'block' | 'challenge' | 'simulate' | 'disable'
}

/** A rule of the traditional package that skips the rest of the package. It has no counterpart in the new ruleset. */
export interface AllowDraft extends RuleText {
  readonly ids: Ids
  readonly tags: readonly string[]
  readonly mode: 'on' | 'off'
}

/** A rule of the new managed ruleset without a legacy counterpart. */
export interface NewDraft extends RuleText {
  readonly ids: readonly [id: string, ref: string]
  readonly tags: readonly string[]
  readonly mode: 'block' | 'challenge' | 'simulate' | 'disable'
}

/** @param group its tags are the new tags of its rules, in addition to the paranoia level. */
export const owaspGroup = (
  group: { readonly id: string; readonly tags: readonly string[] },
  drafts: readonly OwaspDraft[],
): readonly ManagedRule[] =>
  drafts.map(({ ids: [legacyId, id, ref], weight: { level, score }, ...draft }, i) => ({
    id,
    ref,
    description: draft.description,
    detection: draft.detection,
    ruleset: 'owasp',
    categories: [...(draft.tags ?? group.tags), `paranoia-level-${level}`],
    action: 'score',
    enabled: true,
    score,
    legacy: {
      id: legacyId,
      packageId: PACKAGE_IDS.owasp,
      groupId: group.id,
      kind: 'anomaly',
      // The legacy WAF has no paranoia levels: rules stricter than the level of the migration are off.
      defaultMode: level > MIGRATED_LEVEL ? 'off' : 'on',
      priority: String(i + 1),
    },
  }))

export const traditionalGroup = (
  groupId: string,
  drafts: readonly (TraditionalDraft | AllowDraft)[],
): readonly ManagedRule[] =>
  drafts.map(({ ids: [legacyId, ...ids], ...draft }, i) => ({
    ...newRule({ ...draft, ids }),
    legacy: {
      id: legacyId,
      packageId: PACKAGE_IDS.cloudflare,
      groupId,
      kind: draft.mode === 'on' || draft.mode === 'off' ? 'allow' : 'deny',
      defaultMode: draft.mode,
      priority: String(i + 1),
    },
  }))

export const newRules = (drafts: readonly NewDraft[]): readonly ManagedRule[] => drafts.map(newRule)

const newRule = ({
  ids: [id, ref],
  description,
  detection,
  mode,
  tags,
}: NewDraft | (Omit<AllowDraft, 'ids'> & Pick<NewDraft, 'ids'>)): ManagedRule => ({
  id,
  ref,
  description,
  detection,
  ...newDefault(mode),
  ruleset: 'managed',
  categories: tags,
  score: null,
  legacy: null,
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

/** Written as tagged templates: text as it is, without escapes. */
type Text<Result> = (strings: TemplateStringsArray, ...inserted: readonly string[]) => Result

/** Matches if one of the patterns occurs in one of the parts. One pattern a line; space around it does not count. */
export const pattern = (parts: readonly RequestPart[], transforms: readonly Transform[]): Text<Detection> => {
  const patterns = check(parts, transforms)
  return (...text) => every(patterns(...text))
}

/** Matches if each check matches. */
export const every = (...all: readonly PatternCheck[]): Detection => ({ kind: 'patterns', all })

export const check =
  (parts: readonly RequestPart[], transforms: readonly Transform[]): Text<PatternCheck> =>
  (strings, ...inserted) => {
    const lines = String.raw(strings, ...inserted).split('\n')
    const patterns = lines.map((line) => line.trim()).filter((line) => line !== '')
    return { parts, transforms, patterns }
  }

export const expression: Text<Detection> = (strings, ...inserted) => ({
  kind: 'expression',
  expression: String.raw(strings, ...inserted).trim(),
})
