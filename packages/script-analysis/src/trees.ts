// Decision trees whose leaves add up to log odds.
import { elementAt } from './checked-reads.ts'

/** One tree, from the root; the children of node i are at 2i + 1 (at most the value) and 2i + 2 (more). */
export interface Tree {
  /** Index of the tested feature; -1 at a leaf. */
  readonly features: readonly number[]
  /** The value that the feature is compared with; at a leaf what it adds to the log odds. */
  readonly values: readonly number[]
}

/** What one tree adds to the log odds, and which features were tested on the path. @throws RangeError if it has no leaf there */
export function followTree(
  { features, values }: Tree,
  valueOf: (feature: number) => number,
): {
  readonly value: number
  readonly asked: readonly number[]
} {
  const asked: number[] = []
  let at = 0
  for (let feature = elementAt(features, at); feature >= 0; feature = elementAt(features, at)) {
    asked.push(feature)
    at = at * 2 + (valueOf(feature) > elementAt(values, at) ? 2 : 1)
  }
  return { value: elementAt(values, at), asked }
}
