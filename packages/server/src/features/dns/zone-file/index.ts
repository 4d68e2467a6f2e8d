export { zoneFileRoutes } from './zone-file.routes.ts'
export { createZoneFiles, type ZoneFilesDeps } from './zone-file.service.ts'
