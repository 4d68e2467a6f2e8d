export { createListItems, namedLists } from './list-items.service.ts'
export { type ListScope, zonesIn } from './list-scope.store.ts'
export { listRoutes } from './lists.routes.ts'
export { createLists, knownLists, type KnownLists } from './lists.service.ts'
