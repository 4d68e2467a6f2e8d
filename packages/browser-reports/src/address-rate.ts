// Rate limit per client address (IPv6: per /64, and more for a /48): high enough for an office behind one address, too
// low to fill a database.
import { networkOf, siteNetworkOf } from '@zonereeve/platform'

export interface Rate {
  readonly requests: number
  readonly windowSeconds: number
}

/** Networks counted separately per window; all further ones share one counter. */
const MAX_NETWORKS = 50_000
const EVERYBODY_ELSE = ''
/** A /48 can be one customer with 65,536 networks, or many customers of a mobile network with one each. */
const NETWORKS_OF_SITE = 16

/** @returns whether another request of this address is within the rate. */
export function createAddressRate(rate: Rate | undefined): (address: string, nowMillis: number) => boolean {
  if (rate === undefined) return () => true
  const { requests, windowSeconds } = rate
  const counts = new Map<string, number>()
  let endsAt = 0
  return (address, nowMillis) => {
    if (nowMillis >= endsAt) {
      counts.clear()
      endsAt = nowMillis + windowSeconds * 1000
    }
    const network = networkOf(address)
    const site = siteNetworkOf(address)
    if (add(network) > requests) return false
    return site === network || add(site) <= requests * NETWORKS_OF_SITE
  }

  function add(network: string): number {
    const known = counts.get(network)
    const key = known === undefined && counts.size >= MAX_NETWORKS ? EVERYBODY_ELSE : network
    const before = key === network ? known : counts.get(key)
    const count = before === undefined ? 1 : before + 1
    counts.set(key, count)
    return count
  }
}
