// Analyzes the text of a script in two steps: its structure, then its scores and reasons. Imports types only:
// the analysis process does not load the rest of the program.
import type { Scores } from '../page-shield/index.ts'
import {
  diffScripts,
  readStructure,
  scoreScript,
  type ScriptDiff,
  type ScriptVerdict,
} from '@zonereeve/script-analysis'

/** Version of the results: after an increase, every script is analyzed again on its next fetch. */
export const ANALYSIS_VERSION = 19

/** A script sent to the analysis process. */
export interface AnalysisRequest {
  readonly source: string
  /** Hosts of the page that loads it. */
  readonly ownHosts: readonly string[]
}

/** Two versions of a script, to be compared in the analysis process. */
export interface ComparisonRequest {
  readonly before: string
  readonly after: string
}

export interface Verdict {
  /** null = too long or too deep to be scored, or not a script. */
  readonly scores: Scores | null
  readonly unscored: ScriptVerdict['unscored']
  /** The reasons for the scores, in words. */
  readonly reasons: readonly string[]
}

/** The messages of the analysis process, in order. */
export type AnalysisStep =
  /** null = it cannot be parsed as a script. */
  | { readonly step: 'structure'; readonly structureHash: string | null }
  | { readonly step: 'verdict'; readonly verdict: Verdict }
  | ComparisonStep

export interface ComparisonStep {
  readonly step: 'diff'
  readonly diff: ScriptDiff
}

export const compare = ({ before, after }: ComparisonRequest): ComparisonStep => ({
  step: 'diff',
  diff: diffScripts(before, after),
})

/** @param tell called with each step when it is complete. */
export function analyse({ source, ownHosts }: AnalysisRequest, report: (step: AnalysisStep) => void): void {
  report({ step: 'structure', structureHash: readStructure(source)?.hash ?? null })
  report({ step: 'verdict', verdict: judge(source, ownHosts) })
}

function judge(source: string, ownHosts: readonly string[]): Verdict {
  const { scores, unscored, reasons } = scoreScript(source, { ownHosts })
  if (scores === null) return { scores: null, unscored, reasons: [UNSCORED[unscored]] }
  const explanations = [...new Set(reasons.map(inWords))]
  return {
    scores: toScores(scores),
    unscored,
    reasons: explanations.length === 0 ? [NOTHING_FOUND] : explanations,
  }
}

const NOTHING_FOUND = 'No feature of it indicates harm, and no visitor data leaves the page.'

const UNSCORED: Readonly<Record<NonNullable<ScriptVerdict['unscored']>, string>> = {
  long: 'It is longer than the scoring limit, even without comments and spaces.',
  deep: 'It could not be analyzed: it is nested more deeply than scripts written by people are. None of it was found to be harmless.',
  none: 'It contains no script, or none that could be parsed, so there are no scores.',
}

const toScores = (scores: NonNullable<ScriptVerdict['scores']>): Scores => ({
  jsIntegrity: scores.js_integrity_score,
  obfuscation: scores.obfuscation_score,
  dataflow: scores.dataflow_score,
  malware: scores.malware_score,
  cryptomining: scores.cryptomining_score,
  magecart: scores.magecart_score,
})

/** A feature is described by its name alone. */
const inWords = ({ score, kind, name, description, found }: ScriptVerdict['reasons'][number]): string =>
  `${score}: ${description}${kind === 'feature' ? '' : ` (${name})`}${found === null ? '' : `: ${found}`}`
