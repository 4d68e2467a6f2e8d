export { accountWebhookRoutes } from './account-webhooks.routes.ts'
export { accountWebhookChannel, createAccountWebhooks } from './account-webhooks.service.ts'
export { selectPendingWebhooks } from './account-webhooks.store.ts'
