// HTTP routes for challenges of certificate authorities.
import { acmeChallenges as operations } from '@zonereeve/contract'
import { route, type Route } from '../../../http/index.ts'
import type { AcmeChallenges } from './acme-challenges.service.ts'

export const acmeChallengeRoutes = ({ publish, remove }: AcmeChallenges): Route[] => [
  route(operations.publish, async ({ params, body, actor }) => ({
    result: { name: await publish(params.zone_id, body, actor), value: body.value },
  })),
  route(operations.remove, async ({ params: { zone_id: zoneId, host, value }, actor }) => ({
    result: { name: await remove(zoneId, { host, value }, actor), value },
  })),
]
