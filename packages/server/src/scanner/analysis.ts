// What is told of a script from its text alone: its structure, its scores, and why.
import type { Scores } from '../features/page-shield/index.ts'
import { readStructure } from './structure.ts'

/** Of what is told: a new one, and every script is analysed again when it is fetched. */
export const ANALYSIS_VERSION = 1

export interface Analysis {
  /** Of its structure; null where it cannot be read. */
  readonly structureHash: string | null
  readonly scores: Scores | null
  /** What the scores rest on, in words. */
  readonly reasons: readonly string[]
}

/** Text to be analysed, on its way into the process, and what came of it. */
export interface AnalysisRequest {
  readonly source: string
  /** Hosts of the page that loads it. */
  readonly ownHosts: readonly string[]
}

export function analyse({ source }: AnalysisRequest): Analysis {
  const structureHash = readStructure(source)?.hash ?? null
  return { structureHash, scores: null, reasons: [] }
}
