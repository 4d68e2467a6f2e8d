// The reasons for scores, as the server writes them: `magecart_score: description (rule): found`. Names in them become words.
import { scriptReasonStrings as text } from '../../strings/script-reasons.ts'

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
  if (description === undefined) return { score, description: line, found }
  if (description === FEATURE) return { score, description: text.feature, found: found?.replaceAll('-', ' ') }
  return {
    score,
    description: flowText(description),
    found: found === undefined ? undefined : sentText(found),
  }
}

const FEATURE = 'supported by the feature'

const FLOW = /^data from ([a-z, ]+) can leave the page by ([a-z]+)(.*)$/s

function flowText(description: string): string {
  const [, data, way, where] = FLOW.exec(description) ?? []
  const words = wordsOf(data)
  if (words === undefined || way === undefined || where === undefined) return description
  return text.leaves(words, text.ways[way] ?? way, where) // a way of a later version
}

const SENT = /^([a-z, ]+) to (\S+) by ([a-z]+)(.*)$/s

function sentText(found: string): string {
  const [, data, address, way, rest] = SENT.exec(found) ?? []
  const words = wordsOf(data)
  if (words === undefined || address === undefined || way === undefined || rest === undefined) return found
  return text.sent(words, address, text.ways[way] ?? way, rest) // a way of a later version
}

/** undefined if one of them has no word: then it is no list of names. */
function wordsOf(names: string | undefined): string | undefined {
  const words = names?.split(', ').map((name) => text.data[name])
  if (words === undefined || words.includes(undefined)) return undefined
  return words.length < 2 ? words[0] : `${words.slice(0, -1).join(', ')}${text.and}${words.at(-1)}`
}
