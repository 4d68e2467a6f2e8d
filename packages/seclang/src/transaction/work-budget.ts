// The work that rules may spend on one request. Work is counted, not timed, so that equal requests get equal results.

/**
 * Work units of a request. One unit is about the time in which a pattern reads one byte. docs/performance.md has the time
 * that the worst inputs take.
 */
export const DEFAULT_WORK_UNITS = 8_000_000

/** What is done with a string: units for each string, however short it is, and for each of its bytes. */
const COSTS = {
  /** One pass for the words of all patterns. */
  scan: { each: 150, byte: 3 },
  transform: { each: 300, byte: 3 },
  /** Whether a pattern matches. */
  test: { each: 300, byte: 1 },
  /** Where it matches. */
  find: { each: 300, byte: 20 },
  /** Anything else. */
  compare: { each: 10, byte: 1 },
} as const

export type Work = keyof typeof COSTS

export const unitsOf = (work: Work, bytes: number): number => COSTS[work].each + COSTS[work].byte * bytes

export class WorkBudget {
  private readonly limit: number
  /** At most the limit and what is spent at once. */
  private used = 0

  constructor(units: number) {
    this.limit = units
  }

  spend(units: number): void {
    this.used += units
  }

  spentUnits(): number {
    return this.used
  }

  isSpent(): boolean {
    return this.used > this.limit
  }

  canAfford(work: Work, bytes: number): boolean {
    return this.used + unitsOf(work, bytes) <= this.limit
  }

  /** Spends the units if they are left. If they are not, everything is spent. @returns false in that case */
  take(work: Work, bytes: number): boolean {
    const isAffordable = this.canAfford(work, bytes)
    this.used = isAffordable ? this.used + unitsOf(work, bytes) : Math.max(this.used, this.limit + 1)
    return isAffordable
  }
}
