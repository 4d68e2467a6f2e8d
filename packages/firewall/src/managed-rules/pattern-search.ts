// Searches many patterns in the texts of one request. One pass over each text finds the patterns that could match; most
// rules are ruled out by that alone, and only what remains is run.
import { asciiLower, type Bytes, parseRegex, type Regex } from '@zonereeve/expr'
import {
  addPattern,
  canBegin,
  changesCaseOnly,
  hasPattern,
  isPossible,
  maskAfter,
  patternAt,
  patternsIn,
  type PatternSet,
  type PooledString,
  type Requirement,
  type Scan,
  StringPool,
  type Transform as TransformDescription,
  type TransformChain,
  TransformChains,
  type UnitedScan,
  type WorkBudget,
} from '@zonereeve/seclang'
import { MAX_STRINGS } from './body-strings.ts'
import type { InspectedRequest } from './inspected-request.ts'
import type { PatternCheck } from './managed-rule.ts'
import type { NamedText } from './named-text.ts'
import { requirementOfRegex } from './pattern-requirement.ts'
import type { PartText, RequestPart } from './request-parts.ts'
import {
  canHold,
  type CompiledCheck,
  type InspectedPart,
  type NumberedRegex,
  type PatternPlace,
  type PlannedPart,
  planSearch,
  type SearchedPlace,
  type SearchPlan,
} from './search-plan.ts'
import {
  ADDED_BYTES,
  CHANGED_BYTES,
  CHANGES_RUNS,
  EXTRA_UNITS,
  type Transform,
  TRANSFORMS,
} from './transforms.ts'

/** Maximum estimated size of the automaton of one pattern. */
const MAX_REGEX_BYTES = 256 * 1024

/** A match of a pattern in a text of the request, both after transforms. */
export interface PatternMatch {
  readonly field: string
  readonly text: Bytes
  /** Where it begins; 0 in long texts. Finding costs more than testing. */
  readonly findStart: () => number
}

/** One request, with everything already computed about its strings. */
export interface RequestSearch {
  /** False if the check cannot match; costs nothing. */
  readonly isPossible: (check: CompiledCheck) => boolean
  /** Calls `visit` with the number of each check that can match. */
  readonly visitPossible: (visit: (check: number) => void) => void
  readonly find: (check: CompiledCheck) => PatternMatch | null
  /** True if the work on the request was spent before everything was searched. */
  readonly isSpent: () => boolean
  readonly spentUnits: () => number
}

export interface PatternSearch {
  /** Parses a check and adds it to the search. @throws Error for a pattern that cannot be parsed */
  readonly compile: (check: PatternCheck) => CompiledCheck
  /** @param budget what may be spent on the request */
  readonly open: (request: InspectedRequest, budget: WorkBudget) => RequestSearch
  /** Builds what the first request would have to wait for, except the regular expressions themselves. */
  readonly prepare: () => void
  readonly regexes: readonly Regex[]
}

const isTransform = (name: string): name is Transform => Object.hasOwn(TRANSFORMS, name)

const describeTransform = (name: Transform): TransformDescription => ({
  apply: TRANSFORMS[name],
  changes: CHANGED_BYTES[name],
  adds: ADDED_BYTES[name],
  extraUnits: EXTRA_UNITS[name] ?? 0, // not listed
  ...(CHANGES_RUNS.has(name) && { changesRuns: true }),
  ...(name === 'lower-case' && { isFolding: true }),
})

export function createPatternSearch(): PatternSearch {
  const patterns: NumberedRegex[] = []
  const checks: CompiledCheck[] = []
  const places = new Map<string, PatternPlace>()
  const parts = new Map<RequestPart, InspectedPart>()
  const chains = new TransformChains((name) => (isTransform(name) ? describeTransform(name) : undefined))
  let plan: SearchPlan | undefined

  function compile({ parts: names, transforms, patterns: sources }: PatternCheck): CompiledCheck {
    plan = undefined
    const check = {
      number: checks.length,
      places: names.map((part) => placeOf(part, transforms)),
      patterns: sources.map(readPattern),
    }
    checks.push(check)
    return check
  }

  function partOf(name: RequestPart): InspectedPart {
    const part = parts.get(name) ?? { number: parts.size, part: name, places: [] }
    parts.set(name, part)
    return part
  }

  function placeOf(name: RequestPart, transforms: readonly Transform[]): PatternPlace {
    const key = [name, ...transforms].join(' ')
    let place = places.get(key)
    if (place === undefined) {
      const part = partOf(name)
      place = { number: part.places.length, part, chain: chains.of(transforms) }
      part.places.push(place)
      places.set(key, place)
    }
    return place
  }

  function readPattern(source: string): NumberedRegex {
    const regex = parseRegex(source, MAX_REGEX_BYTES)
    if (typeof regex === 'string') throw new Error(`${source}: ${regex}`)
    const pattern = { regex, number: patterns.length, requirement: requirementOfRegex(regex) }
    patterns.push(pattern)
    return pattern
  }

  const getPlan = (): SearchPlan => (plan ??= planSearch([...parts.values()], checks, patterns))

  return {
    compile,
    open: (request, budget) => new Search(getPlan(), request, budget),
    prepare: () => void getPlan(),
    get regexes() {
      return patterns.map(({ regex }) => regex)
    },
  }
}

/** The strings of a part, as sent. */
interface SentStrings {
  readonly fields: readonly PartText[]
  readonly strings: readonly PooledString[]
  /** For all places in which no transformation changes one of them. */
  plain: View | undefined
  /** By number of the place; undefined until one is needed. */
  views: (View | undefined)[] | undefined
}

interface View extends Pick<SentStrings, 'fields' | 'strings'> {
  readonly sent: readonly PooledString[]
  /** Of the strings, in either case. */
  readonly scan: UnitedScan
}

/** Browsers send these with every request. */
const REPEATED_PARTS: ReadonlySet<RequestPart> = new Set(['headers', 'user-agent', 'host'])

/** Work units of looking at a string, and of a pattern that may become possible by a form of a string. */
const PLACE_COST = 8
const MARK_COST = 15

/** In longer texts the position of a match is worth less than the tests of other rules. */
const MAX_FIND_BYTES = 8 * 1024

/** Loops go by index: they run some thousand times for each request, and iterators are objects. */
class Search implements RequestSearch {
  private readonly plan: SearchPlan
  private readonly pool: StringPool
  private readonly budget: WorkBudget
  /** By number of the part; undefined if the request has none of it. */
  private readonly sent: (SentStrings | undefined)[]
  /** The checks that can match. */
  private readonly possible: number[]

  constructor(plan: SearchPlan, request: InspectedRequest, budget: WorkBudget) {
    this.plan = plan
    this.budget = budget
    this.pool = new StringPool(plan.scanner, this.budget, plan.repeated)
    this.possible = plan.noChecks.slice()
    this.sent = plan.nothingSent.slice()
    for (const part of plan.parts) this.open(part, request.stringsOf(part.part))
    this.openNamed('arg', request)
    this.openNamed('header', request)
  }

  private openNamed(kind: 'arg' | 'header', request: InspectedRequest): void {
    const known = this.plan.named[kind]
    const strings = request.named(kind)
    const found = new Map<PlannedPart, NamedText[]>()
    for (let i = 0; i < strings.length; i += 1) {
      const string = strings[i] as NamedText // within the list
      const part = known.get(asciiLower(string.name))
      if (part === undefined) continue
      const list = found.get(part)
      if (list === undefined) found.set(part, [string])
      else if (list.length < MAX_STRINGS) list.push(string)
    }
    for (const [part, list] of found) this.open(part, list)
  }

  isPossible({ number }: CompiledCheck): boolean {
    return hasPattern(this.possible, number)
  }

  visitPossible(visit: (check: number) => void): void {
    patternsIn(this.possible, visit)
  }

  isSpent(): boolean {
    return this.budget.isSpent()
  }

  spentUnits(): number {
    return this.budget.spentUnits()
  }

  find(check: CompiledCheck): PatternMatch | null {
    if (!this.isPossible(check) || this.budget.isSpentFor(false)) return null
    const { places, patterns } = check
    for (let i = 0; i < places.length; i += 1) {
      const place = places[i] as PatternPlace // within the list
      const view = this.viewOf(place)
      if (view === undefined) continue
      for (let j = 0; j < patterns.length; j += 1) {
        const pattern = patterns[j] as NumberedRegex // as above
        if (!isPossible(view.scan, pattern.number, pattern.requirement)) continue
        const match = this.findIn(view, place.chain, pattern)
        if (match !== null) return match
      }
    }
    return null
  }

  /** Marks the checks that can match in a part. A string that nothing changes is the same in all of its places. */
  private open(part: PlannedPart, fields: readonly PartText[]): void {
    if (fields.length === 0) return
    const { pool } = this
    const isRepeated = REPEATED_PARTS.has(part.part)
    const strings = fields.map(({ text, isOfBody }) =>
      isRepeated ? pool.getRepeated(text) : pool.get(text, isOfBody),
    )
    let mask = 0
    for (let i = 0; i < strings.length; i += 1) {
      const string = strings[i] as PooledString // within the list
      const scan = pool.scanOf(string)
      mask |= scan.mask
      if (scan.candidates !== undefined) this.mark(scan.candidates, scan.mask, part.worded)
      if ((scan.mask & part.triggers) !== 0 || (scan.hasRuns && part.isForRuns))
        mask |= this.openChanged(part, string, scan)
    }
    const { wordless } = part
    for (let i = 0; i < wordless.length; i += 1) {
      const number = wordless[i] as number // within the list
      if (this.hasBytesFor(number, mask)) this.markPattern(number)
    }
    this.sent[part.number] = { fields, strings, plain: undefined, views: undefined }
  }

  /** @returns which bytes occur in the forms of the string */
  private openChanged({ searched }: PlannedPart, string: PooledString, sent: Scan): number {
    let mask = 0
    for (let i = 0; i < searched.length; i += 1) {
      const { chain, worded, needed } = searched[i] as SearchedPlace // within the list
      if ((sent.mask & chain.mask) === 0 && !(chain.isForRuns && sent.hasRuns)) continue
      if (!needed.isNothing && !canHold(needed, maskAfter(chain, sent.mask), sent.letters)) continue
      const after = this.pool.transform(string, chain)
      if (after === string) continue
      const scan = this.pool.scanOf(after)
      mask |= scan.mask
      if (scan.candidates !== undefined && scan.candidates !== sent.candidates) {
        this.budget.spend(MARK_COST * scan.hits, string.isOfBody)
        this.mark(scan.candidates, scan.mask, worded)
      }
    }
    return mask
  }

  private mark(candidates: PatternSet, mask: number, searched: PatternSet): void {
    for (let word = 0; word < candidates.length; word += 1) {
      let both = (candidates[word] as number) & (searched[word] as number) // both have a bit for each pattern
      for (; both !== 0; both &= both - 1) {
        const number = patternAt(word, both)
        if (this.hasBytesFor(number, mask)) this.markPattern(number)
      }
    }
  }

  private hasBytesFor(number: number, mask: number): boolean {
    const { masks } = this.plan.requirements[number] as Requirement // every pattern has one
    for (let i = 0; i < masks.length; i += 1) if ((mask & (masks[i] as number)) === 0) return false // within the list
    return true
  }

  private markPattern(number: number): void {
    addPattern(this.possible, this.plan.checkOf[number] as number) // every pattern is of a check
  }

  private viewOf({ number, part, chain }: PatternPlace): View | undefined {
    const sent = this.sent[part.number]
    return sent === undefined ? undefined : ((sent.views ??= [])[number] ??= this.transformAll(sent, chain))
  }

  /** Strings of which the chain changes nothing but the case stay as they are until one is tested: few are. */
  private transformAll(sent: SentStrings, chain: TransformChain): View {
    const { fields, strings } = sent
    let changed: PooledString[] | undefined
    for (let i = 0; i < strings.length; i += 1) {
      const string = strings[i] as PooledString // within the list
      if (changesCaseOnly(chain, this.pool.scanOf(string))) continue
      const after = this.pool.transform(string, chain)
      if (after === string) continue
      changed ??= strings.slice()
      changed[i] = after
    }
    return changed === undefined
      ? (sent.plain ??= { fields, sent: strings, strings, scan: this.pool.scanAll(strings) })
      : { fields, sent: strings, strings: changed, scan: this.pool.scanAll(changed) }
  }

  private findIn(
    { fields, sent, strings, scan }: View,
    chain: TransformChain,
    pattern: NumberedRegex,
  ): PatternMatch | null {
    const { number, requirement } = pattern
    const worded = requirement.clauses.length > 0 ? scan.places : undefined
    const count = worded === undefined ? strings.length : worded.length
    for (let i = 0; i < count; i += 1) {
      const at = worded === undefined ? i : (worded[i] as number) // within the list
      let string = strings[at] as PooledString // as above
      if (this.budget.isSpentFor(string.isOfBody)) continue
      this.budget.spend(PLACE_COST, string.isOfBody)
      const own = this.pool.scanOf(string)
      if (!isPossible(own, number, requirement)) continue
      if (string === sent[at]) string = this.pool.transform(string, chain)
      if (!canBegin(requirement.beginning, string.value, own.mask)) continue
      const match = this.matchIn(fields[at] as PartText, pattern, string) // as above
      if (match !== null) return match
    }
    return null
  }

  private matchIn(part: PartText, pattern: NumberedRegex, string: PooledString): PatternMatch | null {
    const { value: text, isOfBody } = string
    if (!this.budget.take('test', text.length, isOfBody) || !matches(pattern, string)) return null
    // A match whose position would cost too much is reported with the beginning of the text.
    const isFound = text.length <= MAX_FIND_BYTES && this.budget.canAfford('find', text.length, isOfBody)
    if (isFound) this.budget.take('find', text.length, isOfBody)
    const { regex } = pattern
    return { field: part.field, text, findStart: () => (isFound ? (regex.find(text)?.start ?? 0) : 0) } // it matches
  }
}

/** Asked once for strings that come with many requests. */
function matches({ regex, number }: NumberedRegex, { value, repeated }: PooledString): boolean {
  if (repeated === undefined) return regex.test(value)
  repeated.tested ??= new Map()
  let isMatch = repeated.tested.get(number)
  if (isMatch === undefined) {
    isMatch = regex.test(value)
    repeated.tested.set(number, isMatch)
  }
  return isMatch
}
