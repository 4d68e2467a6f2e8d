export { zoneAttentionRoutes } from './zone-attention.routes.ts'
export { createZoneAttention, type ZoneAttentionDeps } from './zone-attention.service.ts'
