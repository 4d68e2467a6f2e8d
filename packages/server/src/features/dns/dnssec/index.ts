export { dnssecRoutes } from './dnssec.routes.ts'
export type { ParentView } from './dnssec.rules.ts'
export { allZoneKeys, createDnssec, findZoneKeys, zoneDnssec, type DnssecDeps } from './dnssec.service.ts'
export type { ZoneKeys } from './zone-keys.ts'
