export { pageShieldExtensionRoutes } from './extensions.routes.ts'
export { pageShieldRoutes } from './page-shield.routes.ts'
export { createPageShield, removePageShield } from './page-shield.service.ts'
