// Peers that a zone can be transferred from.
import type { WirePeer } from '../../api/transfers.ts'

/** Those with an address, and those that are chosen: without an address, one must be seen to be left out. */
export const primariesOf = (peers: readonly WirePeer[], chosen: readonly string[]): readonly WirePeer[] =>
  peers.filter(({ id, ip }) => ip !== undefined || chosen.includes(id))

/** From 1, in the order in which they are asked; undefined for one that is not chosen. */
export function rankOf(id: string, chosen: readonly string[]): number | undefined {
  const index = chosen.indexOf(id)
  return index === -1 ? undefined : index + 1
}

export const isSameOrder = (one: readonly string[], other: readonly string[]): boolean =>
  one.length === other.length && one.every((id, index) => id === other[index])
