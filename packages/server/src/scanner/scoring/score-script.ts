// Scores of a script, 1 (certainly hostile) to 99 (certainly not), and why. Pure: the same text gives the same scores everywhere.
import { type Analysis, analyse } from './analysis.ts'
import { conceptValues } from './concepts.ts'
import { scoreFlows } from './dataflow.ts'
import { featuresOf, SHAPE_COUNT } from './features.ts'
import { MAX_SCORED_LENGTH, MAX_STEPS_OF_PART } from './limits.ts'
import { calibrate, type Contribution, weigh, weighHarm } from './model.ts'
import { taintNames } from './observations.ts'
import { gatherEvidence, type Head } from './evidence.ts'
import { type Part, partsOf } from './parts.ts'
import { findRecorder } from './recorders.ts'
import { decides, type Match, matchRules } from './rules.ts'
import { withoutPadding } from './syntax-tree.ts'

type Mutable<T> = { -readonly [K in keyof T]: T[K] }

export interface ScriptScores {
  readonly js_integrity_score: number
  readonly obfuscation_score: number
  readonly dataflow_score: number
  readonly malware_score: number
  readonly cryptomining_score: number
  readonly magecart_score: number
}

/** One reason for one score. */
export interface ScoreReason {
  readonly score: keyof ScriptScores
  /** rule: a well-known shape, which decides alone. sign: one that decides with others. flow: something that leaves the page. practice: what a kind of service does. feature: a number that the model weighs. */
  readonly kind: 'rule' | 'sign' | 'flow' | 'practice' | 'feature'
  /** The rule's or feature's name, or `source to sink`. */
  readonly name: string
  readonly says: string
  /** What was found in the script, at most 300 characters. */
  readonly found: string | null
  /** What it adds to the logarithm of the odds; null where a rule or a flow decides. */
  readonly weight: number | null
}

/** Why a script has no scores. long: longer than what is scored. deep: nested too deeply to be read. none: no script. */
export type Unscored = 'long' | 'deep' | 'none'

export type ScriptVerdict =
  | { readonly scores: ScriptScores; readonly unscored: null; readonly reasons: readonly ScoreReason[] }
  | { readonly scores: null; readonly unscored: Unscored; readonly reasons: readonly [] }

export interface ScoreContext {
  /** Hosts of the site that the script stands on; what is sent to them and below them does not leave. */
  readonly ownHosts?: readonly string[]
}

/** A script is malicious when its js_integrity_score is lower than this. */
export const MALICIOUS_BELOW = 10
const SCORE_OF_RULES = 4
/** A recorder looks like a thief of fields to the model, which has to be surer than of others. */
export const CERTAIN_OF_RECORDER = 4
const HEADS = {
  magecart: 'magecart_score',
  cryptomining: 'cryptomining_score',
  malware: 'malware_score',
} as const
const HEAD_NAMES = ['magecart', 'cryptomining', 'malware'] as const
const MAX_FEATURE_REASONS = 4
const LEAST_WEIGHT_OF_REASON = 0.05
const MAX_FLOW_REASONS = 5

/** Scores a script without running it, in bounded work. Call it where it can be stopped all the same: the parser's own work is not counted. */
export function scoreScript(source: string, { ownHosts = [] }: ScoreContext = {}): ScriptVerdict {
  const text = isTooLong(source) ? withoutPadding(source) : source
  if (isTooLong(text)) return { scores: null, unscored: 'long', reasons: [] }
  const whole = judge(analyse(text), ownHosts)
  const parts = partsOf(text).map((part) => judgePart(part, ownHosts))
  return parts.reduce(worse, whole)
}

/** A stretch of a script on its own; its reasons say where it stands. */
function judgePart({ source, firstLine, lastLine }: Part, ownHosts: readonly string[]): ScriptVerdict {
  const verdict = judge(analyse(source, MAX_STEPS_OF_PART), ownHosts)
  if (verdict.scores === null) return verdict
  const place = firstLine === lastLine ? `in line ${firstLine}` : `in lines ${firstLine} to ${lastLine}`
  const reasons = verdict.reasons.map((reason) => ({ ...reason, says: `${reason.says} (${place})` }))
  return { ...verdict, reasons }
}

/** The verdict over a script of which a stretch was looked at: for each kind of harm the lower score, with its reasons. */
function worse(whole: ScriptVerdict, part: ScriptVerdict): ScriptVerdict {
  if (part.scores === null) return whole
  // What keeps the whole from being read (a decoded text that is too deep) does not hide a stretch that can be.
  if (whole.scores === null) return part.scores.js_integrity_score < MALICIOUS_BELOW ? part : whole
  const [own, other] = [part.scores.js_integrity_score, whole.scores.js_integrity_score]
  // Where both say the same, the stretch says where.
  if (own > other || (own === other && own >= MALICIOUS_BELOW)) return whole
  const scores: Mutable<ScriptScores> = { ...whole.scores }
  for (const head of HEAD_NAMES)
    scores[HEADS[head]] = Math.min(whole.scores[HEADS[head]], part.scores[HEADS[head]])
  scores.js_integrity_score = own
  const isOfHarm = ({ score }: ScoreReason): boolean =>
    score !== 'dataflow_score' && score !== 'obfuscation_score'
  const reasons = part.reasons.filter(isOfHarm)
  const told = new Set(reasons.map(({ score, name }) => `${score} ${name}`))
  const rest = whole.reasons.filter(({ score, name }) => !told.has(`${score} ${name}`))
  return { scores, unscored: null, reasons: [...reasons, ...rest] }
}

const isTooLong = (text: string): boolean => Buffer.byteLength(text) > MAX_SCORED_LENGTH

/** Scores of what was found out about a script. */
export function judge(analysis: Analysis, ownHosts: readonly string[]): ScriptVerdict {
  const concepts = conceptValues(analysis)
  const features = featuresOf(analysis, concepts, ownHosts)
  const evidence = gatherEvidence(analysis, concepts, ownHosts)
  const recorder = findRecorder(evidence)
  const matches = matchRules(evidence, recorder !== null)
  const reasons: ScoreReason[] = matches.map(ruleReason)
  const found = { magecart: 99, cryptomining: 99, malware: 99 }
  const { logOdds, contributions } = weighHarm(features)
  const odds = HEAD_NAMES.map((head) => ({ head, odds: weigh(head, features) }))
  const likeliest = odds.reduce((a, b) => (b.odds > a.odds ? b : a)).head
  for (const { head, odds: own } of odds) {
    // The likeliest kind has the whole score; another one not more than its own head says.
    const score = calibrate(head, head === likeliest ? logOdds : Math.min(logOdds, own))
    const isCleared = recorder !== null && score >= CERTAIN_OF_RECORDER
    if (decides(matches, head, score, recorder !== null)) found[head] = Math.min(SCORE_OF_RULES, score)
    else found[head] = isCleared ? Math.max(MALICIOUS_BELOW, score) : score
    if (head === likeliest && score < 50) reasons.push(...featureReasons(head, contributions))
  }
  const flows = scoreFlows(analysis.observed.flows, ownHosts)
  for (const { flow, taint } of flows.slice(0, MAX_FLOW_REASONS)) {
    reasons.push({
      score: 'dataflow_score',
      kind: 'flow',
      name: `${taint} to ${flow.sink}`,
      says: `what comes from ${taintNames(flow.taint).join(', ')} can leave the page`,
      found: flow.address === '' ? null : flow.address.slice(0, 300),
      weight: null,
    })
  }
  const scores: ScriptScores = {
    js_integrity_score: Math.min(found.magecart, found.cryptomining, found.malware),
    obfuscation_score: calibrate('obfuscation', weigh('obfuscation', features.subarray(0, SHAPE_COUNT))),
    dataflow_score: flows[0]?.score ?? 99,
    malware_score: found.malware,
    cryptomining_score: found.cryptomining,
    magecart_score: found.magecart,
  }
  // No service is a reason for a script that is condemned all the same.
  if (scores.js_integrity_score >= MALICIOUS_BELOW) reasons.push(...recorderReasons(recorder))
  // What was not read is not harmless for that: it has scores only where what could be seen of it says enough.
  if (analysis.kind !== 'script' && scores.js_integrity_score >= MALICIOUS_BELOW)
    return { scores: null, unscored: analysis.kind === 'deep' ? 'deep' : 'none', reasons: [] }
  return { scores, unscored: null, reasons }
}

const recorderReasons = (found: string | null): readonly ScoreReason[] =>
  found === null
    ? []
    : [
        {
          score: 'dataflow_score',
          kind: 'practice',
          name: 'session-recorder',
          says: 'records what visitors do and type, and leaves out what is secret',
          found: found.slice(0, 300),
          weight: null,
        },
      ]

const ruleReason = ({ rule, strength, found }: Match): ScoreReason => ({
  score: HEADS[rule.head],
  kind: strength === 'proof' ? 'rule' : 'sign',
  name: rule.id,
  says: rule.says,
  found: found.slice(0, 300),
  weight: null,
})

/** The features that say most of it. */
function featureReasons(head: Head, contributions: readonly Contribution[]): readonly ScoreReason[] {
  return contributions
    .filter(({ weight }) => weight >= LEAST_WEIGHT_OF_REASON)
    .slice(0, MAX_FEATURE_REASONS)
    .map(({ feature, weight }) => ({
      score: HEADS[head],
      kind: 'feature',
      name: feature,
      says: `speaks for it: ${feature}`,
      found: null,
      weight: Math.round(weight * 100) / 100,
    }))
}
