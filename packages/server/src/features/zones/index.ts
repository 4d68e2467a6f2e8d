export { zoneRoutes } from './zones.routes.ts'
export {
  addressNotices,
  advanceZone,
  createZones,
  demandUnchanged,
  demandZone,
  findZoneNamed,
  type ZoneEvent,
  type Zones,
} from './zones.service.ts'
export { allZones, countAccountRecords, type Zone } from './zones.store.ts'
export { USUAL_SERVING_SETTINGS, type ServingSettings } from './serving-settings.ts'
