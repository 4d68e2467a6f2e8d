export { pageShieldExtensionRoutes } from './extensions.routes.ts'
export { pageShieldRoutes } from './page-shield.routes.ts'
export { createPageShield, removePageShield, type PageShield } from './page-shield.service.ts'
