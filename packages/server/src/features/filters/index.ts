export { readExpression, REQUEST_SCHEME, RESPONSE_SCHEME } from './expression.rules.ts'
export { filterRoutes } from './filters.routes.ts'
