// What a load test may do, and to which servers: it is no tool for those of other operators.
import { isIP } from 'node:net'

export const MAX_SECONDS = 60
/** DNS queries a second. */
export const MAX_RATE = 50_000
/** Clients of the API at a time. */
export const MAX_CLIENTS = 64

/** Whether an address or name is this machine by its form, without asking a resolver. */
export function isLoopbackHost(host: string): boolean {
  const bare = host.replace(/^\[|\]$/g, '').toLowerCase()
  if (bare === 'localhost' || bare === '::1') return true
  return isIP(bare) === 4 && bare.startsWith('127.')
}

/**
 * Accepts loopback, and the host of the API that the caller has a token for.
 *
 * @throws Error: it is the server of another operator, as far as can be known.
 */
export function requireOwnHost(host: string, apiHost: string): void {
  const bare = (text: string): string => text.replace(/^\[|\]$/g, '').toLowerCase()
  if (isLoopbackHost(host) || bare(host) === bare(apiHost)) return
  throw new Error(`${host} is neither loopback nor ${apiHost}, the host of the API that you have a token for`)
}
