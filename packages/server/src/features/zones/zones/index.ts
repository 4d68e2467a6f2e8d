export { zoneRoutes } from './zones.routes.ts'
export {
  addressNotices,
  advanceZone,
  createZones,
  requireOwn,
  requireUnchanged,
  requireZone,
  findZoneNamed,
  type Zones,
  type ZonesDeps,
} from './zones.service.ts'
export {
  hasLegacyWaf,
  PAGE_RULE_QUOTAS,
  readHostName,
  readZoneName,
  servedNameServers,
  toAscii,
  type Plan,
} from './zones.rules.ts'
export { bumpSerial } from './zones.service.ts'
export {
  eachZone,
  countAccountRecords,
  findZone,
  findZones,
  findZonesInAccount,
  zoneIdsWithin,
  zonesAtChange,
  zonesOfAccount,
  type Zone,
  type ZoneInAccount,
} from './zones.store.ts'
export { createKnownZones, type KnownZones } from './known-zones.ts'
export { toWireZone } from './zones.wire.ts'
export { unlessUnreadable, type ZoneContents } from './zone-contents.ts'
export { apexOf, defaultPrimary } from './apex.ts'
export {
  defaultMailbox,
  DEFAULT_PUBLICATION_SETTINGS,
  type SecondaryAuthority,
  type PublicationSettings,
  type SoaSettings,
} from './publication-settings.ts'
