export { edgeRoutes } from './edge.routes.ts'
export { createEdgeConfigurations, type EdgeConfigurationsDeps, type EdgePages } from './edge.service.ts'
export { createSharedCounts } from './shared-counts.service.ts'
