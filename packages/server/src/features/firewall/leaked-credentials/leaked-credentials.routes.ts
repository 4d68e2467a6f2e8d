// HTTP routes for the check of credentials against leaks.
import { leakedCredentials as operations } from '@zonereeve/contract'
import { replyRemoved, route, type Route } from '../../../http/index.ts'
import type { LeakedCredentials } from './leaked-credentials.service.ts'

export const leakedCredentialRoutes = (checks: LeakedCredentials): Route[] => [
  route(operations.status, async ({ params }) => ({
    result: { enabled: (await checks.get(params.zone_id)).isEnabled },
  })),
  route(operations.setStatus, async ({ params, body, actor }) => ({
    result: { enabled: (await checks.enable(params.zone_id, body.enabled, actor)).isEnabled },
  })),
  route(operations.list, async ({ params }) => ({
    result: [...(await checks.get(params.zone_id)).locations],
  })),
  route(operations.create, async ({ params, body, actor }) => ({
    result: await checks.addLocation(params.zone_id, { username: '', ...body }, actor),
  })),
  route(operations.get, async ({ params }) => ({
    result: await checks.location(params.zone_id, params.detection_id),
  })),
  route(operations.replace, async ({ params, body, actor }) => ({
    result: await checks.replaceLocation(
      params.zone_id,
      { username: '', ...body, id: params.detection_id },
      actor,
    ),
  })),
  route(operations.delete, ({ params, actor }) =>
    replyRemoved(params.detection_id, checks.removeLocation(params.zone_id, params.detection_id, actor)),
  ),
]
