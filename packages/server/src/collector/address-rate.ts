// Requests of one address within a time: enough for an office behind one address, too few to fill a database.

export interface Rate {
  readonly requests: number
  readonly windowSeconds: number
}

/** Addresses that are told apart; all further ones of a window count as one. */
const MAX_ADDRESSES = 50_000
const EVERYBODY_ELSE = ''

/** @returns whether one more request of this address is within the rate. */
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
    const known = counts.get(address)
    const key = known === undefined && counts.size >= MAX_ADDRESSES ? EVERYBODY_ELSE : address
    const count = (key === address ? (known ?? 0) : (counts.get(key) ?? 0)) + 1
    counts.set(key, count)
    return count <= requests
  }
}
