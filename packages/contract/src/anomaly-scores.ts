// The anomaly scores of a zone's requests: what each threshold of the OWASP ruleset would have stopped. A Zonereeve
// extension, outside the vendor's paths.
import { Type, type Static } from 'typebox'
import { operations } from './operation.ts'
import { namedObject, nullable, objectId } from './primitives.ts'

/** Higher scores are counted as this one. */
export const MAX_COUNTED_SCORE = 100
const MAX_DAYS = 90

const requests = Type.Integer({ description: 'Number of requests.' })

const WireAnomalyScores = namedObject('AnomalyScores', {
  since: Type.String({ description: 'First day, in UTC.', examples: ['2026-01-05'] }),
  ruleset: Type.String({ description: 'Name of the ruleset in use now.' }),
  threshold: nullable(
    Type.Integer({ description: 'The zone’s threshold; null if it does not execute the ruleset.' }),
  ),
  requests,
  thresholds: Type.Array(
    Type.Object({
      threshold: Type.Integer({ description: 'A minimum score.', examples: [5, 25, 40, 60] }),
      requests: Type.Integer({ description: 'Requests that reached it.' }),
    }),
  ),
  scores: Type.Array(Type.Object({ score: Type.Integer(), requests }), {
    description: `Requests by their score, which is above 0; ${MAX_COUNTED_SCORE} stands for higher ones, too.`,
  }),
})
export type WireAnomalyScores = Static<typeof WireAnomalyScores>

export const anomalyScores = operations(
  'anomaly_scores',
  { tag: 'Rulesets', params: { zone_id: objectId('the zone') } },
  {
    get: {
      route: 'GET /zonereeve/zones/{zone_id}/firewall/scores',
      summary: 'Count the requests that each threshold of the OWASP ruleset stops',
      description:
        'Requests for which the ruleset was executed and found something. A request that an earlier rule ended has no score. Counts are stored every ten seconds.',
      permission: { on: 'zone', anyOf: ['Zone WAF Read', 'Zone WAF Write'] },
      query: Type.Object({
        days: Type.Optional(
          Type.Integer({ minimum: 1, maximum: MAX_DAYS, default: 7, description: 'Days up to today.' }),
        ),
      }),
      result: WireAnomalyScores,
    },
  },
)
