// Why a fetch ended without content.
import type { FetchProblem } from '@zonereeve/platform'

export class FetchFailed extends Error {
  readonly problem: FetchProblem | 'stopped'

  /** @param problem `stopped` by the caller, or why it could not be fetched. */
  constructor(problem: FetchProblem | 'stopped', detail: string) {
    super(detail)
    this.name = 'FetchFailed'
    this.problem = problem
  }
}
