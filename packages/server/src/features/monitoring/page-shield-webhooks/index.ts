export { pageShieldWebhookRoutes } from './page-shield-webhooks.routes.ts'
export {
  createWebhooks,
  webhookChannel,
  zoneWebhooks,
  type PostWebhook,
} from './page-shield-webhooks.service.ts'
