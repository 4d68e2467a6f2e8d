// Which two changes a comparison begins with.

/**
 * The change that is shown and the one below it; of the oldest one, the one above it.
 * @returns undefined if the change is not listed, or no other is.
 */
export function comparedPair(
  changes: readonly { readonly number: number }[],
  shown: string | undefined,
): { readonly from: string; readonly to: string } | undefined {
  const at = changes.findIndex(({ number }) => String(number) === shown)
  const chosen = changes[at]
  if (chosen === undefined) return undefined
  const [older, newer] = [changes[at + 1], changes[at - 1]]
  if (older !== undefined) return { from: String(older.number), to: String(chosen.number) }
  return newer === undefined ? undefined : { from: String(chosen.number), to: String(newer.number) }
}
