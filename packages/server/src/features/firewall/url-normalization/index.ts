export { urlNormalizationRoutes } from './url-normalization.routes.ts'
export { createUrlNormalization, urlNormalizationOf } from './url-normalization.service.ts'
