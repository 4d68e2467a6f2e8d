export { anomalyScoreRoutes } from './anomaly-scores.routes.ts'
export { createAnomalyScores, type AnomalyScores } from './anomaly-scores.service.ts'
