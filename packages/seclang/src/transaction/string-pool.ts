// Every distinct string of a request once, with what is already known about it.
import type { Bytes } from '../bytes.ts'
import type { PatternSet, Scan, Scanner } from '../pattern/literal-automaton.ts'
import { canChange, type TransformChain } from './transform-chains.ts'
import { WorkBudget } from './work-budget.ts'

export interface PooledString {
  readonly value: Bytes
  /** By number of the step: the string after it. */
  readonly after: (PooledString | undefined)[]
  scan: Scan | undefined
}

/** What occurs in several strings. */
export interface UnitedScan {
  readonly mask: number
  /** Undefined if there are none. */
  readonly candidates: PatternSet | undefined
  /** Positions of the strings that have candidates. */
  readonly places: readonly number[]
}

export class StringPool {
  private readonly strings = new Map<Bytes, PooledString>()
  private readonly scanner: Scanner
  private readonly budget: WorkBudget

  /** @param budget without one, work has no limit */
  constructor(scanner: Scanner, budget: WorkBudget = new WorkBudget(Infinity)) {
    this.scanner = scanner
    this.budget = budget
  }

  get(value: Bytes): PooledString {
    let pooled = this.strings.get(value)
    if (pooled === undefined) {
      pooled = { value, after: [], scan: undefined }
      this.strings.set(value, pooled)
    }
    return pooled
  }

  transform(start: PooledString, chain: TransformChain): PooledString {
    if (!canChange(chain, this.scanOf(start))) return start
    let pooled = start
    for (const step of chain.steps) {
      if (!canChange(step, this.scanOf(pooled))) continue
      // Numbers stand for all steps from the first one on, so results belong to the first string.
      let next = start.after[step.number]
      if (next === undefined) {
        this.budget.spend(pooled.value.length)
        const value = step.apply(pooled.value)
        next = value === pooled.value ? pooled : this.get(value)
        start.after[step.number] = next
      }
      pooled = next
    }
    return pooled
  }

  scanOf(pooled: PooledString): Scan {
    if (pooled.scan === undefined) {
      this.budget.spend(pooled.value.length * SCAN_COST)
      pooled.scan = this.scanner(pooled.value)
    }
    return pooled.scan
  }

  /** What occurs in at least one of several strings. */
  scanAll(strings: readonly PooledString[]): UnitedScan {
    let mask = 0
    let candidates: PatternSet | undefined
    let union: number[] | undefined
    const places: number[] = []
    for (let place = 0; place < strings.length; place += 1) {
      const pooled = strings[place]
      if (pooled === undefined) continue
      const found = this.scanOf(pooled)
      mask |= found.mask
      if (found.candidates === undefined) continue
      places.push(place)
      if (candidates === undefined) candidates = found.candidates
      else if (candidates !== found.candidates) {
        union ??= candidates.slice()
        candidates = union
        for (let i = 0; i < union.length; i += 1) union[i] = Number(union[i]) | Number(found.candidates[i])
      }
    }
    return { mask, candidates, places }
  }
}

/** Work units of reading one byte in the automaton, measured against transformations. */
const SCAN_COST = 2
