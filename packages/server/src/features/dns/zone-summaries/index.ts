export { zoneSummaryRoutes } from './zone-summaries.routes.ts'
export { createZoneSummaries, type ZoneSummariesDeps } from './zone-summaries.service.ts'
