export { createCollecting } from './collecting.ts'
export { addCollector, collectorRoutes } from './collector.routes.ts'
