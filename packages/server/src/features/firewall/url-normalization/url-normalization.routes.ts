// HTTP routes for the normalization of paths.
import { urlNormalization as operations } from '@zonereeve/contract'
import { DEFAULT_NORMALIZATION } from '@zonereeve/firewall'
import { route, type Route } from '../../../http/index.ts'
import type { UrlNormalizations } from './url-normalization.service.ts'

export const urlNormalizationRoutes = (settings: UrlNormalizations): Route[] => [
  route(operations.get, async ({ params }) => ({ result: await settings.get(params.zone_id) })),
  route(operations.set, async ({ params, body, actor }) => ({
    result: await settings.set(params.zone_id, body, actor),
  })),
  route(operations.delete, async ({ params, actor }) => {
    await settings.set(params.zone_id, DEFAULT_NORMALIZATION, actor)
    return { result: null }
  }),
]
