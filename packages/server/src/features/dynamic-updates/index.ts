export { createDynamicUpdates, type DynamicUpdates } from './dynamic-updates.service.ts'
export { updateKeyRoutes } from './update-keys.routes.ts'
export { createUpdateKeys, type UpdateKeys } from './update-keys.service.ts'
