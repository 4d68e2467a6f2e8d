// The work that all rules together may spend on one request. Work is counted, not timed, so that equal requests get equal
// results.

/**
 * Work units of a request. One unit is about the time in which a pattern reads one byte. docs/performance.md has the time
 * that the worst inputs take.
 */
export const DEFAULT_WORK_UNITS = 8_000_000

/** What is done with a string: units for each string, however short it is, and for each of its bytes. */
const COSTS = {
  /** One pass for the words of all patterns. */
  scan: { each: 100, byte: 2 },
  transform: { each: 250, byte: 2 },
  /** Whether a pattern matches. */
  test: { each: 300, byte: 1 },
  /** Where it matches. */
  find: { each: 300, byte: 20 },
  /** Where one of a rule set matches, and what its groups hold. */
  capture: { each: 1_500, byte: 20 },
  /** Anything else. */
  compare: { each: 30, byte: 1 },
} as const

/**
 * Units of testing a pattern of a rule set. Those that list hundreds of words have automata that fit into no cache.
 * @param size characters of its source
 */
export const unitsOfSearch = (size: number, bytes: number): number =>
  Math.round(400 + size / 10 + bytes * (2 + Math.min(size, 10_000) / 1_250))

export type Work = keyof typeof COSTS

export function unitsOf(work: Work, bytes: number): number {
  const { each, byte } = COSTS[work]
  return each + byte * bytes
}

/** The share of the work that a body cannot spend: whatever it is filled with, target and headers are inspected. */
const RESERVED_SHARE = 1 / 8

export class WorkBudget {
  private readonly limit: number
  /** Of work on the body. */
  private readonly bodyLimit: number
  /** At most the limit and what is spent at once. */
  private used = 0
  /** What was spent on the body at once, beyond its limit: it is not taken from the target and headers. */
  private excess = 0
  private isBodySpent = false
  private isIncomplete = false

  constructor(units: number = DEFAULT_WORK_UNITS) {
    this.limit = units
    // Not a difference: without a limit, that is no number.
    this.bodyLimit = Math.ceil(units * (1 - RESERVED_SHARE))
  }

  spend(units: number, isOfBody = false): void {
    const after = this.used + units
    if (!isOfBody || after <= this.bodyLimit) {
      this.used = after
      return
    }
    this.spendBody()
    this.excess += Math.max(0, after - this.used)
  }

  /** Something was left out for another reason than this budget. */
  markIncomplete(): void {
    this.isIncomplete = true
  }

  spentUnits(): number {
    return this.used + this.excess
  }

  /** Whether something was left out, or everything would be from now on. */
  isSpent(): boolean {
    return this.isIncomplete || this.isBodySpent || this.used > this.limit
  }

  /** Whether nothing more can be done with a string. The body has been left out once this was true for one of its own. */
  isSpentFor(isOfBody: boolean): boolean {
    if (this.used <= (isOfBody ? this.bodyLimit : this.limit)) return false
    if (isOfBody) this.spendBody()
    return true
  }

  canAfford(work: Work, bytes: number, isOfBody = false): boolean {
    return this.used + unitsOf(work, bytes) <= (isOfBody ? this.bodyLimit : this.limit)
  }

  /** Spends the units if they are left. If they are not, everything of that kind is spent. @returns false in that case */
  take(work: Work, bytes: number, isOfBody = false): boolean {
    const after = this.used + unitsOf(work, bytes)
    if (after <= (isOfBody ? this.bodyLimit : this.limit)) {
      this.used = after
      return true
    }
    if (isOfBody) this.spendBody()
    else this.used = Math.max(this.used, this.limit + 1)
    return false
  }

  private spendBody(): void {
    this.isBodySpent = true
    this.used = Math.max(this.used, this.bodyLimit + 1)
  }
}
