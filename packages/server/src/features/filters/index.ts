export { readExpression, REQUEST_SCHEME, RESPONSE_SCHEME, surrogateIssues } from './expression.rules.ts'
export { filterRoutes } from './filters.routes.ts'
export {
  addFilter,
  createFilters,
  expressionIssues,
  filterOp,
  removeFilters,
  type FilterDefinition,
} from './filters.service.ts'
export { deleteFilter, filtersOf, findFilter, type Filter } from './filters.store.ts'
export { readIds, toFilterDefinition, toWireFilter, withPointers } from './filters.wire.ts'
