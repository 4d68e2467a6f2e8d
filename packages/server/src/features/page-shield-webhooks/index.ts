export { createDeliveries, type Deliveries, type PostWebhook } from './deliveries.service.ts'
export { pageShieldWebhookRoutes } from './page-shield-webhooks.routes.ts'
export { createWebhooks, removeWebhooks } from './page-shield-webhooks.service.ts'
