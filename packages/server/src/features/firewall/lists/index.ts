export { createListItems, namedLists, type ListItems } from './list-items.service.ts'
export { type ListScope, zonesIn } from './list-scope.ts'
export { listRoutes } from './lists.routes.ts'
export { createLists, knownLists, type KnownLists, type Lists } from './lists.service.ts'
