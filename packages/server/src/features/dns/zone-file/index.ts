export { zoneFileRoutes } from './zone-file.routes.ts'
export { createZoneFiles } from './zone-file.service.ts'
