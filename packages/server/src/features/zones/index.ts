export { zoneRoutes } from './zones.routes.ts'
export {
  addressNotices,
  advanceZone,
  createZones,
  demandOwn,
  demandUnchanged,
  demandZone,
  findZoneNamed,
  type ZoneEvent,
  type Zones,
  type ZonesDeps,
} from './zones.service.ts'
export {
  hasPreviousWaf,
  PAGE_RULE_QUOTAS,
  readHostName,
  servedNameServers,
  toAscii,
  type Plan,
} from './zones.rules.ts'
export { allZones, countAccountRecords, findZone, zonesOfAccount, type Zone } from './zones.store.ts'
export { apexOf } from './apex.ts'
export {
  usualMailbox,
  USUAL_SERVING_SETTINGS,
  type FollowedAuthority,
  type ServingSettings,
  type SoaSettings,
} from './serving-settings.ts'
