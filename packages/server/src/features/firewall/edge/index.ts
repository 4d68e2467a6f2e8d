export { edgeRoutes } from './edge.routes.ts'
export { createEdgeConfigurations, type EdgeConfigurationsDeps } from './edge.service.ts'
export { createSharedCounts } from './shared-counts.service.ts'
