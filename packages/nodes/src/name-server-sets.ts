// The sets of name servers that zones are delegated to. A node may have the zones of some name servers only.
import { createHash } from 'node:crypto'
import { type Name, parentOf } from '@zonereeve/dns'

export interface NameServerSet {
  readonly names: readonly string[]
  /** No new zone gets it. */
  readonly isFull: boolean
}

/**
 * The name servers of a new zone: those of the zone above it, whose nodes would otherwise deny its names; or those of a
 * set, by its name, so that a zone that is created again has the same.
 *
 * @param sets one at least is not full.
 * @param find the name servers of the zone with a name; undefined if there is none.
 */
export async function nameServersFor(
  sets: readonly NameServerSet[],
  name: Name,
  find: (name: Name) => Promise<readonly string[] | undefined>,
): Promise<readonly string[]> {
  if (sets.length > 1)
    for (let above = parentOf(name); above !== undefined; above = parentOf(above)) {
      const found = await find(above)
      if (found !== undefined) return found
    }
  const open = sets.filter(({ isFull }) => !isFull)
  const chosen = open[createHash('sha256').update(name).digest().readUInt32BE() % open.length]
  if (chosen === undefined) throw new Error('all sets of name servers are full')
  return chosen.names
}

/** From 1, as the API counts them. Name servers of an earlier configuration, which are in no set, have 1, too. */
export const setNumberOf = (sets: readonly NameServerSet[], nameServers: readonly string[]): number =>
  Math.max(
    0,
    sets.findIndex(({ names }) => inOrder(names) === inOrder(nameServers)),
  ) + 1

const inOrder = (names: readonly string[]): string => names.toSorted().join()

/** Whether a node is to have a zone with these name servers. @param zonesOf the name servers whose zones it has; undefined: all */
export const isOwn = (
  { zonesOf }: { readonly zonesOf?: readonly string[] | undefined },
  { nameServers }: { readonly nameServers: readonly string[] },
): boolean => zonesOf === undefined || nameServers.some((name) => zonesOf.includes(name))
