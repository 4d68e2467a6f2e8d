// Every distinct string of a request once, with what is already known about it.
import type { Bytes } from '../bytes.ts'
import type { Scan, Scanner } from '../pattern/literal-automaton.ts'
import type { TransformChain } from './compiled-rule.ts'
import type { WorkBudget } from './work-budget.ts'

export interface PooledString {
  readonly value: Bytes
  /** By number of the step: the string after it. */
  readonly after: (PooledString | undefined)[]
  scan: Scan | undefined
}

export class StringPool {
  private readonly strings = new Map<Bytes, PooledString>()
  private readonly scanner: Scanner
  private readonly budget: WorkBudget

  constructor(scanner: Scanner, budget: WorkBudget) {
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

  transform(start: PooledString, { steps }: TransformChain): PooledString {
    let pooled = start
    for (const step of steps) {
      const { mask, hasUpperCase } = this.scanOf(pooled)
      if (step.mask !== -1 && (mask & step.mask) === 0 && !(step.isForUpperCase && hasUpperCase)) continue
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
}

/** Work units of reading one byte in the automaton, measured against transformations. */
const SCAN_COST = 2
