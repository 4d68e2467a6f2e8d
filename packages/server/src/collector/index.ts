export { addCollector, collectorRoutes } from './collector.routes.ts'
export { createCollector, type Collector, type CollectorDeps, type ReportedCause } from './collector.ts'
export type { Outcome } from './counters.ts'
export type { Batch } from './gathering.ts'
