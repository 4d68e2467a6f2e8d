// Scores of a script, 1 (certainly hostile) to 99 (certainly not), with reasons. Pure: the same text gives the same
// scores everywhere.
import { type Analysis, analyse, withoutMark } from './analysis.ts'
import { type Place, placesInBeautified } from './beautify.ts'
import { scanBlocks } from './blocks.ts'
import { elementAt } from './checked-reads.ts'
import { conceptValues } from './concepts.ts'
import { scoreFlows } from './dataflow.ts'
import { featuresOf, SHAPE_COUNT } from './features.ts'
import {
  MAX_LENGTH_WITH_COMMENTS,
  MAX_SCORED_LENGTH,
  MAX_STEPS_OF_LONG_PART,
  MAX_STEPS_OF_PART,
  MAX_WHOLE_LENGTH,
} from './limits.ts'
import { calibrate, type Contribution, weigh, weighHarm } from './model.ts'
import { type Flow, taintNames } from './observations.ts'
import { withoutProse } from './page-text.ts'
import { gatherEvidence, type ScriptClass } from './evidence.ts'
import { longPartsOf, type Part, partsOf } from './parts.ts'
import { findCommandOffer } from './documentation.ts'
import { findRecorder } from './recorders.ts'
import { AGREES_BELOW, decides, type Match, matchRules } from './rules.ts'
import { listNodes, type Node, parseSource, type Program } from './syntax-tree.ts'

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
  /**
   * rule: a conclusive finding. sign: a suggestive finding, which decides with others. flow: data that leaves the
   * page. practice: what a kind of service does. feature: a number that the model weighs.
   */
  readonly kind: 'rule' | 'sign' | 'flow' | 'practice' | 'feature'
  /** Name of the rule or feature, or `source to sink`. */
  readonly name: string
  readonly description: string
  /** The found code, at most 300 characters. */
  readonly found: string | null
  /** What it adds to the log odds; null if a rule or a flow decides. */
  readonly weight: number | null
}

/**
 * Why a script has no scores. long: longer than what is scored. deep: nested too deeply to be parsed. none: not a
 * script.
 */
export type Unscored = 'long' | 'deep' | 'none'

export type ScriptVerdict =
  | { readonly scores: ScriptScores; readonly unscored: null; readonly reasons: readonly ScoreReason[] }
  | { readonly scores: null; readonly unscored: Unscored; readonly reasons: readonly [] }

export interface ScoreContext {
  /** Hosts of the site that loads the script; data sent to them or their subdomains does not leave. */
  readonly ownHosts?: readonly string[]
}

/** A script is malicious if its js_integrity_score is lower than this. */
export const MALICIOUS_BELOW = 10
const SCORE_OF_RULES = 4
/** Session recorders look like skimmers to the model, so it must be more certain than for other scripts. */
export const CERTAIN_OF_RECORDER = 4
const CLASSES = {
  magecart: 'magecart_score',
  cryptomining: 'cryptomining_score',
  malware: 'malware_score',
} as const
const CLASS_NAMES = ['magecart', 'cryptomining', 'malware'] as const
const SCORE_NAMES = [
  'js_integrity_score',
  'obfuscation_score',
  'dataflow_score',
  'malware_score',
  'cryptomining_score',
  'magecart_score',
] as const
/** What the model says of an offer of commands at most, if it is to be cleared; a lure looks the same to it. */
const CERTAIN_OF_COMMANDS = 4
/** Reasons of sections are only reported for scores below this. */
const REASONS_BELOW = 99
const MAX_REASONS_OF_LONG = 40
const MAX_FEATURE_REASONS = 4
const LEAST_WEIGHT_OF_REASON = 0.05
const MAX_FLOW_REASONS = 5

/**
 * Scores a script without running it, with bounded work. Still call it where it can be stopped: the parser's own work
 * is not counted.
 */
export function scoreScript(source: string, { ownHosts = [] }: ScoreContext = {}): ScriptVerdict {
  const text = isLong(source) ? scanBlocks(source, true).trimmed : source
  if (Buffer.byteLength(text) > MAX_SCORED_LENGTH) return { scores: null, unscored: 'long', reasons: [] }
  if (isLong(text) || (text !== source && !isSameScript(source, text))) {
    const scriptsAlone = withoutProse(source)
    const verdict = scoreLong(source, ownHosts)
    return scriptsAlone === null || isLong(scriptsAlone)
      ? verdict
      : lower(verdict, judge(analyse(scriptsAlone), ownHosts))
  }
  const analysis = analyse(text)
  const whole = judge(analysis, ownHosts)
  const parts = partsOf(text, text === withoutMark(text) ? analysis.program : undefined).map((part) =>
    judgePart(part, ownHosts, MAX_STEPS_OF_PART),
  )
  return parts.reduce(worse, whole)
}

/** Of a long page, the lower scores: those of its sections, or of its scripts alone. */
function lower(sections: ScriptVerdict, scripts: ScriptVerdict): ScriptVerdict {
  if (sections.scores === null) return scripts
  if (scripts.scores !== null) return worst(sections, scripts)
  // What is too deep is not therefore harmless.
  const isDeep = scripts.unscored === 'deep' && sections.scores.js_integrity_score >= MALICIOUS_BELOW
  return isDeep ? scripts : sections
}

/** Scores a script by its sections with marks of harm. */
function scoreLong(source: string, ownHosts: readonly string[]): ScriptVerdict {
  const { parts, left } = longPartsOf(source)
  const verdicts = parts.map((part) => judgePart(part, ownHosts, MAX_STEPS_OF_LONG_PART))
  const verdict = verdicts.reduce(worst, { scores: CLEAN, unscored: null, reasons: [] })
  if (left.length === 0 || verdict.scores === null) return verdict
  const reason: ScoreReason = {
    score: 'js_integrity_score',
    kind: 'sign',
    name: 'not-analyzed',
    description: `${left.length} more sections read, send or decode data and were not analyzed, because the script is long`,
    found: placesOf(left),
    weight: null,
  }
  const { js_integrity_score: own } = verdict.scores
  const js_integrity_score = own < AGREES_BELOW ? Math.min(own, SCORE_OF_RULES) : own
  return {
    ...verdict,
    scores: { ...verdict.scores, js_integrity_score },
    reasons: [...verdict.reasons, reason],
  }
}

/** Where the sections stand; minified code has them all in one line. */
function placesOf(parts: readonly Omit<Part, 'source'>[]): string {
  const places = parts.map(({ firstLine, firstColumn, lastLine }) =>
    firstLine === lastLine
      ? `line ${firstLine} from column ${firstColumn}`
      : `lines ${firstLine} to ${lastLine}`,
  )
  const named = places.slice(0, MAX_PLACES)
  const more = places.length - named.length
  return [...named, ...(more === 0 ? [] : [`and ${more} more`])].join(', ')
}
/** At 300 characters a text is cut. */
const MAX_PLACES = 8

const CLEAN: ScriptScores = {
  js_integrity_score: 99,
  obfuscation_score: 99,
  dataflow_score: 99,
  malware_score: 99,
  cryptomining_score: 99,
  magecart_score: 99,
}

/** Combines the verdicts of two sections: of each score the lower one, with the reasons of the worse section first. */
function worst(known: ScriptVerdict, part: ScriptVerdict): ScriptVerdict {
  if (known.scores === null || part.scores === null) return known
  const scores: Mutable<ScriptScores> = { ...known.scores }
  for (const name of SCORE_NAMES) scores[name] = Math.min(known.scores[name], part.scores[name])
  const isWorse = part.scores.js_integrity_score < known.scores.js_integrity_score
  const reasons = isWorse ? [...part.reasons, ...known.reasons] : [...known.reasons, ...part.reasons]
  const lowest = reasons.filter(({ score }) => scores[score] < REASONS_BELOW)
  return { scores, unscored: null, reasons: lowest.slice(0, MAX_REASONS_OF_LONG) }
}

/** Scores a section of a script separately; its reasons have its position. */
function judgePart(
  { source, firstLine, firstColumn, lastLine }: Part,
  ownHosts: readonly string[],
  steps: number,
): ScriptVerdict {
  const verdict = judge(analyse(source, steps), ownHosts, locatorIn(source, firstLine, firstColumn))
  if (verdict.scores === null) return verdict
  const place = firstLine === lastLine ? `in line ${firstLine}` : `in lines ${firstLine} to ${lastLine}`
  const reasons = verdict.reasons.map((reason) => ({
    ...reason,
    description: `${reason.description} (${place})`,
  }))
  return { ...verdict, reasons }
}

/**
 * Combines the verdicts of a script and one of its sections: for each class of harm the lower score, with its
 * reasons.
 */
function worse(whole: ScriptVerdict, part: ScriptVerdict): ScriptVerdict {
  if (part.scores === null) return whole
  // If the whole cannot be parsed (a decoded string is too deep), a section that can be is still scored.
  if (whole.scores === null) return part.scores.js_integrity_score < MALICIOUS_BELOW ? part : whole
  const [own, other] = [part.scores.js_integrity_score, whole.scores.js_integrity_score]
  // If both are equal, the section's reasons have the position.
  if (own > other || (own === other && own >= MALICIOUS_BELOW)) return whole
  const scores: Mutable<ScriptScores> = { ...whole.scores }
  for (const scriptClass of CLASS_NAMES)
    scores[CLASSES[scriptClass]] = Math.min(
      whole.scores[CLASSES[scriptClass]],
      part.scores[CLASSES[scriptClass]],
    )
  scores.js_integrity_score = own
  const isOfHarm = ({ score }: ScoreReason): boolean =>
    score !== 'dataflow_score' && score !== 'obfuscation_score'
  const reasons = part.reasons.filter(isOfHarm)
  const reported = new Set(reasons.map(({ score, name }) => `${score} ${name}`))
  const rest = whole.reasons.filter(({ score, name }) => !reported.has(`${score} ${name}`))
  return { scores, unscored: null, reasons: [...reasons, ...rest] }
}

/**
 * Whether a script without comments and spaces is the same one. They are found without a parser, by a guess at what a slash means; what
 * that hides must not be left out.
 */
const isSameScript = (source: string, trimmed: string): boolean =>
  source.length <= MAX_LENGTH_WITH_COMMENTS && haveSameNodes(parseSource(source), parseSource(trimmed))

function haveSameNodes(one: Program | null, other: Program | null): boolean {
  if (one === null || other === null) return false
  const others = listNodes(other)
  const own = listNodes(one)
  return own.length === others.length && own.every(({ node }, i) => isSameNode(node, others[i]?.node))
}

const isSameNode = (one: Node, other: Node | undefined): boolean =>
  one.type === other?.type && textOf(one) === textOf(other)

function textOf(node: Node): string | undefined {
  switch (node.type) {
    case 'Identifier':
      return node.name
    case 'Literal':
      return String(node.value)
    case 'TemplateElement':
      return node.value.raw
    default:
      return 'operator' in node ? node.operator : undefined
  }
}

const isLong = (text: string): boolean => text.length > MAX_WHOLE_LENGTH

/** Scores an analysis. */
export function judge(
  analysis: Analysis,
  ownHosts: readonly string[],
  locateInSection?: Locate,
): ScriptVerdict {
  const locate = locateInSection ?? locatorOf(analysis.source)
  const concepts = conceptValues(analysis)
  const evidence = gatherEvidence(analysis, concepts, ownHosts)
  const recorder = findRecorder(evidence)
  const matches = matchRules(evidence, recorder !== null)
  const offer = matches.length === 0 ? findCommandOffer(evidence) : null
  const features = featuresOf(analysis, concepts, ownHosts, matches)
  const reasons: ScoreReason[] = matches.map(ruleReason)
  const found = { magecart: 99, cryptomining: 99, malware: 99 }
  const { logOdds, contributions } = weighHarm(features)
  const odds = CLASS_NAMES.map((scriptClass) => ({ head: scriptClass, odds: weigh(scriptClass, features) }))
  const likeliest = odds.reduce((a, b) => (b.odds > a.odds ? b : a)).head
  for (const { head: scriptClass, odds: own } of odds) {
    // The likeliest class has the whole score; the others at most that of their own class.
    const score = calibrate(scriptClass, scriptClass === likeliest ? logOdds : Math.min(logOdds, own))
    // The model knows commands beside a clipboard from lures only.
    const isOffer = offer !== null && scriptClass === 'malware' && score >= CERTAIN_OF_COMMANDS
    const isCleared = (recorder !== null && score >= CERTAIN_OF_RECORDER) || isOffer
    if (decides(matches, scriptClass, score, recorder !== null))
      found[scriptClass] = Math.min(SCORE_OF_RULES, score)
    else found[scriptClass] = isCleared ? Math.max(MALICIOUS_BELOW, score) : score
    if (scriptClass === likeliest && score < 50) reasons.push(...featureReasons(scriptClass, contributions))
  }
  const flows = scoreFlows(analysis.observed.flows, ownHosts)
  const reported = flows.slice(0, MAX_FLOW_REASONS)
  const inWords = describeFlows(
    // The beautified form of a section is not that of the script.
    locateInSection === undefined ? analysis.program : null,
    reported.map(({ flow }) => flow),
    locate,
  )
  for (const { flow, taint } of reported) {
    reasons.push({
      score: 'dataflow_score',
      kind: 'flow',
      name: `${taint} to ${flow.sink}`,
      description: inWords(flow),
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
  // A kind of service is no reason if the script is condemned anyway.
  if (scores.js_integrity_score >= MALICIOUS_BELOW) reasons.push(...practiceReasons(recorder, offer))
  // Unparsed code is not therefore harmless: it has scores only if its visible parts are enough.
  if (analysis.kind !== 'script' && scores.js_integrity_score >= MALICIOUS_BELOW)
    return { scores: null, unscored: analysis.kind === 'deep' ? 'deep' : 'none', reasons: [] }
  return { scores, unscored: null, reasons }
}

/** Line and column of an offset. */
type Locate = (offset: number) => Place

const locatorOf = (source: string): Locate => locatorIn(source, 1, 1)

/** For a section that begins at a line and column. */
const locatorIn =
  (source: string, firstLine: number, firstColumn: number): Locate =>
  (offset) => {
    const lines = source.slice(0, offset).split('\n')
    const { length } = elementAt(lines, lines.length - 1)
    return { line: firstLine + lines.length - 1, column: length + (lines.length === 1 ? firstColumn : 1) }
  }

/** Where one line has more characters, its beautified form is what a person reads. */
const LONG_LINE = 200

/** The path of data: what is read, when, and by which call at which place it leaves the page. */
function describeFlows(
  program: Program | null,
  flows: readonly Flow[],
  locate: Locate,
): (flow: Flow) => string {
  const offsets = flows.flatMap(({ at }) => (at !== null && locate(at).column > LONG_LINE ? [at] : []))
  const places: ReadonlyMap<number, Place> =
    program === null ? new Map() : placesInBeautified(program, offsets)
  return ({ taint, sink, on, at }) => {
    const when = on === '' ? '' : ` on ${on}`
    const place = at === null ? null : locate(at)
    const where = place === null ? '' : ` at line ${place.line}, column ${place.column}`
    const printed = at === null ? undefined : places.get(at)
    const beautified =
      printed === undefined
        ? ''
        : ` (line ${printed.line}, column ${printed.column} of the beautified source)`
    return `data from ${taintNames(taint).join(', ')} can leave the page by ${sink}${when}${where}${beautified}`
  }
}

/** Which kinds of services or pages a script is of. */
function practiceReasons(recorder: string | null, offer: string | null): readonly ScoreReason[] {
  const practice = (score: keyof ScriptScores, name: string, description: string, found: string) =>
    ({ score, kind: 'practice', name, description, found: found.slice(0, 300), weight: null }) as const
  return [
    ...(recorder === null
      ? []
      : [
          practice(
            'dataflow_score',
            'session-recorder',
            'records what visitors do and type, and leaves out secrets',
            recorder,
          ),
        ]),
    ...(offer === null
      ? []
      : [
          practice(
            'malware_score',
            'command-offer',
            'only offers commands for copying, as installation guides do',
            offer,
          ),
        ]),
  ]
}

const ruleReason = ({ rule, strength, found }: Match): ScoreReason => ({
  score: CLASSES[rule.head],
  kind: strength === 'proof' ? 'rule' : 'sign',
  name: rule.id,
  description: rule.description,
  found: found.slice(0, 300),
  weight: null,
})

/** The features that contribute most. */
function featureReasons(
  scriptClass: ScriptClass,
  contributions: readonly Contribution[],
): readonly ScoreReason[] {
  return contributions
    .filter(({ weight }) => weight >= LEAST_WEIGHT_OF_REASON)
    .slice(0, MAX_FEATURE_REASONS)
    .map(({ feature, weight }) => ({
      score: CLASSES[scriptClass],
      kind: 'feature',
      name: feature,
      description: `supported by the feature: ${feature}`,
      found: null,
      weight: Math.round(weight * 100) / 100,
    }))
}
