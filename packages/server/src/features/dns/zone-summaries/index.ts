export { zoneSummaryRoutes } from './zone-summaries.routes.ts'
export { createZoneSummaries } from './zone-summaries.service.ts'
