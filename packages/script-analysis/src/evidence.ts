// The input of the rules, and the format of their findings.
import type { Analysis } from './analysis.ts'
import { elementAt } from './checked-reads.ts'
import { CONCEPTS } from './concepts.ts'
import { MAX_OBSERVED } from './limits.ts'
import { LEAVING_SINKS, taintNames, type Flow } from './observations.ts'
import { domainLabel, hostOf, isHostHidden, originOf } from './origins.ts'

export type ScriptClass = 'magecart' | 'cryptomining' | 'malware'

/** The input of a rule. */
export interface Evidence {
  readonly analysis: Analysis
  readonly ownHosts: readonly string[]
  readonly has: (concept: string) => boolean
  /** Flows to another or an unknown host, by a sink that needs no action of the visitor. */
  readonly leaving: readonly Flow[]
}

/**
 * proof: conclusive, no harmless script does all of this together. sign: suggestive, a harmless script may have its
 * own reason for it.
 */
export interface Finding {
  readonly strength: 'proof' | 'sign'
  readonly found: string
}

export interface Rule {
  readonly id: string
  readonly head: ScriptClass
  readonly description: string
  readonly find: (evidence: Evidence) => Finding | null
}

const finding =
  (strength: Finding['strength']) =>
  (found: string | null): Finding | null =>
    found === null ? null : { strength, found }

export const conclusive = finding('proof')
export const suggestive = finding('sign')

/** Collects the input of the rules. `concepts`: the script's values of CONCEPTS. */
export function gatherEvidence(
  analysis: Analysis,
  concepts: readonly number[],
  ownHosts: readonly string[],
): Evidence {
  const present = new Set(CONCEPTS.filter((_, i) => elementAt(concepts, i) > 0).map(({ name }) => name))
  return {
    analysis,
    ownHosts,
    has: (concept) => present.has(concept),
    leaving: analysis.observed.flows.filter(
      ({ sink, address }) => LEAVING_SINKS.has(sink) && originOf(address, ownHosts) !== 'own',
    ),
  }
}

export const describe = ({ sink, address, taint }: Flow): string =>
  `${taintNames(taint).join(', ') || 'nothing known'} to ${address.slice(0, 120) || 'an address that is put together'} by ${sink}`

export const matchOf = (pattern: RegExp, text: string): string | null =>
  pattern.exec(text)?.[0].slice(0, 120) ?? null

export const first = <T>(
  items: readonly T[],
  test: (item: T) => boolean,
  say: (item: T) => string,
): string | null => {
  const found = items.find(test)
  return found === undefined ? null : say(found)
}

export const isToOther = (evidence: Evidence, flow: Flow): boolean =>
  originOf(flow.address, evidence.ownHosts) === 'other'
export const carries = (flow: Flow, taint: number): boolean => (flow.taint & taint) !== 0

/**
 * Whether a script is a library that leaves these calls to the page: it exports something, and makes none of them when it is
 * loaded or by its own handlers. A script that conceals its names counts as none.
 */
export function leavesCalls({ has, analysis: { observed, wholeShape } }: Evidence, calls: RegExp): boolean {
  const { hexNames, computedMembers, members } = wholeShape
  const isConcealed = hexNames > 0 || computedMembers * 2 > members
  // Behind too many names there may be others.
  const isWhole = observed.performed.size < MAX_OBSERVED
  return (
    has('exports') && !isConcealed && isWhole && ![...observed.performed].some((name) => calls.test(name))
  )
}

/** Whether the host name does not occur in the original script. */
export function isConcealed({ analysis: { source } }: Evidence, flow: Flow): boolean {
  const host = hostOf(flow.address)
  return host !== null && !source.toLowerCase().includes(host)
}

/** Names that most scripts of pages use. */
const COMMON_NAMES = [
  'addEventListener',
  'querySelector',
  'querySelectorAll',
  'getElementById',
  'createElement',
  'appendChild',
  'preventDefault',
  'textContent',
  'innerHTML',
  'forEach',
  'stringify',
  'setAttribute',
  'getAttribute',
  'setItem',
  'getItem',
  'toString',
  'replace',
  'length',
]
const MIN_HIDDEN_NAMES = 4

/**
 * Whether the common names are decoded, too, and in the source nowhere: an obfuscator conceals everything alike, and a
 * host with it.
 */
export const concealsAll = (evidence: Evidence): boolean =>
  evidence.analysis.wholeShape.hexNames > 0 || countHidden(evidence, COMMON_NAMES) >= MIN_HIDDEN_NAMES

/** How many of these names are decoded, and in the source nowhere. */
const countHidden = ({ analysis: { source, observed } }: Evidence, names: readonly string[]): number =>
  names.filter((name) => observed.decoded.has(name) && !source.includes(name)).length

/** Names with which a script reads a page, decodes text and runs it. */
const NAMES_OF_DECODERS = [
  'innerHTML',
  'outerHTML',
  'getElementById',
  'getElementsByTagName',
  'createElement',
  'appendChild',
  'addEventListener',
  'fromCharCode',
  'charCodeAt',
  'charAt',
  'substr',
  'substring',
  'indexOf',
  'replace',
  'RegExp',
  'String',
  'document',
  'window',
  'script',
  'javascript',
  'unescape',
  'eval',
  'exec',
  'write',
]
const MIN_NAMES_PUT_TOGETHER = 2

/** Whether a script puts such names together, which occur in its source nowhere. */
export const putsNamesTogether = (evidence: Evidence): boolean =>
  countHidden(evidence, NAMES_OF_DECODERS) >= MIN_NAMES_PUT_TOGETHER

/**
 * Whether the name of the host occurs in no code, neither in the script nor in code that it decodes and runs. This
 * excludes scripts that are encoded as a whole, and settings that choose between hosts of one domain.
 */
export function isPutTogether({ analysis: { source, observed } }: Evidence, flow: Flow): boolean {
  const host = hostOf(flow.address)
  if (host === null) return false
  const domain = host.split('.').slice(-2).join('.')
  const label = domainLabel(host)
  const name = label.length < MIN_LABEL ? domain : label
  return (
    !source.toLowerCase().includes(name) &&
    !observed.layers.some(({ text }) => text.toLowerCase().includes(name))
  )
}
/** Shorter labels occur by chance. */
const MIN_LABEL = 5

/** Whether the host name is hidden in a script that hides nothing else. */
export function isHiddenAlone({ analysis: { source, observed, wholeShape } }: Evidence, flow: Flow): boolean {
  const host = hostOf(flow.address)
  // If property names are computed, everything is hidden.
  const isOpen = wholeShape.hexNames === 0 && wholeShape.computedMembers * 2 < wholeShape.members
  // Markup that it writes is its output, not code.
  const run = observed.layers.filter(({ by }) => by !== 'write' && by !== 'markup')
  const codes = [source, ...run.map(({ text }) => text)].map((code) => code.toLowerCase())
  return isOpen && host !== null && isHostHidden(host, codes)
}

/** Hosts that legitimately show hidden frames on pages that include them. */
export const KNOWN_FRAMES =
  /(?:^|\.)(?:googletagmanager|doubleclick|google|facebook|youtube|vimeo|stripe|paypal|braintreegateway|recaptcha|hcaptcha)\.(?:com|net)$/u
