// HTTP route for the anomaly scores of a zone.
import { anomalyScores as operations } from '@zonereeve/contract'
import { route, type Route } from '../../../http/index.ts'
import type { AnomalyScores } from './anomaly-scores.service.ts'

const DAYS = 7

export const anomalyScoreRoutes = ({ get }: AnomalyScores): Route[] => [
  route(operations.get, async ({ params, query }) => ({
    result: await get(params.zone_id, query.days ?? DAYS),
  })),
]
