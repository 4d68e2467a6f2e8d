// What the reports of one network may add to an inventory in a day, and which scripts are fetched because of it alone:
// a client that invents resources gets no more than that.

export interface AddressBudget {
  /** New scripts, connections and other loads a day; and as many pieces of code. */
  readonly entries: number
  /** New scripts a day that are fetched although no other network has reported them. */
  readonly fetches: number
}

/** Of one network in one zone on one day. */
export interface Spending {
  readonly resources: number
  readonly code: number
  readonly fetches: number
}

export const NOTHING_SPENT: Spending = { resources: 0, code: 0, fetches: 0 }

/**
 * Charges a new entry to a network.
 * @returns what the network has spent then; undefined if the entry is beyond its budget.
 */
export function spendEntry(
  { entries }: AddressBudget,
  spent: Spending,
  kind: 'resources' | 'code',
): Spending | undefined {
  return spent[kind] < entries ? { ...spent, [kind]: spent[kind] + 1 } : undefined
}

/**
 * Charges a fetch to a network.
 * @returns what the network has spent then; undefined if the script waits for another network to report it.
 */
export function spendFetch({ fetches }: AddressBudget, spent: Spending): Spending | undefined {
  return spent.fetches < fetches ? { ...spent, fetches: spent.fetches + 1 } : undefined
}
