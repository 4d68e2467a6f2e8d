// Work that the rules may spend on one request. It is counted and not timed, so that a request always gets the same
// answer.

/** Work units of a request: about the bytes read. The hardest input known takes 151 ms with as many. */
export const DEFAULT_WORK_UNITS = 4_000_000
/** Cost of anything done for one string, however short. */
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
