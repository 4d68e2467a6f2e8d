// Runs a compiled rule set on one request, as ModSecurity does in detection mode: every rule is evaluated, and its
// disruptive action is reported, not executed.
import { type Bytes, foldCase } from '../bytes.ts'
import { canBegin } from '../pattern/first-bytes.ts'
import { isPossible } from '../pattern/literal-automaton.ts'
import { compilePattern, type Pattern } from '../pattern/pattern.ts'
import { hasTag, isInRanges } from '../rules/parse-rule-set.ts'
import { type Dialect, RequestCollections } from './collections.ts'
import type {
  CompiledLink,
  CompiledOperator,
  CompiledRule,
  CompiledRuleSet,
  Effect,
  Macro,
  TargetFilter,
  Unit,
} from './compiled-rule.ts'
import type { HttpRequest, HttpResponse } from './http-message.ts'
import { toNumber } from './operators.ts'
import { type PooledString, StringPool } from './string-pool.ts'
import { expand } from './template.ts'
import { Variables } from './variables.ts'
import { type View, Views } from './views.ts'
import { unitsOf, unitsOfSearch, WorkBudget } from './work-budget.ts'

export interface EvaluateOptions {
  /** Default 2, for which the Core Rule Set's own tests are written. */
  readonly dialect?: Dialect
  /** Variables of `TX` that are set before the first rule, by name in lower case. */
  readonly variables?: Readonly<Record<string, Bytes>>
  /** Rules that do not run. */
  readonly disabled?: ReadonlySet<number>
  /** What may still be spent on the request, also by others; one of its own by default. */
  readonly budget?: WorkBudget
}

/** A rule that matched. */
export interface RuleMatch {
  readonly id: number
  /** What it added to an anomaly score. */
  readonly points: number
  /** The value that matched last, such as `ARGS:name`, and the value itself after transformations. */
  readonly variable: Bytes
  readonly value: Bytes
  /** `block`, `deny`, …; undefined if the rule does not say. */
  readonly disruption: string | undefined
}

export interface Evaluation {
  readonly matches: readonly RuleMatch[]
  /** `TX` after the last rule. */
  readonly variables: ReadonlyMap<string, Bytes>
  /** False if not everything was inspected: the work ran out, or there are more arguments than are read. */
  readonly isComplete: boolean
  readonly spentUnits: number
}

/**
 * Evaluates the rules of phases 1 and 2, and with a response those of phases 3 and 4. Pure: equal requests give equal
 * results. Never throws, whatever the request contains.
 */
export function evaluateRules(
  ruleSet: CompiledRuleSet,
  request: HttpRequest,
  options: EvaluateOptions = {},
  response?: HttpResponse,
): Evaluation {
  const run = new RuleRun(ruleSet, request, response, options)
  run.runPhase(1)
  run.openBody()
  run.runPhase(2)
  if (response !== undefined) {
    run.runPhase(3)
    run.runPhase(4)
  }
  return run.result()
}

/** Where rule sets add up how suspicious a request is. */
const SCORE_NAME = /^(?:inbound_|outbound_)?anomaly_score_pl[1-4]$/

class RuleRun {
  private readonly ruleSet: CompiledRuleSet
  private readonly collections: RequestCollections
  private readonly options: EvaluateOptions
  private readonly budget: WorkBudget
  private readonly spentBefore: number
  private readonly pool: StringPool
  private readonly variables: Variables
  private readonly matches: RuleMatch[] = []
  private readonly removedTargets: {
    readonly matches: (rule: CompiledRule) => boolean
    readonly filter: TargetFilter
  }[] = []
  private readonly removedRules: ((rule: CompiledRule) => boolean)[] = []
  private readonly views: Views
  private isOff = false
  /** Filters of the rule that is being evaluated. */
  private filters: readonly TargetFilter[] = []
  private points = 0

  constructor(
    ruleSet: CompiledRuleSet,
    request: HttpRequest,
    response: HttpResponse | undefined,
    options: EvaluateOptions,
  ) {
    this.ruleSet = ruleSet
    this.options = options
    this.collections = new RequestCollections(request, response, options.dialect ?? 2)
    this.budget = options.budget ?? new WorkBudget()
    this.spentBefore = this.budget.spentUnits()
    this.pool = new StringPool(ruleSet.scan(), this.budget, ruleSet.repeated, STRING_COST)
    this.variables = new Variables(options.variables)
    this.views = new Views(ruleSet, this.collections, this.variables, this.pool)
  }

  openBody(): void {
    this.collections.openBody()
    this.views.openBody()
  }

  result(): Evaluation {
    const isComplete = !this.budget.isSpent() && !this.collections.isCut()
    const spentUnits = this.budget.spentUnits() - this.spentBefore
    return { matches: this.matches, variables: this.variables.transaction, isComplete, spentUnits }
  }

  runPhase(phase: number): void {
    const rules = this.ruleSet.phases[phase] ?? [] // there are five
    let index = 0
    while (index < rules.length && !this.isOff && !this.budget.isSpentFor(false)) {
      const rule = rules[index]
      index += 1
      if (rule === undefined || this.isRemoved(rule)) continue
      if (!this.runRule(rule)) continue
      if (rule.skipTo !== undefined) index = Math.max(index, rule.skipTo)
      if (rule.disruption === 'allow') return
    }
  }

  private isRemoved(rule: CompiledRule): boolean {
    return (
      this.options.disabled?.has(rule.id) === true ||
      (this.removedRules.length > 0 && this.removedRules.some((matches) => matches(rule)))
    )
  }

  private runRule(rule: CompiledRule): boolean {
    this.filters = this.removedTargets.length === 0 ? NO_FILTERS : this.filtersOf(rule)
    this.points = 0
    for (const link of rule.links) {
      if (!this.runLink(link, rule)) return false
    }
    const { name, value } = this.variables.matched
    this.matches.push({
      id: rule.id,
      points: this.points,
      variable: name,
      value,
      disruption: rule.disruption,
    })
    return true
  }

  private filtersOf(rule: CompiledRule): readonly TargetFilter[] {
    return this.removedTargets.filter(({ matches }) => matches(rule)).map(({ filter }) => filter)
  }

  private runLink(link: CompiledLink, rule: CompiledRule): boolean {
    if (link.operator.kind === 'always') {
      this.apply(link, rule, false)
      return true
    }
    this.variables.beginLink()
    let isMatched = false
    for (const unit of link.units) {
      const view = this.views.of(unit)
      const places = this.placesToTest(link, view)
      const count = places === undefined ? view.values.length : places.length
      for (let i = 0; i < count; i += 1) {
        const place = places?.[i] ?? i // without a list, all in order
        const isOfBody = view.sources.strings[place]?.isOfBody === true
        // What is not of the body comes first in every list.
        if (this.budget.isSpentFor(isOfBody)) break
        this.budget.spend(PLACE_COST, isOfBody)
        const found = this.matchAt(link, unit, view, place)
        if (found === undefined) continue
        isMatched = true
        this.budget.spend(MATCH_COST, isOfBody)
        this.apply(link, rule, isOfBody)
      }
      if (this.budget.isSpentFor(false)) return isMatched
    }
    return isMatched
  }

  /** @returns the text that matched */
  private matchAt(link: CompiledLink, unit: Unit, view: View, place: number): Bytes | undefined {
    const key = view.sources.keys[place]
    const source = view.sources.strings[place]
    const text = view.values[place]
    if (key === undefined || source === undefined || text === undefined) return undefined
    const { collection } = unit.selection
    if (this.filters.length > 0 && this.isFiltered(collection, key)) return undefined
    const found = this.match(link, source, text)
    if (found !== undefined) this.variables.report(collection, key, found)
    return found
  }

  private isFiltered(collection: string, key: Bytes): boolean {
    return this.filters.some(
      (filter) => filter.collection === collection && (filter.selects === undefined || filter.selects(key)),
    )
  }

  /** Positions of the texts that can match; undefined if all can. */
  private placesToTest(
    { operator, isNegated, multiMatch }: CompiledLink,
    view: View,
  ): readonly number[] | undefined {
    if (isNegated || multiMatch !== undefined || (operator.kind !== 'pattern' && operator.kind !== 'words'))
      return undefined
    const scan = this.views.scanOf(view)
    if (!isPossible(scan, operator.number, operator.requirement)) return NO_PLACES
    return operator.requirement.clauses.length > 0 ? scan.places : undefined
  }

  /** @returns the text that matched */
  private match(link: CompiledLink, source: PooledString, text: PooledString): Bytes | undefined {
    if (link.multiMatch === undefined) return this.matchText(link, text) ? text.value : undefined
    // Each string on the way is inspected, too.
    let last: PooledString | undefined
    for (const chain of link.multiMatch) {
      const step = this.pool.transform(source, chain)
      if (step !== last && this.matchText(link, step)) return step.value
      last = step
    }
    return undefined
  }

  private matchText(link: CompiledLink, text: PooledString): boolean {
    const { operator, isNegated } = link
    return this.testOperator(operator, text, link.isCapturing) !== isNegated
  }

  private testOperator(operator: CompiledOperator, text: PooledString, isCapturing: boolean): boolean {
    switch (operator.kind) {
      case 'always':
        return true
      case 'comparison':
        this.budget.spend(unitsOf('compare', text.value.length), text.isOfBody)
        return operator.matches(text.value, expand(operator.argument, this.valueOf))
      case 'words':
        return this.testWords(operator, text, isCapturing)
      case 'pattern': {
        const { number, requirement } = operator
        const scan = this.pool.scanOf(text)
        return (
          isPossible(scan, number, requirement) &&
          canBegin(requirement.beginning, text.value, scan.mask) &&
          this.testPattern(operator.pattern, text, isCapturing)
        )
      }
      case 'dynamic-pattern':
        return this.testPattern(dynamicPattern(expand(operator.argument, this.valueOf)), text, isCapturing)
    }
  }

  private testWords(
    operator: Extract<CompiledOperator, { kind: 'words' }>,
    text: PooledString,
    isCapturing: boolean,
  ): boolean {
    if (!isPossible(this.pool.scanOf(text), operator.number, operator.requirement)) return false
    if (operator.isFound !== undefined) {
      this.budget.spend(unitsOf('scan', text.value.length), text.isOfBody)
      if (!operator.isFound(text.value)) return false
    }
    if (isCapturing) {
      const lower = foldCase(text.value)
      this.budget.spend(unitsOf('compare', lower.length * operator.words.length), text.isOfBody)
      this.variables.capture([operator.words.find((word) => lower.includes(word))])
    }
    return true
  }

  private testPattern(pattern: Pattern, { value, isOfBody }: PooledString, isCapturing: boolean): boolean {
    const isFound = pattern.test(value)
    this.spendOnSearch(pattern, 'test', value, isOfBody)
    if (!isFound) return false
    if (isCapturing) {
      const groups = pattern.find(value)
      this.spendOnSearch(pattern, 'capture', value, isOfBody)
      if (groups !== undefined) this.variables.capture(groups)
    }
    return true
  }

  private spendOnSearch(
    { source, lastSearch }: Pattern,
    work: 'test' | 'capture',
    value: Bytes,
    isOfBody: boolean,
  ): void {
    if (lastSearch !== undefined) {
      const { steps, isComplete } = lastSearch()
      this.budget.spend(STEP_COST * steps, isOfBody)
      if (!isComplete) this.budget.markIncomplete()
    } else if (work === 'capture') this.budget.spend(unitsOf(work, value.length), isOfBody)
    else this.budget.spend(unitsOfSearch(source?.length ?? 0, value.length), isOfBody) // has one without steps
  }

  private readonly valueOf = ({ collection, key }: Macro): Bytes => {
    const found = this.variables.lookUp(collection, key)
    if (found !== undefined) return found
    const entries = this.collections.read(collection)
    const lower = key.toLowerCase()
    const entry = key === '' ? entries[0] : entries.find((one) => one.key.toLowerCase() === lower)
    return entry === undefined ? '' : entry.value
  }

  private apply(link: CompiledLink, rule: CompiledRule, isOfBody: boolean): void {
    if (link.effects.length === 0) return
    this.variables.rule = rule.links[0]?.rule
    for (const effect of link.effects) {
      this.budget.spend(EFFECT_COST, isOfBody)
      this.applyEffect(effect)
    }
  }

  private applyEffect(effect: Effect): void {
    switch (effect.kind) {
      case 'set':
        return this.assign(effect)
      case 'unset':
        return this.variables.unset(effect.collection, expand(effect.name, this.valueOf))
      case 'force-body':
        this.collections.isBodyForced = true
        return
      case 'body-processor':
        if (isProcessor(effect.processor)) this.collections.processor = effect.processor
        return
      case 'engine-off':
        this.isOff = true
        return
      case 'remove-rules':
        this.removedRules.push(({ id }) => isInRanges(id, effect.ids))
        return
      case 'remove-tagged':
        this.removedRules.push(({ links }) => links[0] !== undefined && hasTag(links[0].rule, effect.tag))
        return
      case 'remove-target': {
        const matches = ({ id, links }: CompiledRule): boolean =>
          effect.by === 'id'
            ? isInRanges(id, effect.which)
            : links[0] !== undefined && hasTag(links[0].rule, effect.which)
        this.removedTargets.push({ matches, filter: effect.excludes })
      }
    }
  }

  private assign({ collection, name, value, sign }: Extract<Effect, { kind: 'set' }>): void {
    const key = expand(name, this.valueOf).toLowerCase()
    const text = expand(value, this.valueOf)
    if (sign === '=') return this.variables.set(collection, key, text)
    const change = toNumber(text) * (sign === '+' ? 1 : -1)
    if (collection === 'TX' && SCORE_NAME.test(key)) this.points += change
    const before = this.variables.lookUp(collection, key)
    this.variables.set(collection, key, String((before === undefined ? 0 : toNumber(before)) + change))
  }
}

const NO_PLACES: readonly number[] = []
const NO_FILTERS: readonly TargetFilter[] = []
/** Work units of each of many strings: every rule that reads it reads it from memory. */
const STRING_COST = 1_500
/** Work units of looking at a string. */
const PLACE_COST = 60
/** Work units of a match and of each of its effects, such as `setvar`. */
const MATCH_COST = 500
const EFFECT_COST = 600
/** Work units of a step of a pattern that backtracks. */
const STEP_COST = 15

const isProcessor = (name: string): name is 'URLENCODED' | 'MULTIPART' | 'JSON' | 'XML' =>
  ['URLENCODED', 'MULTIPART', 'JSON', 'XML'].includes(name)

const NEVER: Pattern = {
  requirement: { clauses: [], masks: [] },
  source: undefined,
  test: () => false,
  find: () => undefined,
}
/** Arguments of such patterns come from settings, so there are few. */
const MAX_DYNAMIC = 200
const dynamicPatterns = new Map<string, Pattern>()

function dynamicPattern(source: string): Pattern {
  let pattern = dynamicPatterns.get(source)
  if (pattern === undefined) {
    try {
      pattern = compilePattern(source)
    } catch {
      pattern = NEVER // what a request wrote into it is not a pattern
    }
    if (dynamicPatterns.size >= MAX_DYNAMIC) dynamicPatterns.clear()
    dynamicPatterns.set(source, pattern)
  }
  return pattern
}
