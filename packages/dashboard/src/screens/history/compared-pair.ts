// Which two changes a comparison begins with.

/** Numbers of change sets, as the URL has them. */
export interface Pair {
  readonly from: string
  readonly to: string
}

interface ListState {
  readonly isFetching: boolean
  /** Whether the list is still that of the filter before. */
  readonly isPlaceholderData: boolean
}

/**
 * The change that is shown and the one below it; of the oldest one, the one above it.
 * @returns undefined if the change is not listed, or no other is.
 */
export function comparedPair(
  changes: readonly { readonly number: number }[],
  shown: string | undefined,
): Pair | undefined {
  const at = changes.findIndex(({ number }) => String(number) === shown)
  const chosen = changes[at]
  if (chosen === undefined) return undefined
  const [older, newer] = [changes[at + 1], changes[at - 1]]
  if (older !== undefined) return { from: String(older.number), to: String(chosen.number) }
  return newer === undefined ? undefined : { from: String(chosen.number), to: String(newer.number) }
}

/**
 * The pair that a command opens by itself.
 * @returns undefined while the list may lack the newest change, or is that of another filter.
 */
export const currentPair = (
  pair: Pair | undefined,
  { isFetching, isPlaceholderData }: ListState,
): Pair | undefined => (isFetching || isPlaceholderData ? undefined : pair)
