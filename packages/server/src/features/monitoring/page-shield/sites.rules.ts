// Groups scripts by server, judging by host names.
import { getDomain } from 'tldts'

/**
 * The registrable domain: any number of names below it may be one server. Names under a provider's public
 * suffix are separate sites, as are IP addresses.
 * @param urlHost with the port unless it is the default one.
 */
export const siteOf = (urlHost: string): string =>
  getDomain(urlHost, { allowPrivateDomains: true }) ?? urlHost
