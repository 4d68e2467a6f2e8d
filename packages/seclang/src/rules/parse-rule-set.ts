// Parses the files of a rule set into data, and carries out the directives that change rules.
import { type Directive, readDirectives } from './directive.ts'
import { type DefaultActions, parseActions, parseRule, parseTargets, SecLangError } from './parse-rule.ts'
import type { Action, IgnoredDirective, RuleSet, RuleSetItem, SecRule } from './rule-set.ts'

export interface SourceFile {
  readonly name: string
  readonly text: string
}

/**
 * Parses a rule set. Files are read in the given order.
 * @param files configuration files, and the lists that rules refer to (`*.data`)
 * @throws SecLangError for a directive that is not valid, and for a file that ends within a directive or a chain, with the
 *   file and the line
 */
export function parseRuleSet(files: readonly SourceFile[]): RuleSet {
  const reader = new Reader()
  for (const { name, text } of files) {
    if (name.endsWith('.data')) continue
    for (const directive of readDirectives(name, text)) reader.read(directive)
    reader.endFile()
  }
  const lists = Object.fromEntries(
    files.filter(({ name }) => name.endsWith('.data')).map(({ name, text }) => [name, listOf(text)]),
  )
  return { version: reader.version, items: reader.finish(), lists, ignored: reader.ignored }
}

const listOf = (text: string): readonly string[] =>
  text
    .split('\n')
    .map((line) => line.replace(/\r$/, ''))
    .filter((line) => line.trim() !== '' && !line.startsWith('#'))

/** Directives that set up an engine, or that concern logs: rules decide the same without them. */
const WITHOUT_EFFECT =
  /^sec(?:componentsignature|collectiontimeout|ruleengine|requestbody|responsebody|audit|debug|tmp|data|upload|pcre|argument|cookie|unicode|status|server|geolookup|httpbl|web|conn|interceptonerror|rulescript|hash|content|chroot|guardian|streaminbody|streamoutbody|rulesinherit|rulepersistence|cachetransformations|disablebackend|sensorid|xmlexternal|ruleinheritance|remoterules|arguments)/

/** Also the sections of Apache, such as `<IfModule>`. */
const DIRECTIVE_NAME = /^(?:[a-z]\w*|<\/?[a-z]\w*>?)$/i

class Reader {
  version = ''
  readonly ignored: IgnoredDirective[] = []
  private readonly items: RuleSetItem[] = []
  private readonly defaults = new Map<number, readonly Action[]>()
  /** The chain that is being read. */
  private open: { readonly rules: readonly SecRule[]; readonly last: Directive } | undefined
  /** Where each ID was first used. */
  private readonly ids = new Map<number, Directive>()
  private readonly edits: ((rule: SecRule) => SecRule | undefined)[] = []

  read(directive: Directive): void {
    const { name, args, file, line, isUnfinished } = directive
    if (isUnfinished)
      throw new SecLangError(directive, 'the directive has no end; the file may have been cut')
    const kind = name.toLowerCase()
    switch (kind) {
      case 'secrule':
      case 'secaction':
        return this.readRule(directive)
      case 'secmarker':
        if (args[0] !== undefined) this.items.push({ kind: 'marker', name: args[0] })
        return
      case 'secdefaultaction':
        return this.readDefault(args[0])
      case 'seccomponentsignature':
        this.version = /\d+(?:\.\d+)+(?:-\w+)?/.exec(args[0] ?? '')?.[0] ?? this.version // unnamed: unknown
        return
      default:
        if (this.readEdit(kind, args, directive)) return
        if (!DIRECTIVE_NAME.test(name))
          throw new SecLangError(
            { ...directive, name: 'not SecLang' },
            'expected a directive, such as SecRule',
          )
        if (!WITHOUT_EFFECT.test(kind)) {
          this.ignored.push({ file, line, name, reason: 'this directive is not known' })
        }
    }
  }

  /** @throws SecLangError if a chain lacks its last rule */
  endFile(): void {
    if (this.open !== undefined)
      throw new SecLangError(this.open.last, 'the next rule of its chain is missing')
  }

  finish(): readonly RuleSetItem[] {
    return this.items.flatMap((item): RuleSetItem[] => {
      if (item.kind !== 'rule') return [item]
      let rule: SecRule | undefined = item.rule
      for (const edit of this.edits) rule = rule && edit(rule)
      return rule === undefined ? [] : [{ kind: 'rule', rule }]
    })
  }

  private readRule(directive: Directive): void {
    const { rule, hasChain } = parseRule(directive, this.open === undefined ? this.defaults : NO_DEFAULTS)
    if (this.open === undefined) this.checkId(rule.id, directive)
    const rules = [...(this.open?.rules ?? []), rule] // the first rule of a chain opens it
    this.open = { rules, last: directive }
    if (!hasChain) this.closeChain()
  }

  /** Rules of the ruleset API are found by their IDs. */
  private checkId(id: number, directive: Directive): void {
    if (id < 1) throw new SecLangError(directive, 'an id of at least 1 is required')
    const first = this.ids.get(id)
    if (first !== undefined)
      throw new SecLangError(directive, `id ${id} is already that of the rule at ${first.file}:${first.line}`)
    this.ids.set(id, directive)
  }

  private closeChain(): void {
    const [head, ...chain] = this.open?.rules ?? [] // no rule is open
    this.open = undefined
    // The rules of a chain run in the phase of its first rule.
    if (head !== undefined) {
      const links = chain.map((link) => ({ ...link, phase: head.phase }))
      this.items.push({ kind: 'rule', rule: { ...head, chain: links } })
    }
  }

  private readDefault(text: string | undefined): void {
    const actions = text === undefined ? [] : parseActions(text)
    const phase = Number(actions.find(({ name }) => name === 'phase')?.value)
    // Only transformations are inherited: what a rule does with a match is decided by its caller.
    this.defaults.set(
      phase,
      actions.filter(({ name }) => name === 't'),
    )
  }

  private readEdit(kind: string, args: readonly string[], directive: Directive): boolean {
    const edit = editOf(kind, args)
    if (edit === undefined) return false
    const isKnown = !/target/.test(kind) || args[1] !== undefined
    if (!isKnown) throw new SecLangError(directive, 'targets are required')
    this.edits.push(edit)
    return true
  }
}

const NO_DEFAULTS: DefaultActions = new Map()

function editOf(
  kind: string,
  [which = '', targets = '']: readonly string[],
): ((rule: SecRule) => SecRule | undefined) | undefined {
  const addTargets = (rule: SecRule): SecRule => ({
    ...rule,
    targets: [...rule.targets, ...parseTargets(targets)],
  })
  switch (kind) {
    case 'secruleremovebyid':
      return (rule) => (isInRanges(rule.id, which) ? undefined : rule)
    case 'secruleremovebytag':
      return (rule) => (hasTag(rule, which) ? undefined : rule)
    case 'secruleupdatetargetbyid':
      return (rule) => (isInRanges(rule.id, which) ? addTargets(rule) : rule)
    case 'secruleupdatetargetbytag':
      return (rule) => (hasTag(rule, which) ? addTargets(rule) : rule)
    default:
      return undefined
  }
}

/** True if the tag occurs in one of the rule's, as ModSecurity compares them. */
export const hasTag = ({ tags }: Pick<SecRule, 'tags'>, fragment: string): boolean =>
  tags.some((tag) => tag.includes(fragment))

/** `920100,920200-920299 930000`: numbers and ranges. */
export const isInRanges = (id: number, ranges: string): boolean =>
  ranges.split(/[\s,]+/).some((range) => {
    const [, from, to = from] = /^"?(\d+)(?:-(\d+))?"?$/.exec(range) ?? []
    return from !== undefined && id >= Number(from) && id <= Number(to)
  })
