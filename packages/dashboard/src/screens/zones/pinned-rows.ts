// Places of rows in a list whose pinned zones stand before all others, each once.
import type { WireZone } from '../../api/zones.ts'

type Named = Pick<WireZone, 'name'>

/** Place of a row of the list in the whole table: pinned zones that follow it by name stand before it, too. */
export function rowBelowPinned(
  index: number,
  zone: Named | undefined,
  pinned: readonly Named[],
): number | undefined {
  if (pinned.length === 0) return index
  // Awaited: which of them it follows is not known yet.
  if (zone === undefined) return undefined
  const name = sortedName(zone)
  return index + pinned.filter((one) => sortedName(one) > name).length
}

/** Names are shown in Unicode, and sorted by their A-labels. */
function sortedName({ name }: Named): string {
  if (/^[ -~]*$/.test(name)) return name
  try {
    return new URL(`https://${name}`).hostname
  } catch {
    // No name of a host: only the number that is read aloud may be wrong.
    return name
  }
}
