// Deliveries of events to webhooks and by e-mail, and the e-mails about events of monitoring.
export {
  createDeliveries,
  type Channel,
  type DeliveriesDeps,
  type Outcome,
  type Pending,
  type Tests,
} from './deliveries.ts'
export { createMailer, type Mail, type MailOutcome, type Mailer } from './mailer.ts'
export { parseSmtpUrl, type SmtpServer } from './smtp-url.ts'
export { writeAlert, type AlertEvent, type AlertZone } from './alert-text.ts'
export { signatureOf } from './signature.ts'
export { retryMillis, type Subscription } from './subscription.ts'
