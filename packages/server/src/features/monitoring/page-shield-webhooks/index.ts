export { pageShieldWebhookRoutes } from './page-shield-webhooks.routes.ts'
export { urlIssues } from './page-shield-webhooks.rules.ts'
export {
  createWebhooks,
  postSigned,
  webhookChannel,
  zoneWebhooks,
  type PostingDeps,
  type PostWebhook,
  type WebhookRequest,
} from './page-shield-webhooks.service.ts'
