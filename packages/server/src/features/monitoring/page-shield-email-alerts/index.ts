export { pageShieldEmailAlertRoutes } from './page-shield-email-alerts.routes.ts'
export {
  createEmailAlerts,
  emailChannel,
  zoneEmailAlerts,
  type EmailDeps,
} from './page-shield-email-alerts.service.ts'
