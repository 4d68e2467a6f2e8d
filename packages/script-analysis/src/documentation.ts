// Documentation of commands: pages that offer a shell command and a button to copy it, as every installation guide
// does. What tells visitors where to enter it, and why, is a lure instead.
import type { Evidence } from './evidence.ts'
import type { Flow } from './observations.ts'
import { originOf } from './origins.ts'
import { instructsVisitor } from './phishing-rules.ts'

const IN_PAGE = new Set(['storage', 'clipboard'])
/** A click on a button, or what it waits for. */
const ASKED = /^(?:click|pointerdown|pointerup|mousedown|mouseup|touchend|)$/u
const COMMAND = /\bcurl\b|\bwget\b|\biwr\b|\birm\b|powershell|\bnpm\b|\bbrew\b|\bbash\b/iu
/** What installation guides have in one of their commands, in any language. */
const INSTALLS =
  /\binstall|\bsetup\b|\b(?:brew|npm|npx|pnpm|yarn|pip3?|pipx|apt|apt-get|dnf|cargo|docker|choco|winget|scoop|snap)\b/iu
/** What no guide needs: keys and checks of lures in any language, and hosts or code that cannot be read. */
const OF_PHISHING =
  /(?:\bwin(?:dows)?|⊞|❖)\s{0,3}\+\s{0,3}[rx]\b|(?:\bctrl|\bstrg|\bcmd|⌘)\s{0,3}\+\s{0,3}v\b|captcha|cloudflare|mshta|rundll32|regsvr32|base64|\s-e(?:nc\w*|c)?\s|hidden|\s-w\s+h|:\/\/\d{1,3}\.\d{1,3}\.\d{1,3}\.\d/iu

/** The first command of a script that only offers commands for copying; null: it does something else. */
export function findCommandOffer({ has, ownHosts, analysis }: Evidence): string | null {
  const { kind, observed, corpus, source } = analysis
  // What was not read may be anything.
  if (kind !== 'script' || observed.isCut) return null
  if (!has('shell-words') || !has('clipboard-write')) return null
  const isInPage = ({ sink, address }: Flow): boolean =>
    IN_PAGE.has(sink) || (sink === 'navigation' && originOf(address, ownHosts) === 'own')
  const isQuiet = observed.layers.every(({ by }) => by === 'markup') && observed.flows.every(isInPage)
  const isAsked = observed.flows.every(({ sink, on }) => sink !== 'clipboard' || ASKED.test(on))
  if (!isQuiet || !isAsked || instructsVisitor(observed, corpus) || OF_PHISHING.test(corpus)) return null
  const commands = [...observed.texts, ...observed.decoded].filter((text) => COMMAND.test(text))
  // A guide shows its commands, and conceals none.
  if (!commands.every((text) => source.includes(text)) || !commands.some((text) => INSTALLS.test(text)))
    return null
  return commands[0] ?? null
}
