// The addresses of a host, of which none may be forbidden.
import { isIP, type LookupFunction } from 'node:net'
import type { MayConnect } from './addresses.ts'
import { FetchFailed } from './fetch-failed.ts'
import type { HostAddresses } from './host-addresses.ts'

const MAX_ADDRESSES = 32

export interface CheckedAddressesDeps {
  readonly mayConnect: MayConnect
  readonly hostAddresses: HostAddresses
}

/** Resolves a host and checks every address: if one must not be connected to, the host is rejected. */
export function createCheckedAddresses({ mayConnect, hostAddresses }: CheckedAddressesDeps): HostAddresses {
  return async (host, signal) => {
    const addresses = isIP(host) === 0 ? await resolveHost(host, signal) : [host]
    if (addresses.length === 0 || addresses.length > MAX_ADDRESSES)
      throw new FetchFailed('name', `${host} has ${addresses.length} addresses`)
    if (!addresses.every(mayConnect))
      throw new FetchFailed('address', `${host} has an address that may not be connected to`)
    return addresses
  }

  async function resolveHost(host: string, signal: AbortSignal): Promise<readonly string[]> {
    try {
      return await hostAddresses(host, signal)
    } catch (error) {
      throw new FetchFailed('name', `${host}: ${codeOf(error)}`)
    }
  }
}

/** A lookup function that returns the checked addresses instead of resolving again. */
export function onlyThese(addresses: readonly string[]): LookupFunction {
  const all = addresses.map((address) => ({ address, family: isIP(address) }))
  const [first] = all
  return (_host, { all: wantsAll }, callback) => {
    if (wantsAll === true) callback(null, all)
    else if (first === undefined) callback(new Error('no address of the host was checked'), '')
    else callback(null, first.address, first.family)
  }
}

/** The code of a system error; `unknown` for other values. */
export const codeOf = (error: unknown): string =>
  error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : 'unknown'
