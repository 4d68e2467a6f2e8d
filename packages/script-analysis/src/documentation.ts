// Documentation of commands: pages that offer a shell command and a button to copy it, as every installation guide
// does. What tells visitors where to enter it, and why, is a lure instead.
import type { Evidence } from './evidence.ts'
import { instructsVisitor } from './phishing-rules.ts'

const IN_PAGE = new Set(['storage', 'clipboard', 'navigation'])
/** A click on a button, or what it waits for. */
const ASKED = /^(?:click|pointerdown|pointerup|mousedown|mouseup|touchend|)$/u

/** The first command of a script that only offers commands for copying; null: it does something else. */
export function findCommandOffer({ has, analysis: { observed, corpus } }: Evidence): string | null {
  if (!has('shell-words') || !has('clipboard-write')) return null
  const isQuiet =
    observed.layers.every(({ by }) => by === 'markup') &&
    observed.flows.every(({ sink }) => IN_PAGE.has(sink))
  const isAsked = observed.flows.every(({ sink, on }) => sink !== 'clipboard' || ASKED.test(on))
  if (!isQuiet || !isAsked || instructsVisitor(observed, corpus)) return null
  const isCommand = (text: string): boolean =>
    /\bcurl\b|\bwget\b|\biwr\b|\birm\b|powershell|\bnpm\b|\bbrew\b|\bbash\b/iu.test(text)
  return [...observed.texts].find(isCommand) ?? null
}
