// Results about contents: scores from 1 (certainly malicious) to 99 (certainly not), and categories of threat
// feeds.

export const SCORES = [
  'jsIntegrity',
  'obfuscation',
  'dataflow',
  'malware',
  'cryptomining',
  'magecart',
] as const

/** 1..99 each; null = unknown. */
export type Scores = Readonly<Record<(typeof SCORES)[number], number | null>>

export const NO_SCORES: Scores = {
  jsIntegrity: null,
  obfuscation: null,
  dataflow: null,
  malware: null,
  cryptomining: null,
  magecart: null,
}

/** Scores below this mark a script as malicious (specification §8). */
export const MALICIOUS_BELOW = 10

export const THREAT_CATEGORIES = [
  'Security threats',
  'Command-and-Control (C2) & Botnet',
  'Crypto mining',
  'Spyware',
  'Phishing',
  'Malware',
  'Domain Generation Algorithm (DGA) domain',
  'Typosquatting & Impersonation',
] as const
export type ThreatCategory = (typeof THREAT_CATEGORIES)[number]

/** null = not reported. */
export interface Reported {
  readonly domainCategories: readonly ThreatCategory[] | null
  readonly urlCategories: readonly ThreatCategory[] | null
}

/** The verdicts of one feed version on a list of URLs, in the same order. */
export interface Judgement {
  readonly feedVersion: number
  readonly verdicts: readonly Reported[]
}

export const isReported = ({ domainCategories, urlCategories }: Reported): boolean =>
  domainCategories !== null || urlCategories !== null

/** Causes for which a resource counts as malicious. */
export type Verdict = 'js_integrity_score' | 'domain' | 'url'

/** All causes for which the resource counts as malicious. */
export function verdictsOn(
  { domainCategories, urlCategories }: Reported,
  scores: Scores | null,
): readonly Verdict[] {
  return [
    ...((scores?.jsIntegrity ?? MALICIOUS_BELOW) < MALICIOUS_BELOW ? (['js_integrity_score'] as const) : []),
    ...(domainCategories === null ? [] : (['domain'] as const)),
    ...(urlCategories === null ? [] : (['url'] as const)),
  ]
}

export const isMalicious = (reported: Reported, scores: Scores | null): boolean =>
  verdictsOn(reported, scores).length > 0
