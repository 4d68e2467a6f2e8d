export { createCollecting } from './collecting.ts'
export { openConfiguredLog } from './storing-from-log.ts'
export { addCollector, collectorRoutes } from './collector.routes.ts'
