// Which scripts come from one server, as far as names tell.
import { getDomain } from 'tldts'

/**
 * The registrable domain: any number of names below it may be one server's. Those of one provider's customers are sites of
 * their own; addresses are, too.
 *
 * @param urlHost with its port where that is not the usual one.
 */
export const siteOf = (urlHost: string): string =>
  getDomain(urlHost, { allowPrivateDomains: true }) ?? urlHost
