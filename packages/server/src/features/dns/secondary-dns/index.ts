export {
  catalogZoneId,
  isMemberKind,
  readCatalog,
  readMemberChanges,
  type CatalogContents,
  type CatalogMember,
  type MemberChange,
} from './catalog-zone.service.ts'
export { allCatalogs } from './catalog-zone.store.ts'
export {
  allAuthorities,
  allExpiries,
  findAuthority,
  saveSecondary,
  withoutPrimary,
} from './incoming.store.ts'
export { createCatalogConsumer } from './catalog-consumer.ts'
export type { Received } from './catalog-transfers.service.ts'
export { refreshTimesOf } from './refresh-times.rules.ts'
export { secondaryDnsRoutes } from './secondary-dns.routes.ts'
export { createSecondaryDns, catalogGuards, type SecondaryDnsDeps } from './secondary-dns.service.ts'
export { countPeers, saveAllSeen } from './outgoing.service.ts'
export { accountsWithObjects } from './transfer-objects.store.ts'
export { readAccountTransfers, readOpenZone, readPrimaries, type OpenZone } from './transfers-in-force.ts'
