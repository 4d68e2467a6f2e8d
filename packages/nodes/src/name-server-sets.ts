// The sets of name servers that zones are delegated to. A node may have the zones of some name servers only.
import { createHash } from 'node:crypto'

export interface NameServerSet {
  readonly names: readonly string[]
  /** No zone gets it, except one below a zone that has it. */
  readonly isFull: boolean
}

/**
 * The name servers of a new zone: those of the closest zone above it, whose nodes would otherwise deny its names; or those of
 * a set that is not full, by its name.
 *
 * @param sets one at least is not full.
 * @param findAbove the name servers of the closest zone above that decides; undefined if there is none.
 */
export async function nameServersFor(
  sets: readonly NameServerSet[],
  name: string,
  findAbove: () => Promise<readonly string[] | undefined>,
): Promise<readonly string[]> {
  const above = sets.length > 1 ? await findAbove() : undefined
  if (above !== undefined) return above
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
