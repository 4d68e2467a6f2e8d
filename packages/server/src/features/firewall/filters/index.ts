export { filterRoutes } from './filters.routes.ts'
export {
  addFilter,
  createFilters,
  expressionIssues,
  filterOp,
  zoneFilters,
  type FilterDefinition,
} from './filters.service.ts'
export { deleteFilter, filtersOf, filtersWithLists, findFilter, type Filter } from './filters.store.ts'
export { readIds, toFilterDefinition, toWireFilter, withPointers } from './filters.wire.ts'
