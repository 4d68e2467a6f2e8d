// The reasons for scores, as the server writes them: `magecart_score: description (rule): found`.
const SCORES = [
  'js_integrity_score',
  'obfuscation_score',
  'dataflow_score',
  'malware_score',
  'cryptomining_score',
  'magecart_score',
] as const
export type ScoreName = (typeof SCORES)[number]

export interface Reason {
  /** Absent for remarks about the whole script. */
  readonly score: ScoreName | undefined
  readonly description: string
  /** The code or place that it is about. */
  readonly found: string | undefined
}

/** `description (name of the rule): found`; the name and what was found may be missing. */
const PARTS = /^(.*?)(?: \([a-z][a-zA-Z0-9 .:-]*\))?(?:: (.*))?$/s

export function readReason(line: string): Reason {
  const score = SCORES.find((name) => line.startsWith(`${name}: `))
  if (score === undefined) return { score, description: line, found: undefined }
  const [, description, found] = PARTS.exec(line.slice(score.length + ': '.length)) ?? []
  return { score, description: description === undefined ? line : description, found }
}
