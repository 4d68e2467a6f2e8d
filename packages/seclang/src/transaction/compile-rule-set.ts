// Compiles the data of a rule set: patterns parsed, equal reads shared, markers resolved.
import { type Bytes, foldCase } from '../bytes.ts'
import { createScanner, type Scanner } from '../pattern/literal-automaton.ts'
import { compilePattern, type Pattern } from '../pattern/pattern.ts'
import { areCut, type Requirement, requirementOfWords } from '../pattern/required-literals.ts'
import { isInRange } from '../rules/address-ranges.ts'
import type { Action, RuleSet, SecRule, Target } from '../rules/rule-set.ts'
import { transformNamed } from '../transforms/registry.ts'
import { isMessageCollection, isReadFromBody } from './collections.ts'
import type {
  CompiledLink,
  CompiledOperator,
  CompiledRule,
  CompiledRuleSet,
  Effect,
  Selection,
  TargetFilter,
  Unit,
} from './compiled-rule.ts'
import { byteRangeCheck, comparisonNamed, readWords } from './operators.ts'
import { parseTemplate } from './template.ts'
import { RepeatedStrings } from './repeated-strings.ts'
import { isRunnable, patternIn } from './support.ts'
import { type TransformChain, TransformChains } from './transform-chains.ts'

/** Compiles a rule set. Rules that cannot run are left out; `describeSupport` says which. */
export function compileRuleSet(ruleSet: RuleSet): CompiledRuleSet {
  const steps = compileRuleSetInSteps(ruleSet)
  for (;;) {
    const { done, value } = steps.next()
    if (done === true) return value
  }
}

/** The same, one rule for each step: all of them take hundreds of milliseconds. */
export function* compileRuleSetInSteps(ruleSet: RuleSet): Generator<undefined, CompiledRuleSet> {
  const compiler = new Compiler(ruleSet)
  const phases: Draft[][] = Array.from({ length: PHASES + 1 }, () => [])
  /** By name of the marker: how many rules of each phase are before it. */
  const markers = new Map<string, readonly number[]>()
  for (const item of ruleSet.items) {
    yield undefined
    if (item.kind === 'marker')
      markers.set(
        item.name,
        phases.map(({ length }) => length),
      )
    else if (isRunnable(item.rule, ruleSet)) phases[item.rule.phase]?.push(compiler.compileRule(item.rule))
  }
  return {
    phases: phases.map((rules, phase) =>
      rules.map(({ skipAfter, ...rule }) => ({
        ...rule,
        // A rule that skips to an unknown marker skips the rest of the phase.
        skipTo: skipAfter === undefined ? undefined : (markers.get(skipAfter)?.[phase] ?? rules.length),
      })),
    ),
    ...compiler.finish(),
  }
}

/** Rules of phase 5 concern logs. */
const PHASES = 5

interface Draft extends Omit<CompiledRule, 'skipTo'> {
  readonly skipAfter: string | undefined
}

class Compiler {
  private readonly ruleSet: RuleSet
  private readonly units = new Map<string, Unit>()
  private readonly selections = new Map<string, Selection>()
  private readonly chains = new TransformChains(transformNamed)
  private readonly requirements: Requirement[] = []
  private readonly patterns: Pick<Pattern, 'test'>[] = []
  private readonly known = new Map<string, CompiledOperator>()

  constructor(ruleSet: RuleSet) {
    this.ruleSet = ruleSet
  }

  finish(): Omit<CompiledRuleSet, 'phases'> {
    const { requirements } = this
    let scanner: Scanner | undefined
    return {
      unitCount: this.units.size,
      selectionCount: this.selections.size,
      bodyUnits: [...this.units.values()].filter(({ selection }) => isReadFromBody(selection.collection)),
      scan: () => (scanner ??= createScanner(requirements)),
      repeated: new RepeatedStrings(),
      patterns: this.patterns,
    }
  }

  compileRule(rule: SecRule): Draft {
    const all = [rule, ...rule.chain]
    const isCaptureRead = all.some(readsCaptures)
    const valueOf = (name: string): string | undefined =>
      rule.actions.findLast((action) => action.name === name)?.value
    return {
      id: rule.id,
      links: all.map((link) => this.compileLink(link, isCaptureRead)),
      skipAfter: valueOf('skipafter'),
      disruption: rule.actions.findLast(({ name }) => DISRUPTIVE.has(name))?.name,
    }
  }

  private compileLink(rule: SecRule, isCaptureRead: boolean): CompiledLink {
    const has = (name: string): boolean => rule.actions.some((action) => action.name === name)
    // A rule with a transformation that is not known is reported as not run.
    const chain = this.chains.of(rule.transforms)
    const included = rule.targets.filter(({ isExcluded }) => isExcluded !== true)
    return {
      rule,
      units: included.map((target) => this.unitOf(target, rule.targets, chain)),
      operator: this.operatorOf(rule),
      isNegated: rule.operator?.isNegated === true,
      effects: rule.actions.flatMap(effectsOf),
      isCapturing: isCaptureRead && has('capture'),
      multiMatch: has('multimatch')
        ? Array.from({ length: rule.transforms.length + 1 }, (_, length) =>
            this.chains.of(rule.transforms.slice(0, length)),
          )
        : undefined,
    }
  }

  private unitOf(target: Target, all: readonly Target[], chain: TransformChain): Unit {
    const selection = this.selectionOf(target, all)
    const isCount = target.isCount === true
    const key = JSON.stringify([selection.number, isCount, chain.steps.map(({ number }) => number)])
    let unit = this.units.get(key)
    if (unit === undefined) {
      unit = { number: this.units.size, selection, isCount, chain }
      this.units.set(key, unit)
    }
    return unit
  }

  private selectionOf(target: Target, all: readonly Target[]): Selection {
    const { collection, selector, isPattern } = target
    const excluded = all.filter((one) => one.isExcluded === true && one.collection === collection)
    const key = JSON.stringify([collection, selector, isPattern, excluded])
    let selection = this.selections.get(key)
    if (selection === undefined) {
      selection = {
        number: this.selections.size,
        collection,
        key: isPattern === true ? undefined : selector?.toLowerCase(),
        selects: isPattern === true ? selectorOf(target) : undefined,
        excludes: excluded.map((one) => selectorOf(one) ?? (() => true)),
        isStable: isMessageCollection(collection),
      }
      this.selections.set(key, selection)
    }
    return selection
  }

  private operatorOf({ operator }: SecRule): CompiledOperator {
    if (operator === undefined) return { kind: 'always' }
    const { name, argument } = operator
    const key = `${name} ${argument}`
    let compiled = this.known.get(key)
    if (compiled === undefined) {
      compiled = this.compileOperator(name, argument)
      this.known.set(key, compiled)
    }
    return compiled
  }

  private compileOperator(name: string, argument: string): CompiledOperator {
    switch (name) {
      case 'rx':
        return argument.includes('%{')
          ? { kind: 'dynamic-pattern', argument: parseTemplate(argument) }
          : this.patternOf(argument)
      case 'pm':
        return this.wordsOf(readWords(argument))
      case 'pmf':
      case 'pmfromfile':
        return this.wordsOf(this.listsNamed(argument))
      case 'ipmatch':
        return this.addresses(argument.split(','))
      case 'ipmatchf':
      case 'ipmatchfromfile':
        return this.addresses(this.listsNamed(argument))
      case 'validatebyterange':
        return { kind: 'comparison', matches: byteRangeCheck(argument), argument: parseTemplate('') }
      default: {
        // Rules with other operators are not compiled.
        const matches = comparisonNamed(name) ?? (() => false)
        return { kind: 'comparison', matches, argument: parseTemplate(argument) }
      }
    }
  }

  private addresses(ranges: readonly string[]): CompiledOperator {
    return { kind: 'comparison', matches: (value) => isInRange(value, ranges), argument: parseTemplate('') }
  }

  private listsNamed(argument: string): readonly string[] {
    return argument.split(/\s+/).flatMap((file) => this.ruleSet.lists[file.replace(/^.*\//, '')] ?? []) // else not run
  }

  private patternOf(source: string): CompiledOperator {
    const pattern = patternIn(this.ruleSet, source)
    const number = this.requirements.push(pattern.requirement) - 1
    this.patterns.push(pattern)
    return { kind: 'pattern', number, requirement: pattern.requirement, pattern }
  }

  private wordsOf(words: readonly Bytes[]): CompiledOperator {
    const lower = [...new Set(words.map(foldCase))]
    const requirement = requirementOfWords(lower)
    const number = this.requirements.push(requirement) - 1
    const isFound = areCut(lower) ? searchFor(lower) : undefined
    if (isFound !== undefined) this.patterns.push({ test: isFound })
    return { kind: 'words', number, requirement, words: lower, isFound }
  }
}

/** Few texts have the beginning of such a word, so the automaton is built for the first one. */
function searchFor(words: readonly Bytes[]): (text: Bytes) => boolean {
  let scan: Scanner | undefined
  return (text) => {
    scan ??= createScanner([{ clauses: [words], masks: [] }])
    return scan(text).candidates !== undefined
  }
}

const DISRUPTIVE = new Set(['allow', 'block', 'deny', 'drop', 'pass', 'proxy', 'redirect'])

/** True if a link reads `TX:0` to `TX:9`, except to describe itself. */
const readsCaptures = ({ targets, operator, actions }: SecRule): boolean =>
  targets.some(({ collection, selector }) => collection === 'TX' && /^\d$/.test(String(selector))) ||
  /%\{tx\.\d\}/i.test(String(operator?.argument)) ||
  actions.some(({ name, value }) => name === 'setvar' && /%\{tx\.\d\}/i.test(String(value)))

export function selectorOf({
  selector,
  isPattern,
}: Pick<Target, 'selector' | 'isPattern'>): ((key: Bytes) => boolean) | undefined {
  if (selector === undefined) return undefined
  if (isPattern === true) {
    const { test, requirement } = compilePattern(`(?i)${selector}`)
    return (key) => {
      const lower = key.toLowerCase()
      return requirement.clauses.every((words) => words.some((word) => lower.includes(word))) && test(key)
    }
  }
  const lower = selector.toLowerCase()
  return (key) => key.toLowerCase() === lower
}

function effectsOf({ name, value = '' }: Action): readonly Effect[] {
  if (name === 'setvar') return assignmentOf(value)
  if (name !== 'ctl') return []
  const equals = value.indexOf('=')
  const setting = value.slice(0, equals).toLowerCase()
  const argument = value.slice(equals + 1)
  const [which = '', target = ''] = argument.split(';')
  switch (setting) {
    case 'forcerequestbodyvariable':
      return /^on$/i.test(argument) ? [{ kind: 'force-body' }] : []
    case 'requestbodyprocessor':
      return [{ kind: 'body-processor', processor: argument.toUpperCase() }]
    case 'ruleengine':
      return /^off$/i.test(argument) ? [{ kind: 'engine-off' }] : []
    case 'ruleremovebyid':
      return [{ kind: 'remove-rules', ids: argument }]
    case 'ruleremovebytag':
      return [{ kind: 'remove-tagged', tag: argument }]
    case 'ruleremovetargetbyid':
      return [{ kind: 'remove-target', by: 'id', which, excludes: filterOf(target) }]
    case 'ruleremovetargetbytag':
      return [{ kind: 'remove-target', by: 'tag', which, excludes: filterOf(target) }]
    default:
      return []
  }
}

function filterOf(target: string): TargetFilter {
  const colon = target.indexOf(':')
  const selector = colon === -1 ? undefined : target.slice(colon + 1)
  const pattern = selector === undefined ? null : /^\/(.*)\/$/s.exec(selector)
  const selects =
    selector === undefined
      ? undefined
      : selectorOf(pattern?.[1] === undefined ? { selector } : { selector: pattern[1], isPattern: true })
  return { collection: (colon === -1 ? target : target.slice(0, colon)).toUpperCase(), selects }
}

function assignmentOf(text: string): readonly Effect[] {
  const isUnset = text.startsWith('!')
  const equals = text.indexOf('=')
  const path = text.slice(isUnset ? 1 : 0, equals === -1 ? undefined : equals)
  const dot = path.indexOf('.')
  const collection = path.slice(0, dot).toUpperCase()
  const name = parseTemplate(path.slice(dot + 1))
  if (isUnset) return [{ kind: 'unset', collection, name }]
  const value = equals === -1 ? '1' : text.slice(equals + 1)
  const sign = value.startsWith('+') ? '+' : value.startsWith('-') ? '-' : '='
  return [
    { kind: 'set', collection, name, value: parseTemplate(sign === '=' ? value : value.slice(1)), sign },
  ]
}
