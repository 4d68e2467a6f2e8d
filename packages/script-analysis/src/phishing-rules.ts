// Phishing: scripts that persuade visitors to harm themselves, by fake updates, warnings, checks and notifications.
import { carries, type Evidence, matchOf, conclusive, type Rule, suggestive } from './evidence.ts'
import type { Observations } from './observations.ts'
import { hasHost, originOf } from './origins.ts'
import { TAINT } from './values.ts'

/** A command that downloads a program and runs it. */
const COMMAND =
  /powershell[^\n]{0,80}-|\bmshta(?:\.exe)? |\biex\b *\(|cmd(?:\.exe)? \/c|\bcurl\b[^\n]{0,100}\| *(?:ba|z)?sh|msiexec[^\n]{0,20}\/i|rundll32 |\bosascript\b/iu
/** A command that hides itself or its content. */
const HIDDEN_COMMAND =
  /powershell[^\n]{0,80}-(?:w(?:in(?:dowstyle)?)?\s+h|e(?:nc|c|ncodedcommand)?\s+[\w+/=]{16})|\bmshta(?:\.exe)?\s+["']?https?:|frombase64string/iu
/** Where commands are entered: the dialog "Run", or the address bar of the file explorer. */
const RUN_DIALOG =
  /\bwin(?:dows)?(?:[\s-]*(?:key|logo|taste|toets|tast|tangent\w*|näppäin))?(?:\s*(?:\+|and|plus)\s*|\s(?:und|y|et|e)\s)["'<>/\w ]{0,12}\bR\b|\bexplorer\b[^\n]{0,80}\bctrl\s*(?:\+|and)\s*L\b/iu
const PASTE_KEYS = /(?:ctrl|strg|control|cmd|command|⌘)(?:\s*(?:\+|and)\s*|\s(?:und|y|et|e)\s)v\b/iu
const PASTE =
  /(?:ctrl|strg|control|cmd|command|⌘)(?:\s*(?:\+|and)\s*|\s(?:und|y|et|e)\s)v\b|\bpaste\b|\bfügen sie\b|\bpegue\b|\bpega(?:r|lo)?\b|\bcollez\b|\bcoller\b|\bincoll(?:a|are|i)\b|\bcol(?:e|ar)\b|\bplak(?:ken)?\b|\bwklej\b|вставьте|粘贴|貼り付け|붙여넣/iu
/** Clients of remote desktops name keys and copy what a server sends; they do not ask this beside the keys. */
const HUMAN_CHECK =
  /verify (?:that )?you|are (?:a )?human|not a robot|robot or human|kein roboter|(?:sie|du) ein mensch|(?:no (?:soy|eres|es)|não (?:sou|é)|non sono|pas) (?:u[mn] )?rob[oôó]|(?:eres|es usted|é|sei|essere|êtes(?: un)?|être) (?:humano|umano|humain)|geen robot|nie jestem robotem|не робот|вы человек|不是机器人|ロボットではありません|로봇이 아닙니다/iu
const PRETEXT = new RegExp(`${HUMAN_CHECK.source}|captcha|to fix|something went wrong`, 'iu')

/** Hosts of browser vendors. */
const VENDORS =
  /(?:^|\.)(?:mozilla\.(?:org|net|com)|google\.com|microsoft\.com|opera\.com|apple\.com|brave\.com|vivaldi\.com|adobe\.com|duckduckgo\.com|browsehappy\.com|browser-update\.org|outdatedbrowser\.com|whatbrowser\.org|updatemybrowser\.org)$/u
const PROGRAM =
  /(?:https?:)?\/\/[\w.-]+(?::\d+)?\/[\w/.%-]{0,200}\.(?:exe|msix?|appx|apk|hta|scr|dmg|pkg|iso|vhd|vbs|ps1|bat|js\.zip|zip|rar|7z)\b/giu

/** Addresses of programs that belong neither to the site nor to a browser vendor. */
const strangePrograms = ({ ownHosts, analysis: { corpus } }: Evidence): readonly string[] =>
  [...corpus.matchAll(PROGRAM)]
    .map(([address]) => address)
    .filter((address) => originOf(address, ownHosts) === 'other' && !hasHost(address, VENDORS))

/** Text that asks to replace the browser. */
const UPDATE_TALK =
  /\b(?:browser|chrome|firefox|edge|safari|flash(?: player)?|plug-?in|font(?: pack)?|codec)\b[^\n]{0,60}\b(?:updates?|outdated|out of date|old(?:er)? version|expired|missing)\b|\b(?:update|upgrade|install)\b[^\n]{0,30}\b(?:your browser|chrome|firefox|edge|flash player|plug-?in|font pack|codec)\b/iu
/** A layer over the whole page. */
const OVERLAY =
  /position\s*:\s*fixed[^"'`]{0,200}(?:(?:width|height)\s*:\s*100|inset\s*:\s*0|z-index\s*:\s*\d{4})|z-index\s*:\s*\d{4}[^"'`]{0,200}position\s*:\s*fixed/iu

/** Whether it replaces the page by its own. */
const takesPage = ({ analysis: { corpus, observed } }: Evidence): boolean =>
  /(?:document\.(?:body|documentElement)|\bbody)\.(?:innerHTML|outerHTML)\s*=/u.test(corpus) ||
  [...observed.paths.keys()].some((path) => /^document\.(?:write|open)\(\)$/u.test(path))

/** Strings that visitors may read, without code: in code, `onerror` and `win + r` mean nothing. */
const stringsOf = ({ texts, decoded, layers }: Observations): readonly string[] => [
  ...texts,
  ...decoded,
  ...layers.filter(({ by }) => by === 'markup' || by === 'write').map(({ text }) => text),
]

/** Whether one string has both the address and the request to update. */
const standsWithTalk = (observed: Observations, address: string): boolean =>
  stringsOf(observed).some((text) => text.includes(address) && UPDATE_TALK.test(text))

/** What a script tells visitors about entering a command. */
interface Instructions {
  /** The dialog or address bar that is named; null if none is. */
  readonly dialog: string | null
  readonly isPasted: boolean
  readonly hasPretext: boolean
  /** Whether a pretext stands in one string with where the command goes. */
  readonly isPretextBeside: boolean
  readonly hasCheck: boolean
  /** Whether a check of humans stands in one string with the keys. */
  readonly isCheckBeside: boolean
}

function instructionsOf(observed: Observations): Instructions {
  const all = stringsOf(observed)
  const entered = all.filter((text) => RUN_DIALOG.test(text) || PASTE.test(text))
  const within = (pattern: RegExp, strings = all): boolean => strings.some((text) => pattern.test(text))
  const dialog = entered.find((text) => RUN_DIALOG.test(text))
  return {
    dialog: dialog === undefined ? null : matchOf(RUN_DIALOG, dialog),
    isPasted: within(PASTE, entered),
    hasPretext: within(PRETEXT),
    isPretextBeside: within(PRETEXT, entered),
    hasCheck: within(HUMAN_CHECK),
    isCheckBeside: within(
      HUMAN_CHECK,
      entered.filter((text) => RUN_DIALOG.test(text) || PASTE_KEYS.test(text)),
    ),
  }
}

/** Whether a script says anything of where to enter a command or why, or copies one that hides itself. */
export function instructsVisitor(observed: Observations, corpus: string): boolean {
  const { dialog, isPasted, hasPretext, hasCheck } = instructionsOf(observed)
  return dialog !== null || isPasted || hasPretext || hasCheck || HIDDEN_COMMAND.test(corpus)
}

export const PHISHING_RULES: readonly Rule[] = [
  {
    id: 'shell-on-clipboard',
    head: 'malware',
    description: 'copies a command to the clipboard and tells visitors to run it',
    find: ({ has, analysis: { corpus, observed } }) => {
      const copied = observed.flows.filter(({ sink }) => sink === 'clipboard')
      if (!has('clipboard-write') && !observed.paths.has('new ClipboardItem') && copied.length === 0)
        return null
      const hidden = copied.find(({ address }) => HIDDEN_COMMAND.test(address))
      if (hidden !== undefined) return conclusive(hidden.address.slice(0, 120))
      // A copy button next to a command is documentation.
      const instructions = instructionsOf(observed)
      const isEntered = instructions.dialog !== null
      if (!isEntered && !(instructions.isPasted && instructions.hasPretext)) return null
      const run = copied.find(({ address }) => COMMAND.test(address))
      if (run !== undefined && (isEntered || instructions.hasCheck || instructions.isPretextBeside))
        return conclusive(matchOf(COMMAND, run.address))
      // Elsewhere in the script, a command may be an example. A server may send one; a help page may copy it, too.
      const isFetched = copied.some((flow) => carries(flow, TAINT.network))
      const found = matchOf(COMMAND, corpus) ?? (isFetched ? instructions.dialog : null)
      return instructions.isCheckBeside ? conclusive(found) : suggestive(found)
    },
  },
  {
    id: 'false-update',
    head: 'malware',
    description: 'asks for an update and offers a program from another site',
    find: (evidence) => {
      const { corpus, observed } = evidence.analysis
      if (!evidence.has('update-words') && !UPDATE_TALK.test(corpus)) return null
      const [address = null] = strangePrograms(evidence)
      const isTaking = takesPage(evidence) || OVERLAY.test(corpus)
      // Flash has not been updated since 2021.
      const isOfOld = /flash player/iu.test(corpus)
      // Large pages mention browsers in one place, and offer programs in another.
      const isOffered =
        address !== null && !/\.(?:zip|rar|7z|pkg)$/iu.test(address) && standsWithTalk(observed, address)
      if (address !== null)
        return isOffered && (isOfOld || isTaking) ? conclusive(address) : suggestive(address)
      // An overlay that starts a download; honest notices about old browsers link to the vendor.
      const isPressed = observed.paths.has('=download') || observed.paths.has('.createObjectURL')
      return isTaking && isPressed && UPDATE_TALK.test(corpus)
        ? suggestive(matchOf(UPDATE_TALK, corpus))
        : null
    },
  },
  {
    id: 'false-warning',
    head: 'malware',
    description: 'warns of a danger, blocks the page and asks visitors to call',
    find: ({ analysis: { corpus, observed } }) => {
      const warning = matchOf(
        /(?:virus|trojan|infected|(?:computer|pc|device|iphone)\b.{0,20}\b(?:blocked|locked))[\s\S]{0,300}?\bcall\b.{0,30}(?:support|now|\d)/iu,
        corpus,
      )
      const isHeld =
        observed.events.has('beforeunload') || /requestFullscreen|onbeforeunload|pushState/u.test(corpus)
      const isLoud = /\b(?:alert|confirm)\s*\(|new Audio\b|<audio|requestFullscreen/u.test(corpus)
      return isHeld && isLoud ? conclusive(warning) : isHeld ? suggestive(warning) : null
    },
  },
  {
    id: 'notices-by-deceit',
    head: 'malware',
    description: 'makes visitors allow notifications under a pretext',
    find: ({ has, analysis: { corpus } }) => {
      if (!has('notification')) return null
      const [request] = /\b(?:press|click|tap)\s+\W{0,3}allow\b[^'"`]{0,60}/iu.exec(corpus) ?? []
      if (request === undefined) return null
      if (/\brobot|\bhuman\b|\bwatch\b|\bdownload\b|\b18\b|your age\b/iu.test(request))
        return conclusive(request)
      return suggestive(/\bcontinue\b|\bconfirm/iu.test(request) ? request : null)
    },
  },
]
