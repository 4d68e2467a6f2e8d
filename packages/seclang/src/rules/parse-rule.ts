// Parses the three arguments of a rule: targets, operator, actions.
import type { Directive } from './directive.ts'
import type { Action, Operator, SecRule, Target } from './rule-set.ts'

/** A directive that is not valid SecLang. */
export class SecLangError extends Error {
  readonly file: string
  readonly line: number

  constructor({ file, line, name }: Directive, problem: string) {
    super(`${file}:${line}: ${name}: ${problem}`)
    this.name = 'SecLangError'
    this.file = file
    this.line = line
  }
}

export function parseTargets(text: string): readonly Target[] {
  return splitOutside(text, '|', /[/']/).map(parseTarget)
}

function parseTarget(text: string): Target {
  const sign = /^[!&]/.exec(text)?.[0]
  const bare = sign === undefined ? text : text.slice(1)
  const colon = bare.indexOf(':')
  const collection = (colon === -1 ? bare : bare.slice(0, colon)).trim().toUpperCase()
  const selector = colon === -1 ? undefined : bare.slice(colon + 1).trim()
  const pattern = selector === undefined ? null : /^'?\/(.*)\/'?$/s.exec(selector)
  return {
    collection,
    ...(selector !== undefined && { selector: pattern?.[1] ?? selector.replace(/^'(.*)'$/, '$1') }),
    // An XPath such as `/*` is not between two slashes.
    ...(pattern !== null && collection !== 'XML' && { isPattern: true as const }),
    ...(sign === '&' && { isCount: true as const }),
    ...(sign === '!' && { isExcluded: true as const }),
  }
}

/** Splits, except between two equal quotes that open a part (`/`) or occur in it (`'`). */
function splitOutside(text: string, separator: string, quotes: RegExp): readonly string[] {
  const parts: string[] = []
  let part = ''
  let open = ''
  for (let at = 0; at < text.length; at += 1) {
    const character = text.charAt(at)
    if (character === '\\' && at + 1 < text.length) {
      part += character + text.charAt(at + 1)
      at += 1
    } else if (character === separator && open === '') {
      parts.push(part)
      part = ''
    } else {
      if (open === character) open = ''
      else if (open === '' && quotes.test(character) && opensQuote(character, part)) open = character
      part += character
    }
  }
  parts.push(part)
  return parts.map((item) => item.trim()).filter((item) => item !== '')
}

/** A slash opens a pattern only directly after the colon of a selector; `XML:/*` is a path. */
const opensQuote = (character: string, before: string): boolean =>
  character !== '/' || (/:'?$/.test(before) && !/^[&!]?XML:/i.test(before))

export function parseOperator(text: string): Operator {
  const isNegated = text.startsWith('!')
  const bare = isNegated ? text.slice(1).trimStart() : text
  const named = /^@(\w+)(?:\s+|$)/.exec(bare)
  return {
    name: named?.[1]?.toLowerCase() ?? 'rx',
    argument: named === null ? bare : bare.slice(named[0].length),
    ...(isNegated && { isNegated: true as const }),
  }
}

export const parseActions = (text: string): readonly Action[] =>
  splitOutside(text, ',', /'/).map((item) => {
    const colon = item.indexOf(':')
    if (colon === -1) return { name: item.toLowerCase() }
    const value = item.slice(colon + 1).trim()
    return { name: item.slice(0, colon).trim().toLowerCase(), value: unquote(value) }
  })

const unquote = (text: string): string =>
  (text.startsWith("'") && text.endsWith("'") && text.length > 1 ? text.slice(1, -1) : text).replaceAll(
    "\\'",
    "'",
  )

const OWN_MEMBER = new Set(['id', 'phase', 't', 'tag', 'msg', 'severity', 'chain'])
const LAST_PHASE = 5
const PHASES: Readonly<Record<string, number>> = { request: 2, response: 4, logging: 5 }

/** Actions that apply to rules of a phase that do not state them. */
export type DefaultActions = ReadonlyMap<number, readonly Action[]>

/** @throws SecLangError if the directive is not a valid rule */
export function parseRule(
  directive: Directive,
  defaults: DefaultActions,
): { rule: SecRule; hasChain: boolean } {
  const { name, args, file, line } = directive
  const isAction = name.toLowerCase() === 'secaction'
  const [first, second, third] = isAction ? [undefined, undefined, args[0]] : args
  if (!isAction && (first === undefined || second === undefined)) {
    throw new SecLangError(directive, 'targets and an operator are required')
  }
  const own = third === undefined ? [] : parseActions(third)
  const phase = phaseOf(own)
  if (!Number.isInteger(phase) || phase < 1 || phase > LAST_PHASE)
    throw new SecLangError(directive, 'phase must be 1 to 5, request, response or logging')
  const actions = [...(defaults.get(phase) ?? []), ...own] // most phases have no defaults
  const last = (kind: string): string | undefined => actions.findLast((action) => action.name === kind)?.value
  const message = last('msg')
  const severity = last('severity')
  const rule: SecRule = {
    id: Number(last('id') ?? 0), // the later rules of a chain have none
    phase,
    targets: first === undefined ? [] : parseTargets(first),
    ...(second !== undefined && { operator: parseOperator(second) }),
    transforms: transformsOf(actions),
    actions: actions.filter((action) => !OWN_MEMBER.has(action.name)),
    tags: actions.flatMap(({ name: kind, value }) => (kind === 'tag' && value !== undefined ? [value] : [])),
    ...(message !== undefined && { message }),
    ...(severity !== undefined && { severity: severity.toUpperCase() }),
    chain: [],
    file,
    line,
  }
  if (!Number.isSafeInteger(rule.id)) throw new SecLangError(directive, `id ${last('id')} is not a number`)
  return { rule, hasChain: own.some((action) => action.name === 'chain') }
}

function phaseOf(actions: readonly Action[]): number {
  const value = actions.findLast(({ name }) => name === 'phase')?.value
  // ModSecurity runs a rule without a phase in phase 2.
  if (value === undefined) return 2
  return PHASES[value.toLowerCase()] ?? Number(value)
}

function transformsOf(actions: readonly Action[]): readonly string[] {
  const names = actions.flatMap(({ name, value }) =>
    name === 't' && value !== undefined ? [value.toLowerCase()] : [],
  )
  return names.slice(names.lastIndexOf('none') + 1).map((name) => name.replace('normalise', 'normalize'))
}
