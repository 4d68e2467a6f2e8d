// Zones that people name in a form.
import type { QueryClient } from '@tanstack/react-query'
import { zoneNamed, type WireZone } from '../api/zones.ts'

/** @returns the zones of these names; the names that no visible zone has. */
export async function findZones(
  queries: QueryClient,
  names: readonly string[],
): Promise<{ readonly zones: readonly WireZone[]; readonly unknown: readonly string[] }> {
  const found = await Promise.all(names.map((name) => queries.fetchQuery(zoneNamed(name))))
  return {
    zones: found.filter((zone) => zone !== null),
    unknown: names.filter((_, index) => found[index] === null),
  }
}

/** Names separated by spaces, commas or lines. */
export const readNames = (text: string): readonly string[] => [
  ...new Set(
    text
      .toLowerCase()
      .split(/[\s,]+/)
      .filter((name) => name !== ''),
  ),
]
