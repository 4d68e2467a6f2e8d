// E-mails about events of monitoring.
export { createMailer, type Mail, type MailOutcome, type Mailer } from './mailer.ts'
export { parseSmtpUrl, type SmtpServer } from './smtp-url.ts'
export { writeAlert, type AlertEvent, type AlertZone } from './alert-text.ts'
