export { historyRoutes } from './history.routes.ts'
export { createHistory } from './history.service.ts'
export { toChangeText } from './history.wire.ts'
