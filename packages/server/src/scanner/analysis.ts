// What is told of a script from its text alone, in two steps: its structure, then its scores and why.
// Types alone: the rest of the program is not for the process that analyses.
import type { Scores } from '../features/page-shield/index.ts'
import { scoreScript, type ScriptVerdict } from './scoring/index.ts'
import { readStructure } from './structure.ts'

/** Of what is told: a new one, and every script is analysed again when it is fetched. */
export const ANALYSIS_VERSION = 6

/** A text on its way into the process that analyses it. */
export interface AnalysisRequest {
  readonly source: string
  /** Hosts of the page that loads it. */
  readonly ownHosts: readonly string[]
}

export interface Verdict {
  /** null = it is too long or too deep to be scored, or no script. */
  readonly scores: Scores | null
  readonly unscored: ScriptVerdict['unscored']
  /** What the scores rest on, in words. */
  readonly reasons: readonly string[]
}

/** What the process tells, one after the other. */
export type AnalysisStep =
  /** null = it cannot be read as a script. */
  | { readonly step: 'structure'; readonly structureHash: string | null }
  | { readonly step: 'verdict'; readonly verdict: Verdict }

/** @param tell is given each step once it is known. */
export function analyse({ source, ownHosts }: AnalysisRequest, tell: (step: AnalysisStep) => void): void {
  tell({ step: 'structure', structureHash: readStructure(source)?.hash ?? null })
  tell({ step: 'verdict', verdict: judge(source, ownHosts) })
}

function judge(source: string, ownHosts: readonly string[]): Verdict {
  const { scores, unscored, reasons } = scoreScript(source, { ownHosts })
  if (scores === null) return { scores: null, unscored, reasons: [UNSCORED[unscored]] }
  const told = [...new Set(reasons.map(inWords))]
  return { scores: toScores(scores), unscored, reasons: told.length === 0 ? [NOTHING_FOUND] : told }
}

const NOTHING_FOUND = 'Nothing in it speaks for harm, and nothing of the visitor leaves the page.'

const UNSCORED: Readonly<Record<NonNullable<ScriptVerdict['unscored']>, string>> = {
  long: 'It is longer than what is scored, even without comments and spaces.',
  deep: 'It could not be analysed: it is nested more deeply than scripts of people are. Nothing of it was seen to be harmless.',
  none: 'There is no script in it, or none that could be read, so there are no scores.',
}

const toScores = (scores: NonNullable<ScriptVerdict['scores']>): Scores => ({
  jsIntegrity: scores.js_integrity_score,
  obfuscation: scores.obfuscation_score,
  dataflow: scores.dataflow_score,
  malware: scores.malware_score,
  cryptomining: scores.cryptomining_score,
  magecart: scores.magecart_score,
})

/** A feature's name is all that there is to say of it. */
const inWords = ({ score, kind, name, says, found }: ScriptVerdict['reasons'][number]): string =>
  `${score}: ${says}${kind === 'feature' ? '' : ` (${name})`}${found === null ? '' : `: ${found}`}`
