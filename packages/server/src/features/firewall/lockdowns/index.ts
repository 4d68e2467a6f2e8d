export { lockdownRoutes } from './lockdowns.routes.ts'
export { createLockdowns, lockdownsFor, zoneLockdownContents } from './lockdowns.service.ts'
