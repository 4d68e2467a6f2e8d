export { createDeliveries, type PostWebhook } from './deliveries.service.ts'
export { pageShieldWebhookRoutes } from './page-shield-webhooks.routes.ts'
export { createWebhooks, zoneWebhooks } from './page-shield-webhooks.service.ts'
