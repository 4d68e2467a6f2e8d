// What rules are given to look at, and how they say what they found.
import type { Analysis } from './analysis.ts'
import { CONCEPTS } from './concepts.ts'
import { LEAVING_SINKS, taintNames, type Flow } from './observations.ts'
import { hostOf, isHostHidden, originOf } from './origins.ts'
import { plainNodes } from './shape.ts'

export type Head = 'magecart' | 'cryptomining' | 'malware'

/** What a rule looks at. */
export interface Evidence {
  readonly analysis: Analysis
  readonly ownHosts: readonly string[]
  readonly has: (concept: string) => boolean
  /** Flows that leave for another host or one that could not be told, by a sink that does not need the visitor. */
  readonly leaving: readonly Flow[]
  /** Of all code in it, as it was before it was obfuscated. */
  readonly nodes: number
}

/** proof: no honest script does all of that together. sign: an honest one may do it, for a reason of its own. */
export interface Finding {
  readonly strength: 'proof' | 'sign'
  readonly found: string
}

export interface Rule {
  readonly id: string
  readonly head: Head
  readonly says: string
  readonly find: (evidence: Evidence) => Finding | null
}

const finding =
  (strength: Finding['strength']) =>
  (found: string | null): Finding | null =>
    found === null ? null : { strength, found }

export const proof = finding('proof')
export const sign = finding('sign')

/** What the rules look at. `concepts`: the values of CONCEPTS for the script. */
export function gatherEvidence(
  analysis: Analysis,
  concepts: readonly number[],
  ownHosts: readonly string[],
): Evidence {
  const present = new Set(CONCEPTS.filter((_, i) => (concepts[i] ?? 0) > 0).map(({ name }) => name))
  return {
    analysis,
    ownHosts,
    has: (concept) => present.has(concept),
    leaving: analysis.observed.flows.filter(
      ({ sink, address }) => LEAVING_SINKS.has(sink) && originOf(address, ownHosts) !== 'own',
    ),
    nodes: plainNodes(analysis.wholeShape),
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

/** Whether the name of the host stands nowhere in the script as it came. */
export function isConcealed({ analysis: { source } }: Evidence, flow: Flow): boolean {
  const host = hostOf(flow.address)
  return host !== null && !source.toLowerCase().includes(host)
}

/** Whether no code has even the domain of the host: neither the script nor what it decodes and runs. Unlike a whole that was encoded. */
export function isPutTogether({ analysis: { source, observed } }: Evidence, flow: Flow): boolean {
  const domain = hostOf(flow.address)?.split('.').slice(-2).join('.')
  if (domain === undefined) return false
  return (
    !source.toLowerCase().includes(domain) &&
    !observed.layers.some(({ text }) => text.toLowerCase().includes(domain))
  )
}

/** Whether the name of the host is hidden in a script that hides nothing else. */
export function isHiddenAlone({ analysis: { source, observed, wholeShape } }: Evidence, flow: Flow): boolean {
  const host = hostOf(flow.address)
  // Where names behind dots are computed, everything is hidden.
  const isOpen = wholeShape.hexNames === 0 && wholeShape.computedMembers * 2 < wholeShape.members
  // Markup that it writes is what comes of it, and no code.
  const run = observed.layers.filter(({ by }) => by !== 'write' && by !== 'markup')
  const codes = [source, ...run.map(({ text }) => text)].map((code) => code.toLowerCase())
  return isOpen && host !== null && isHostHidden(host, codes)
}

/** Hosts that put their own frames out of sight on pages that asked them to. */
export const KNOWN_FRAMES =
  /(?:^|\.)(?:googletagmanager|doubleclick|google|facebook|youtube|vimeo|stripe|paypal|braintreegateway|recaptcha|hcaptcha)\.(?:com|net)$/u
