export { REQUEST_SCHEME } from './expression.rules.ts'
export { filterRoutes } from './filters.routes.ts'
