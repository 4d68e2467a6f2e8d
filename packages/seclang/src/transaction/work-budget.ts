// The work that rules may spend on one request. Work is counted, not timed, so that equal requests get equal results.

/** Work units of a request: about the bytes read. A form of 128 kB takes 3.9 million; bench/rulesets prints its time. */
export const DEFAULT_WORK_UNITS = 4_000_000
/** Added for each string, however short it is. */
const FIXED_COST = 8

export class WorkBudget {
  private left: number

  constructor(units: number) {
    this.left = units
  }

  spend(units: number): void {
    this.left -= units + FIXED_COST
  }

  isSpent(): boolean {
    return this.left < 0
  }
}
