// What managed rules may spend on one request together, and what they have found out about it.
import { WorkBudget } from '@zonereeve/seclang'

export class RequestWork {
  readonly budget: WorkBudget = new WorkBudget()
  private readonly known = new Map<object, unknown>()

  /** What the owner made for the request; made on first use, because the work for it is spent only once. */
  keep<T>(owner: object, make: () => T): T {
    if (!this.known.has(owner)) this.known.set(owner, make())
    return this.known.get(owner) as T // an owner keeps one kind of thing
  }

  /** What the owner keeps for the request; undefined if nothing was made. */
  find<T>(owner: object): T | undefined {
    return this.known.get(owner) as T | undefined // an owner keeps one kind of thing
  }
}
