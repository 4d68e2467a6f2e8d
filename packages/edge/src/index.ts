// The enforcing edge: decides about real requests by the configuration of a server, for the proxies in front of it.
export { type Edge, type EdgeEndpoint, type EdgeOptions, type EdgeSocket, startEdge } from './edge.ts'
export type { FailureModes } from './engine.ts'
export { installConfiguration } from './configuration/install.ts'
export {
  proxyConfiguration,
  PROXIES,
  uncopiedHeaders,
  type ProxyConfigurationOptions,
  type ProxyName,
} from './configuration/proxy-configuration.ts'
export { findZone } from './configuration/configured-zone.ts'
export { type EdgeLog } from './edge-log.ts'
export { useLocations } from './location-database.ts'
export { useVerifiedBots } from './verified-bots.ts'
export { useLeakedPasswords } from './leaked-passwords.ts'
export type { SeenCookie } from './seen-cookies.ts'
export type { SeenPage } from './seen-pages.ts'
export { DOCUMENT_FORMAT, type OriginRecord, type PageHeaders, type ZoneDocument } from './zone-document.ts'
