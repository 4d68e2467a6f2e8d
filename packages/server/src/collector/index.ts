export { addCollector, collectorRoutes } from './collector.routes.ts'
export { createCollector, type Collector, type CollectorDeps } from './collector.ts'
export type { Batch } from './gathering.ts'
