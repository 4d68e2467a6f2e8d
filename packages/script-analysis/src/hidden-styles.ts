// Styles that keep an element out of sight.

const HIDING_STYLE =
  /display\s*:\s*none|visibility\s*:\s*hidden|opacity\s*:\s*0(?![.\d])|(?:left|top)\s*:\s*-\d{3}|(?:width|height)\s*:\s*[0-2](?![.\d%]|r?em)/iu

export const isHidingStyle = (text: string): boolean => HIDING_STYLE.test(text)

/** Screens for which rules are read: the width of each in pixels of style sheets. */
const WIDTHS = [1440, 390]
const ALL_SCREENS = 0b11

/** What the style sheets of a script keep out of sight. */
export interface HidingRules {
  /** By a property and a class or ID, as a selector: the screens on which the property hides it, one bit each. */
  readonly names: Map<string, number>
  /** The last style sheet: scripts write the same one again. */
  last: string
}

export const createHidingRules = (): HidingRules => ({ names: new Map(), last: '' })

/** Values by which a rule hides an element. Opacity and size are missing: pages fade and fold out what is shown later. */
const HIDING_VALUES: readonly (readonly [property: string, pattern: RegExp])[] = [
  ['display', /^none\b/iu],
  ['visibility', /^hidden\b/iu],
  ['left', /^-\d{3}/u],
  ['top', /^-\d{3}/u],
]

/** Whether rules for these names together hide an element on each screen. */
export function areHidingNames({ names }: HidingRules, ofElement: readonly string[]): boolean {
  let screens = 0
  for (const name of ofElement)
    for (const [property] of HIDING_VALUES) screens |= names.get(`${property} ${name}`) ?? 0 // no rule names it
  return screens === ALL_SCREENS
}

/** A class or an ID alone: other selectors also depend on what is around an element. */
const SIMPLE = /^[.#][\w-]{1,60}$/u

/** Where the rules of a block apply. */
interface Reach {
  /** On these screens they may: what they hide there counts. */
  readonly may: number
  /** On these they do: what they show there counts. */
  readonly does: number
}

const EVERYWHERE: Reach = { may: ALL_SCREENS, does: ALL_SCREENS }
const SOMEWHERE: Reach = { may: ALL_SCREENS, does: 0 }
const NOWHERE: Reach = { may: 0, does: 0 }

interface Block {
  readonly reach: Reach
  /** What its declarations are about; null outside of rules. */
  readonly names: readonly string[] | null
  /** By property, whether its last declaration hides. */
  readonly hides: Map<string, boolean>
}

/** What has a meaning of its own: comments, escapes, strings, and the ends of declarations and blocks. */
const MARKS = /\/\*[\s\S]*?(?:\*\/|$)|\\[\s\S]|"(?:[^"\\\n]|\\[\s\S])*"?|'(?:[^'\\\n]|\\[\s\S])*'?|[{};]/gu

/**
 * Notes the classes and IDs that the rules of a style sheet keep out of sight. A later rule that sets the same property shows them
 * again. `spend`: takes steps for the work that does not grow with the length alone.
 */
export function noteSheet(rules: HidingRules, sheet: string, spend: (steps: number) => void): void {
  if (sheet === rules.last) return
  rules.last = sheet
  const open: Block[] = []
  let written = ''
  let at = 0
  for (const { 0: mark, index } of sheet.matchAll(MARKS)) {
    const isEnd = mark === '{' || mark === ';' || mark === '}'
    const isComment = mark.startsWith('/*')
    if (!isEnd && !isComment) continue
    written += sheet.slice(at, index)
    at = index + mark.length
    if (isComment) continue
    const block = open.at(-1)
    if (mark === '{') open.push(openBlock(block, written.trim()))
    else if (block !== undefined) noteDeclaration(block, written)
    written = ''
    if (mark === '}' && block !== undefined) closeBlock(rules, open, spend)
  }
  // The browser closes what is left open.
  const block = open.at(-1)
  if (block !== undefined) noteDeclaration(block, written + sheet.slice(at))
  while (open.length > 0) closeBlock(rules, open, spend)
}

function closeBlock({ names }: HidingRules, open: Block[], spend: (steps: number) => void): void {
  const block = open.pop()
  if (block === undefined || block.names === null || block.hides.size === 0) return
  const { reach, hides } = block
  spend(block.names.length * hides.size)
  for (const name of block.names) {
    for (const [property, isHiding] of hides) {
      const key = `${property} ${name}`
      const before = names.get(key) ?? 0 // no rule before
      const after = isHiding ? before | reach.may : before & ~reach.does
      if (after !== before) names.set(key, after)
    }
  }
}

function openBlock(around: Block | undefined, head: string): Block {
  const reach = around?.reach ?? EVERYWHERE
  const within = around?.names ?? null
  const [, rule] = /^@([\w-]+)/u.exec(head) ?? []
  if (rule === undefined) return { reach, names: namesIn(head, within), hides: new Map() }
  const own = reachOf(rule.toLowerCase(), head)
  return {
    reach: { may: reach.may & own.may, does: reach.does & own.does },
    names: within,
    hides: new Map(),
  }
}

/** The classes and IDs of selectors; `&` stands for those of the rule around them. */
function namesIn(selectors: string, within: readonly string[] | null): readonly string[] {
  const own = selectors.split(',').map((selector) => selector.trim())
  if (within !== null) return own.includes('&') ? within : []
  return own.filter((name) => SIMPLE.test(name))
}

function reachOf(rule: string, head: string): Reach {
  if (/^(?:supports|layer|container|scope|document)$/u.test(rule)) return SOMEWHERE
  // Frames of animations, fonts, pages of paper.
  if (rule !== 'media') return NOWHERE
  const queries = head.slice('@media'.length).toLowerCase().split(',').map(reachOfQuery)
  return {
    may: queries.reduce((screens, { may }) => screens | may, 0),
    does: queries.reduce((screens, { does }) => screens | does, 0),
  }
}

/** A width in pixels or, at 16 pixels each, in characters. */
const WIDTH = /^\(\s*(?:(min|max)-(?:device-)?width\s*:|width\s*([<>])=?)\s*(\d+(?:\.\d+)?)(px|r?em)?\s*\)$/u

/** Where one media query applies. Features other than widths may apply anywhere. */
function reachOfQuery(query: string): Reach {
  if (/\b(?:not|or)\b/u.test(query)) return SOMEWHERE
  if (/^\s*(?:only\s+)?(?:print|speech|tty|tv|projection|handheld|embossed|braille|aural)\b/u.test(query))
    return NOWHERE
  let { may, does } = EVERYWHERE
  for (const part of query.split(/\band\b/u).map((text) => text.trim())) {
    if (/^(?:only\s+)?(?:screen|all)?$/u.test(part)) continue
    const [, end, sign, count, unit] = WIDTH.exec(part) ?? []
    const limit = Number(count) * (unit === 'px' || unit === undefined ? 1 : 16)
    const isLeast = end === 'min' || sign === '>'
    const screens = WIDTHS.map((width) => (isLeast ? width >= limit : width <= limit))
    if (count === undefined) does = 0
    else may &= screens.reduce((bits, isShown, i) => bits | (isShown ? 1 << i : 0), 0)
  }
  return { may, does: does & may }
}

function noteDeclaration({ hides }: Block, declaration: string): void {
  const colon = declaration.indexOf(':')
  const property = declaration.slice(0, Math.max(0, colon)).trim().toLowerCase()
  const known = HIDING_VALUES.find(([name]) => name === property)
  if (known !== undefined) hides.set(property, known[1].test(declaration.slice(colon + 1).trim()))
}
