// Decision trees whose leaves add up to log odds.

/** One tree, from the root; the children of the node at i stand at 2i + 1 (at most the value) and 2i + 2 (more). */
export interface Tree {
  /** The place of the feature that is asked for; -1 at a leaf. */
  readonly features: readonly number[]
  /** What the feature is compared with; at a leaf what it adds to the log odds. */
  readonly values: readonly number[]
}

/** What one tree adds to the log odds, and which features it asked on the way. */
export function followTree(
  { features, values }: Tree,
  valueOf: (feature: number) => number,
): {
  readonly value: number
  readonly asked: readonly number[]
} {
  const asked: number[] = []
  let at = 0
  for (let feature = features[at] ?? -1; feature >= 0; feature = features[at] ?? -1) {
    asked.push(feature)
    at = at * 2 + (valueOf(feature) > (values[at] ?? 0) ? 2 : 1)
  }
  return { value: values[at] ?? 0, asked }
}
