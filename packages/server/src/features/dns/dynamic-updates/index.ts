export { createDynamicUpdates } from './dynamic-updates.service.ts'
export { updateKeyRoutes } from './update-keys.routes.ts'
export { createUpdateKeys } from './update-keys.service.ts'
