// Searches many patterns in the texts of one request. One pass over each text finds the patterns that could match; most
// rules are ruled out by that alone, and only what remains is run.
import { asciiLower, type Bytes, parseRegex, type Regex } from '@zonereeve/expr'
import {
  addPattern,
  canBegin,
  createScanner,
  hasPattern,
  isPossible,
  maskAfter,
  patternSetOf,
  patternsIn,
  type PatternSet,
  type PooledString,
  RepeatedStrings,
  type Requirement,
  type Scan,
  type Scanner,
  StringPool,
  type Transform as TransformDescription,
  type TransformChain,
  TransformChains,
  type UnitedScan,
  type WorkBudget,
} from '@zonereeve/seclang'
import type { InspectedRequest } from './inspected-request.ts'
import type { PatternCheck } from './managed-rule.ts'
import { requirementOfRegex } from './pattern-requirement.ts'
import { nameIn, type PartText, type RequestPart } from './request-parts.ts'
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

/** A check whose patterns were parsed, for `find`. */
export interface CompiledCheck {
  /** Its index among all checks of the search. */
  readonly number: number
  readonly places: readonly PatternPlace[]
  readonly patterns: readonly NumberedRegex[]
}

/** A part after transforms: one object, shared by all checks that use it. */
interface PatternPlace {
  readonly number: number
  readonly part: InspectedPart
  readonly chain: TransformChain
}

/** A part that rules inspect. */
interface InspectedPart {
  readonly number: number
  readonly part: RequestPart
  readonly places: PatternPlace[]
}

interface NumberedRegex {
  readonly regex: Regex
  /** Its index among all patterns of the search. */
  readonly number: number
  readonly requirement: Requirement
}

/** A match of a pattern in a text of the request, both after transforms. */
export interface PatternMatch {
  readonly field: string
  readonly text: Bytes
  readonly start: number
}

/** One request, with everything already computed about its strings. */
export interface RequestSearch {
  /** False if the check cannot match; costs nothing. */
  readonly isPossible: (check: CompiledCheck) => boolean
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
      place = { number: places.size, part, chain: chains.of(transforms) }
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

/** What is known before a request: which patterns are searched where. */
interface SearchPlan {
  readonly scanner: Scanner
  readonly repeated: RepeatedStrings
  /** Parts that every request has. */
  readonly parts: readonly PlannedPart[]
  /** Headers and arguments of a name, by the name. */
  readonly named: Readonly<Record<'arg' | 'header', ReadonlyMap<Bytes, PlannedPart>>>
  readonly requirements: readonly Requirement[]
  /** By number of the pattern: the number of its check. */
  readonly checkOf: readonly number[]
  /** The empty set of checks, and lists without an entry for any part and any place. */
  readonly noChecks: PatternSet
  readonly nothingSent: readonly undefined[]
  readonly noViews: readonly undefined[]
}

interface PlannedPart extends InspectedPart {
  /** The patterns that are searched in it in one of its forms and need words. */
  readonly worded: PatternSet
  /** Those that need none. */
  readonly wordless: readonly number[]
  /** The bytes that some of its places change, other than capital letters: words are found in either case. */
  readonly triggers: number
  /** True if some change whitespace that is not a single space. */
  readonly isForRuns: boolean
  /** By its place: the patterns that are searched there. */
  readonly searched: readonly SearchedPlace[]
}

interface SearchedPlace {
  readonly chain: TransformChain
  readonly worded: PatternSet
  /** A text without any of these bits matches nothing there; 0 if every text can. */
  readonly neededMask: number
}

function planSearch(
  parts: readonly InspectedPart[],
  checks: readonly CompiledCheck[],
  patterns: readonly NumberedRegex[],
): SearchPlan {
  const checkOf: number[] = []
  const numbersAt = new Map<PatternPlace, number[]>()
  for (const { number: check, places, patterns: searched } of checks) {
    for (const { number } of searched) checkOf[number] = check
    for (const place of places) {
      const numbers = searched.map(({ number }) => number)
      numbersAt.set(place, [...(numbersAt.get(place) ?? []), ...numbers]) // the first one there
    }
  }
  const requirements = patterns.map(({ requirement }) => requirement)
  const needsWords = (number: number): boolean => requirements[number]?.clauses.length !== 0
  const plannedParts = parts.map((part): PlannedPart => {
    const at = part.places.map((place) => numbersAt.get(place) ?? []) // every place is of a check
    const setOfWorded = (numbers: readonly number[]): PatternSet =>
      patternSetOf(numbers.filter(needsWords), patterns.length)
    return {
      ...part,
      worded: setOfWorded(at.flat()),
      wordless: [...new Set(at.flat())].filter((number) => !needsWords(number)),
      triggers: part.places.reduce((all, { chain }) => all | chain.mask, 0),
      isForRuns: part.places.some(({ chain }) => chain.isForRuns),
      searched: part.places.map(({ chain }, i) => {
        const numbers = at[i] ?? [] // as long as the places
        return { chain, worded: setOfWorded(numbers), neededMask: neededMaskOf(numbers, requirements) }
      }),
    }
  })
  const namedOf = (kind: 'arg' | 'header'): ReadonlyMap<Bytes, PlannedPart> =>
    new Map(
      plannedParts.flatMap((part) => {
        const name = nameIn(part.part, kind)
        return name === undefined ? [] : [[name, part] as const]
      }),
    )
  return {
    scanner: createScanner(requirements),
    repeated: new RepeatedStrings(),
    parts: plannedParts.filter(
      ({ part }) => nameIn(part, 'arg') === undefined && nameIn(part, 'header') === undefined,
    ),
    named: { arg: namedOf('arg'), header: namedOf('header') },
    requirements,
    checkOf,
    noChecks: patternSetOf([], checks.length),
    nothingSent: parts.map(() => undefined),
    noViews: parts.flatMap(({ places }) => places.map(() => undefined)),
  }
}

function neededMaskOf(numbers: readonly number[], requirements: readonly Requirement[]): number {
  let needed = 0
  for (const number of numbers) {
    const mask = requirements[number]?.masks[0]
    if (mask === undefined) return 0
    needed |= mask
  }
  return needed
}

/** The strings of a part, as sent. */
interface SentStrings {
  readonly fields: readonly PartText[]
  readonly strings: readonly PooledString[]
  /** For all places in which no transformation changes one of them. */
  plain: View | undefined
}

interface View extends Pick<SentStrings, 'fields' | 'strings'> {
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
  /** By number of the place. */
  private readonly views: (View | undefined)[]
  /** The checks that can match. */
  private readonly possible: number[]

  constructor(plan: SearchPlan, request: InspectedRequest, budget: WorkBudget) {
    this.plan = plan
    this.budget = budget
    this.pool = new StringPool(plan.scanner, this.budget, plan.repeated)
    this.possible = plan.noChecks.slice()
    this.sent = plan.nothingSent.slice()
    this.views = plan.noViews.slice()
    for (const part of plan.parts) this.open(part, request.stringsOf(part.part))
    this.openNamed('arg', request)
    this.openNamed('header', request)
  }

  private openNamed(kind: 'arg' | 'header', request: InspectedRequest): void {
    const known = this.plan.named[kind]
    const strings = request.named(kind)
    for (let i = 0; i < strings.length; i += 1) {
      const part = known.get(asciiLower((strings[i] as PartText & { name: Bytes }).name)) // within the list
      if (part !== undefined && this.sent[part.number] === undefined)
        this.open(part, request.stringsOf(part.part))
    }
  }

  isPossible({ number }: CompiledCheck): boolean {
    return hasPattern(this.possible, number)
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
      const view = this.viewOf(places[i] as PatternPlace) // within the list
      if (view === undefined) continue
      for (let j = 0; j < patterns.length; j += 1) {
        const pattern = patterns[j] as NumberedRegex // as above
        if (!isPossible(view.scan, pattern.number, pattern.requirement)) continue
        const match = this.findIn(view, pattern)
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
      if (scan.candidates !== undefined) this.mark(scan, part.worded)
      if ((scan.mask & part.triggers) !== 0 || (scan.hasRuns && part.isForRuns))
        mask |= this.openChanged(part, string, scan)
    }
    for (const number of part.wordless) if (this.hasBytesFor(number, mask)) this.markPattern(number)
    this.sent[part.number] = { fields, strings, plain: undefined }
  }

  /** @returns which bytes occur in the forms of the string */
  private openChanged({ searched }: PlannedPart, string: PooledString, sent: Scan): number {
    let mask = 0
    for (let i = 0; i < searched.length; i += 1) {
      const { chain, worded, neededMask } = searched[i] as SearchedPlace // within the list
      if ((sent.mask & chain.mask) === 0 && !(chain.isForRuns && sent.hasRuns)) continue
      if (neededMask !== 0 && (maskAfter(chain, sent.mask) & neededMask) === 0) continue
      const after = this.pool.transform(string, chain)
      if (after === string) continue
      const scan = this.pool.scanOf(after)
      mask |= scan.mask
      if (scan.candidates !== undefined && scan.candidates !== sent.candidates) {
        this.budget.spend(MARK_COST * scan.hits, string.isOfBody)
        this.mark(scan, worded)
      }
    }
    return mask
  }

  private mark({ mask, candidates }: Scan, searched: PatternSet): void {
    if (candidates === undefined) return
    patternsIn(candidates, searched, (number) => {
      if (this.hasBytesFor(number, mask)) this.markPattern(number)
    })
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
    return sent === undefined ? undefined : (this.views[number] ??= this.transformAll(sent, chain))
  }

  private transformAll(sent: SentStrings, chain: TransformChain): View {
    const { fields, strings } = sent
    let changed: PooledString[] | undefined
    for (let i = 0; i < strings.length; i += 1) {
      const string = strings[i] as PooledString // within the list
      const after = this.pool.transform(string, chain)
      if (after !== string) changed ??= strings.slice()
      if (changed !== undefined) changed[i] = after
    }
    return changed === undefined
      ? (sent.plain ??= { fields, strings, scan: this.pool.scanAll(strings) })
      : { fields, strings: changed, scan: this.pool.scanAll(changed) }
  }

  private findIn(
    { fields, strings, scan }: View,
    { regex, number, requirement }: NumberedRegex,
  ): PatternMatch | null {
    const worded = requirement.clauses.length > 0 ? scan.places : undefined
    const count = worded === undefined ? strings.length : worded.length
    for (let i = 0; i < count; i += 1) {
      const at = worded === undefined ? i : (worded[i] as number) // within the list
      const string = strings[at] as PooledString // as above
      if (this.budget.isSpentFor(string.isOfBody)) continue
      this.budget.spend(PLACE_COST, string.isOfBody)
      const own = this.pool.scanOf(string)
      if (!isPossible(own, number, requirement) || !canBegin(requirement.beginning, string.value, own.mask))
        continue
      const start = this.startOf(regex, string)
      if (start !== undefined) return { field: (fields[at] as PartText).field, text: string.value, start } // as above
    }
    return null
  }

  /** Finding costs more than testing, and most tested patterns do not match. */
  private startOf(regex: Regex, { value: text, isOfBody }: PooledString): number | undefined {
    if (!this.budget.take('test', text.length, isOfBody) || !regex.test(text)) return undefined
    // A match whose position would cost too much is reported with the beginning of the text.
    if (text.length > MAX_FIND_BYTES || !this.budget.canAfford('find', text.length, isOfBody)) return 0
    this.budget.take('find', text.length, isOfBody)
    return regex.find(text)?.start ?? 0 // it matches
  }
}
