export { isCatalogName, catalogZoneId } from './catalog-zone.service.ts'
export { secondaryDnsRoutes } from './secondary-dns.routes.ts'
export { createSecondaryDns, type SecondaryDnsDeps } from './secondary-dns.service.ts'
export type { CatalogContents, CatalogMember, OpenZone, TransferEvent } from './announcements.ts'
