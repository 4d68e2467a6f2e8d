// Every distinct string of a request once, with what is already known about it.
import type { Bytes } from '../bytes.ts'
import type { PatternSet, Scan, Scanner } from '../pattern/literal-automaton.ts'
import { type RepeatedString, type RepeatedStrings, repeatedString } from './repeated-strings.ts'
import { canChange, type TransformChain, type TransformStep } from './transform-chains.ts'
import { WorkBudget } from './work-budget.ts'

export interface PooledString {
  readonly value: Bytes
  /** False if it also occurs in the target or the headers: then it is inspected even if the body has spent its work. */
  isOfBody: boolean
  /** What transformations make of it: the last one that was looked for. */
  after: Transformed | undefined
  scan: Scan | undefined
  /** What earlier requests have found out about it. Work is counted as if they had not: equal requests get equal results. */
  repeated: RepeatedString | undefined
}

/** A list with links: few transformations change a string. */
interface Transformed {
  readonly number: number
  readonly string: PooledString
  readonly next: Transformed | undefined
}

/** What occurs in several strings. */
export interface UnitedScan {
  readonly mask: number
  readonly hasUpperCase: boolean
  readonly hasRuns: boolean
  /** Undefined if there are none. */
  readonly candidates: PatternSet | undefined
  /** Positions of the strings that have candidates. */
  readonly places: readonly number[]
}

/** What rules make of target and headers is rarely longer. */
const MAX_OWN_BYTES = 256
/** So many are read from the caches of the processor. */
const FEW_STRINGS = 256
/** Work units of a pattern that has a word in a string: it is looked at, and perhaps noted. */
const HIT_COST = 40
/** Of strings that were not read, because the work was spent. */
const NOT_SCANNED: Scan = {
  mask: 0,
  letters: 0,
  hasUpperCase: false,
  hasRuns: false,
  candidates: undefined,
  hits: 0,
}

export class StringPool {
  private readonly strings = new Map<Bytes, PooledString>()
  private readonly scanner: Scanner
  private readonly budget: WorkBudget
  private readonly repeated: RepeatedStrings | undefined
  private readonly unitsOfString: number
  /** Strings that were scanned: of the body, and others. */
  private readonly scanned = { body: 0, others: 0 }

  /**
   * @param budget without one, work has no limit
   * @param unitsOfString for all that is read later of each string above a few hundred
   */
  constructor(
    scanner: Scanner,
    budget: WorkBudget = new WorkBudget(Infinity),
    repeated: RepeatedStrings | undefined = undefined,
    unitsOfString = 0,
  ) {
    this.scanner = scanner
    this.budget = budget
    this.repeated = repeated
    this.unitsOfString = unitsOfString
  }

  get(value: Bytes, isOfBody = false): PooledString {
    let pooled = this.strings.get(value)
    if (pooled === undefined) {
      pooled = { value, isOfBody, after: undefined, scan: undefined, repeated: undefined }
      this.strings.set(value, pooled)
    } else if (!isOfBody) pooled.isOfBody = false
    return pooled
  }

  /** A string that many requests contain. */
  getRepeated(value: Bytes): PooledString {
    const pooled = this.get(value)
    pooled.repeated ??= this.repeated?.of(value)
    return pooled
  }

  /** A string that rules have made of others: a long one may hold a part of the body. */
  getDerived(value: Bytes): PooledString {
    return this.strings.get(value) ?? this.get(value, value.length > MAX_OWN_BYTES)
  }

  /** The string after the transformations. Once the work is spent, strings stay as they are. */
  transform(start: PooledString, chain: TransformChain): PooledString {
    if (!canChange(chain, this.scanOf(start))) return start
    let pooled = start
    for (let i = 0; i < chain.steps.length; i += 1) {
      const step = chain.steps[i]
      if (step === undefined || !canChange(step, this.scanOf(pooled))) continue
      pooled = this.stepOf(step, pooled)
    }
    return pooled
  }

  private stepOf(step: TransformStep, before: PooledString): PooledString {
    let listed = before.after
    while (listed !== undefined && listed.number !== step.number) listed = listed.next
    const known = listed?.string
    if (known !== undefined) {
      if (!before.isOfBody) known.isOfBody = false
      return known
    }
    if (!this.budget.take('transform', before.value.length, before.isOfBody)) return before
    if (step.extraUnits > 0) this.budget.spend(step.extraUnits * before.value.length, before.isOfBody)
    const after = this.apply(step, before)
    before.after = { number: step.number, string: after, next: before.after }
    return after
  }

  private apply({ number, apply, isFolding }: TransformStep, before: PooledString): PooledString {
    const { repeated } = before
    const known = repeated?.after?.[number]
    const value = known === undefined ? apply(before.value) : known.value
    if (repeated !== undefined && known === undefined) {
      repeated.after ??= []
      repeated.after[number] = value === before.value ? repeated : repeatedString(value)
    }
    if (value === before.value) return before
    const after = this.get(value, before.isOfBody)
    after.repeated ??= repeated?.after?.[number]
    // Words are found in either case.
    if (isFolding && after.scan === undefined) {
      const { mask, letters, hasRuns, candidates, hits } = this.scanOf(before)
      after.scan = { mask, letters, hasUpperCase: false, hasRuns, candidates, hits }
    }
    return after
  }

  scanOf(pooled: PooledString): Scan {
    if (pooled.scan === undefined) {
      if (!this.budget.take('scan', pooled.value.length, pooled.isOfBody)) return NOT_SCANNED
      pooled.scan = pooled.repeated?.scan ?? this.scanner(pooled.value)
      if (pooled.repeated !== undefined) pooled.repeated.scan = pooled.scan
      const scanned = (this.scanned[pooled.isOfBody ? 'body' : 'others'] += 1)
      if (scanned > FEW_STRINGS) this.budget.spend(this.unitsOfString, pooled.isOfBody)
      this.budget.spend(HIT_COST * pooled.scan.hits, pooled.isOfBody)
    }
    return pooled.scan
  }

  /** What occurs in at least one of several strings. */
  scanAll(strings: readonly PooledString[]): UnitedScan {
    let mask = 0
    let hasUpperCase = false
    let hasRuns = false
    let candidates: PatternSet | undefined
    let union: number[] | undefined
    const places: number[] = []
    for (let place = 0; place < strings.length; place += 1) {
      const pooled = strings[place]
      if (pooled === undefined) continue
      const found = this.scanOf(pooled)
      mask |= found.mask
      hasUpperCase ||= found.hasUpperCase
      hasRuns ||= found.hasRuns
      if (found.candidates === undefined) continue
      places.push(place)
      if (candidates === undefined) candidates = found.candidates
      else if (candidates !== found.candidates) {
        union ??= candidates.slice()
        candidates = union
        for (let i = 0; i < union.length; i += 1) union[i] = Number(union[i]) | Number(found.candidates[i])
      }
    }
    return { mask, hasUpperCase, hasRuns, candidates, places }
  }
}
